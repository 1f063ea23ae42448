// Package client uses the query tool of a server over its API.
package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/pingmill/pingmill/serve/web/api"
	"github.com/pingmill/pingmill/serve/web/queries"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// Client sends requests to one server. It is safe for concurrent use.
type Client struct {
	base  *url.URL
	token string
	http  *http.Client
}

// New returns a client for a server such as https://pings.example.org, with an API token.
func New(server, token string) (*Client, error) {
	base, err := url.Parse(strings.TrimSuffix(server, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("%q is no address of a server: write it as https://pings.example.org", server)
	}
	if base.Scheme == "http" && !local(base.Hostname()) {
		return nil, fmt.Errorf("%s would send the token over the network as it is: write https://", server)
	}
	if token == "" || strings.ContainsAny(token, " \r\n") {
		return nil, errors.New("the server wants an API token: make one on its account page, and give it in a file (--token-file) or in " +
			"PINGMILL_TOKEN")
	}
	h := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &Client{base: base, token: token, http: h}, nil
}

func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Problem is an error response of the server.
type Problem struct {
	Status int
	queries.SQLProblem
}

func (p *Problem) Error() string {
	if p.Detail != "" {
		return p.Detail
	}
	return http.StatusText(p.Status)
}

// maxAnswer is the maximum size in bytes of a response other than a result.
const maxAnswer = 64 << 20

// send sends a request and returns the body of a successful response.
func (c *Client) send(ctx context.Context, method, path string, body any) (io.ReadCloser, error) {
	var sent bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&sent).Encode(body); err != nil {
			return nil, err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, c.base.String()+api.Prefix+path, &sent)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	w, err := c.http.Do(r)
	if err != nil {
		return nil, c.unreachable(ctx, err)
	}
	if w.StatusCode >= 200 && w.StatusCode < 300 && w.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		return w.Body, nil
	}
	defer w.Body.Close()
	return nil, c.problem(w)
}

// problem converts an error response.
func (c *Client) problem(w *http.Response) error {
	media, _, _ := mime.ParseMediaType(w.Header.Get("Content-Type"))
	p := &Problem{Status: w.StatusCode}
	if media != "application/problem+json" || json.NewDecoder(io.LimitReader(w.Body, maxAnswer)).Decode(&p.SQLProblem) != nil {
		return fmt.Errorf("%s is no query tool of pingmill, or one of another version: it answered %s", c.base, w.Status)
	}
	if w.StatusCode == http.StatusUnauthorized {
		return fmt.Errorf("%s does not know the token: it may have expired, or be of another server", c.base)
	}
	return p
}

// unreachable explains a connection error.
func (c *Client) unreachable(ctx context.Context, err error) error {
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var plain tls.RecordHeaderError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &unknown), errors.As(err, &name), errors.As(err, &invalid):
		return fmt.Errorf("the certificate of %s is not trusted: %w (SSL_CERT_FILE may name one that is)", c.base, err)
	case errors.As(err, &plain), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return fmt.Errorf("%s does not speak TLS: is it http://, or another port?", c.base)
	}
	return fmt.Errorf("ask %s: %w", c.base, err)
}

// do sends a request and decodes the response.
func (c *Client) do(ctx context.Context, method, path string, body, into any) error {
	in, err := c.send(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := json.NewDecoder(io.LimitReader(in, maxAnswer)).Decode(into); err != nil {
		return fmt.Errorf("%s answered what makes no sense: %w", c.base, err)
	}
	return nil
}

// Question is a query to run.
type Question struct {
	SQL     string        `json:"sql"`
	Dialect query.Dialect `json:"dialect,omitempty"`
	Rows    int64         `json:"rows,omitempty"`
	Whole   bool          `json:"whole,omitempty"`
	Wait    float64       `json:"wait,omitempty"`
}

// The times for which a request waits for the end of a query. Progress is shown between them.
const (
	firstWait = 0.3 // seconds
	nextWait  = 1
)

// Run runs a query and returns it when it has ended. It cancels the query if ctx ends. It calls notify, if not nil,
// with the progress from one goroutine. The error is a *query.Error if the query is wrong.
func (c *Client) Run(ctx context.Context, q Question, notify func(queryservice.Query)) (queryservice.Query, error) {
	var state queryservice.Query
	q.Wait = firstWait
	if err := c.do(ctx, http.MethodPost, "/queries", q, &state); err != nil {
		return state, wrong(err)
	}
	path := "/queries/" + url.PathEscape(state.ID)
	for !state.State.Ended() {
		if notify != nil {
			notify(state)
		}
		if err := c.do(ctx, http.MethodGet, fmt.Sprintf("%s?wait=%d", path, nextWait), nil, &state); err != nil {
			return state, errors.Join(wrong(err), c.cancel(ctx, path))
		}
	}
	switch {
	case state.State == queryservice.Cancelled:
		return state, errors.New("the query was cancelled on the server")
	case state.Error != nil:
		return state, failed(state.Error)
	}
	return state, nil
}

// cancel cancels a query on the server after ctx ended.
func (c *Client) cancel(ctx context.Context, path string) error {
	if ctx.Err() == nil {
		return nil
	}
	late, stop := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer stop()
	in, err := c.send(late, http.MethodDelete, path, nil)
	if err != nil {
		return fmt.Errorf("the query goes on at the server: %w", err)
	}
	return in.Close()
}

// wrong converts a problem with the query's text into a *query.Error.
func wrong(err error) error {
	var p *Problem
	if errors.As(err, &p) && p.Kind != "" {
		return failed(&p.Failure)
	}
	return err
}

func failed(f *queryservice.Failure) error {
	return &query.Error{Kind: f.Kind, Message: f.Message, Hint: f.Hint, Line: f.Line, Column: f.Column, Text: f.Text}
}

// Result returns the result of a query in a format. The caller closes it.
func (c *Client) Result(ctx context.Context, id string, f query.Format) (io.ReadCloser, error) {
	return c.send(ctx, http.MethodGet, "/queries/"+url.PathEscape(id)+"/result?format="+string(f), nil)
}

// Table is a readable table.
type Table = queries.CompletionTable

// Column is a column of a readable table.
type Column = queries.CompletionColumn

// Completion returns the names for completion: tables, columns and functions.
func (c *Client) Completion(ctx context.Context) (names queries.Completion, err error) {
	return names, c.do(ctx, http.MethodGet, "/completion", nil, &names)
}
