package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/pingmill/pingmill/lake/iceberg/format"
)

// requestTime limits the time of a request to a catalog.
const requestTime = 30 * time.Second

// restCatalog speaks the protocol of REST catalogs.
type restCatalog struct {
	config Config
	client *http.Client
	sent   atomic.Int64

	mu     sync.Mutex
	prefix string // of paths, once the catalog was asked
}

func openREST(ctx context.Context, c Config) (Catalog, error) {
	r := &restCatalog{config: c, client: &http.Client{Timeout: requestTime}}
	base := context.WithValue(context.WithoutCancel(ctx), oauth2.HTTPClient, r.client)
	switch {
	case c.Token != "":
		r.client = oauth2.NewClient(base, oauth2.StaticTokenSource(&oauth2.Token{AccessToken: c.Token}))
	case c.Credential != "":
		id, secret, ok := strings.Cut(c.Credential, ":")
		if !ok {
			return nil, errors.New("iceberg.credential is not ID:SECRET")
		}
		o := clientcredentials.Config{
			ClientID: id, ClientSecret: secret, TokenURL: strings.TrimSuffix(c.URI, "/") + "/v1/oauth/tokens",
			Scopes: []string{"catalog"}, AuthStyle: oauth2.AuthStyleInParams,
		}
		r.client = o.Client(base)
	}
	r.client.Timeout = requestTime
	return r, nil
}

func (r *restCatalog) Requests() int64 { return r.sent.Load() }

func (r *restCatalog) Close() error {
	r.client.CloseIdleConnections()
	return nil
}

// restError is the error response of a catalog.
type restError struct {
	Status  int
	Message string
	Type    string
}

func (e *restError) Error() string {
	s := fmt.Sprintf("the catalog answers %d %s", e.Status, http.StatusText(e.Status))
	if e.Message != "" {
		s += ": " + short(e.Message)
	}
	return s
}

// short returns the first line of a text, not too long.
func short(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	const most = 300
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// do asks the catalog; out, if not nil, gets the answer.
func (r *restCatalog) do(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader = http.NoBody
	if in != nil {
		b, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(r.config.URI, "/")+path, body)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "pingmill/"+r.config.Program)
	r.sent.Add(1)
	answer, err := r.client.Do(req)
	if err != nil {
		if method == http.MethodPost {
			return fmt.Errorf("%w: %w", ErrUncertain, err)
		}
		return err
	}
	defer answer.Body.Close()
	return read(answer, method, out)
}

// read reads an answer.
func read(answer *http.Response, method string, out any) error {
	b, err := io.ReadAll(io.LimitReader(answer.Body, format.MaxMetadata+1))
	if err == nil && len(b) > format.MaxMetadata {
		err = fmt.Errorf("the catalog answers more than %d bytes", format.MaxMetadata)
	}
	if answer.StatusCode >= http.StatusMultipleChoices {
		return refusal(answer.StatusCode, method, b)
	}
	if err == nil && out != nil {
		err = json.Unmarshal(b, out)
	}
	if err != nil && method == http.MethodPost {
		return fmt.Errorf("%w: %w", ErrUncertain, err) // it was made, most likely
	}
	return err
}

// refusal is the error of an answer.
func refusal(status int, method string, b []byte) error {
	var body struct {
		Error struct {
			Message string `json:"message"`
			Type    string `json:"type"`
		} `json:"error"`
	}
	_ = json.Unmarshal(b, &body) // what answers may be a proxy
	e := &restError{status, body.Error.Message, body.Error.Type}
	if status >= http.StatusInternalServerError && status != http.StatusServiceUnavailable && status != http.StatusNotImplemented &&
		method == http.MethodPost {
		return fmt.Errorf("%w: %w", ErrUncertain, e)
	}
	return e
}

func hasStatus(err error, status int) bool {
	var e *restError
	return errors.As(err, &e) && e.Status == status
}

// base returns the beginning of the paths of the catalog's tables, which it may say itself.
func (r *restCatalog) base(ctx context.Context) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.prefix != "" {
		return r.prefix, nil
	}
	var c struct {
		Defaults  map[string]string `json:"defaults"`
		Overrides map[string]string `json:"overrides"`
	}
	path := "/v1/config"
	if w := r.config.Warehouse; w != "" {
		path += "?warehouse=" + url.QueryEscape(w)
	}
	if err := r.do(ctx, http.MethodGet, path, nil, &c); err != nil {
		return "", fmt.Errorf("ask the catalog for its configuration: %w", err)
	}
	prefix := c.Overrides["prefix"]
	if prefix == "" {
		prefix = c.Defaults["prefix"]
	}
	r.prefix = "/v1"
	if prefix != "" {
		r.prefix += "/" + prefix
	}
	return r.prefix, nil
}

// namespace returns the paths of the namespaces and of the table's namespace.
func (r *restCatalog) namespace(ctx context.Context, n *Name) (all, one string, err error) {
	base, err := r.base(ctx)
	all = base + "/namespaces"
	return all, all + "/" + url.PathEscape(strings.Join(n.levels(), "\x1f")), err
}

// loaded is a table in the protocol.
type loaded struct {
	File     string          `json:"metadata-location"`
	Metadata json.RawMessage `json:"metadata"`
}

func (l *loaded) table() (*Table, error) {
	if len(l.Metadata) == 0 {
		return nil, fmt.Errorf("%w: the catalog's answer has none", format.ErrMetadata)
	}
	m, err := format.Parse(l.Metadata)
	return &Table{m, l.File}, err
}

// Load implements Catalog.
func (r *restCatalog) Load(ctx context.Context, n *Name) (*Table, error) {
	_, namespace, err := r.namespace(ctx, n)
	if err != nil {
		return nil, err
	}
	var l loaded
	err = r.do(ctx, http.MethodGet, namespace+"/tables/"+url.PathEscape(n.Table), nil, &l)
	if hasStatus(err, http.StatusNotFound) {
		err = fmt.Errorf("%w: %w", ErrNoTable, err)
	}
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", n, err)
	}
	t, err := l.table()
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", n, err)
	}
	return t, nil
}

// Create implements Catalog.
func (r *restCatalog) Create(ctx context.Context, n *Name, c *New, _ int64) (*Table, error) {
	t, err := r.create(ctx, n, c)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", n, err)
	}
	return t, nil
}

func (r *restCatalog) create(ctx context.Context, n *Name, c *New) (*Table, error) {
	all, namespace, err := r.namespace(ctx, n)
	if err != nil {
		return nil, err
	}
	if err := r.ensure(ctx, n, all); err != nil {
		return nil, err
	}
	spec, err := format.DaySpec(c.Schema, c.Day)
	if err != nil {
		return nil, err
	}
	in := map[string]any{
		"name": n.Table, "location": c.Location, "schema": c.Schema, "partition-spec": spec,
		"stage-create": false, "properties": c.Properties,
	}
	var l loaded
	err = r.do(ctx, http.MethodPost, namespace+"/tables", in, &l)
	if hasStatus(err, http.StatusConflict) {
		return nil, fmt.Errorf("%w: %w", ErrConflict, err)
	}
	if err != nil {
		return nil, err
	}
	return l.table()
}

// ensure makes the namespace if it is missing.
func (r *restCatalog) ensure(ctx context.Context, n *Name, all string) error {
	for i := range n.levels() {
		in := map[string]any{"namespace": n.levels()[:i+1], "properties": map[string]string{}}
		if err := r.do(ctx, http.MethodPost, all, in, nil); err != nil && !hasStatus(err, http.StatusConflict) {
			return fmt.Errorf("make its namespace: %w", err)
		}
	}
	return nil
}

// Commit implements Catalog.
func (r *restCatalog) Commit(ctx context.Context, n *Name, base *Table, updates []format.Update, _ int64) (*Table, error) {
	_, namespace, err := r.namespace(ctx, n)
	if err != nil {
		return nil, err
	}
	in := map[string]any{
		"identifier":   map[string]any{"namespace": n.levels(), "name": n.Table},
		"requirements": base.Requirements(), "updates": updates,
	}
	var l loaded
	err = r.do(ctx, http.MethodPost, namespace+"/tables/"+url.PathEscape(n.Table), in, &l)
	if hasStatus(err, http.StatusConflict) {
		err = fmt.Errorf("%w: %w", ErrConflict, err)
	}
	var t *Table
	if err == nil {
		t, err = l.table()
	}
	if err != nil {
		return nil, fmt.Errorf("commit %s: %w", n, err)
	}
	return t, nil
}
