// Package queries serves the query service over HTTP: submitting, waiting, cancelling, results by pages or as files,
// and completion.
package queries

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/web/api"
	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/query/pretty"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/sql/saved"
)

// Config holds the dependencies of the operations.
type Config struct {
	QueryService *queryservice.Service
	Tables       []*schema.Table
	// Saved returns a saved query that the person may see, or an error that is a problem.
	Saved func(ctx context.Context, p *access.Person, id string) (*saved.Query, error)
}

// maxReads is the maximum number of results and lists of queries that a person reads at once: each may take some times
// maxPage of memory for as long as its client reads.
const maxReads = 10

// Routes adds the operations.
func (c Config) Routes(a huma.API) {
	large := (&api.AtOnce{Max: maxReads}).Limited(a)
	api.Do(a, "POST /queries", "Ask a query", api.Member, c.submit, api.Created,
		errorsOf(http.StatusUnprocessableEntity, http.StatusTooManyRequests))
	api.Do(a, "GET /queries", "Your queries, or all runs of a saved one that you may see, newest first", api.Member, c.list, large)
	api.Do(a, "POST /queries/plan", "What a query would read, and its columns, without running it", api.Member, c.plan,
		errorsOf(http.StatusUnprocessableEntity, http.StatusTooManyRequests))
	api.Do(a, "POST /queries/format", "A query laid out for people", api.Member, format)
	api.Do(a, "GET /queries/{id}", "A query, at once or when it has ended", api.Member, c.get, errorsOf(http.StatusNotFound))
	api.Do(a, "DELETE /queries/{id}", "Cancel a query of yours", api.Member, c.cancel, errorsOf(http.StatusNotFound))
	api.Do(a, "GET /queries/{id}/rows", "A page of a result", api.Member, c.rows,
		errorsOf(http.StatusNotFound, http.StatusConflict, http.StatusGone), large)
	api.Do(a, "GET /queries/{id}/result", "A result as a file", api.Member, c.download,
		errorsOf(http.StatusNotFound, http.StatusConflict, http.StatusGone), asFile, large)
	api.Do(a, "GET /completion", "Tables, functions and words that an editor may offer", api.Member, c.completion)
}

func errorsOf(statuses ...int) func(*huma.Operation) {
	return func(op *huma.Operation) { op.Errors = append(op.Errors, statuses...) }
}

// Asked is a query in a request.
type Asked struct {
	SQL        string         `json:"sql" minLength:"1" maxLength:"1000000"`
	Dialect    query.Dialect  `json:"dialect,omitempty" enum:"presto,duckdb" default:"presto"`
	Parameters map[string]any `json:"parameters,omitempty" doc:"values of {{name}}: texts, numbers, lists of them, {from, to}"`
	Saved      string         `json:"saved,omitempty" maxLength:"100" doc:"id of the saved query that it is, or has the parameters of"`
}

// question converts the body of a request. Only the unchanged text of a saved query counts as one of its runs, which
// everybody who sees the query may see. The types of its parameters also apply to a changed text.
func (c Config) question(ctx context.Context, a *Asked) (queryservice.Request, error) {
	q := queryservice.Request{SQL: a.SQL, Dialect: a.Dialect, Parameters: a.Parameters, Saved: a.Saved}
	if a.Saved == "" || c.Saved == nil {
		return q, nil
	}
	s, err := c.Saved(ctx, access.From(ctx), a.Saved)
	if err != nil {
		return q, err
	}
	if q.Declared = s.Parameters; a.Dialect != s.Dialect || !has(s.Dialect, s.SQL, a.SQL) {
		q.Saved = ""
	}
	return q, nil
}

// has reports whether a text is another one or a statement of it.
func has(d query.Dialect, text, sql string) bool {
	sql = strings.TrimSpace(sql)
	return sql == strings.TrimSpace(text) || slices.ContainsFunc(lexer.All(d, text), func(s lexer.Statement) bool {
		return strings.TrimSpace(s.SQL) == strings.TrimSpace(strings.TrimSuffix(sql, ";"))
	})
}

type submitted struct {
	Key  string `header:"Idempotency-Key" maxLength:"200" doc:"a second request with the same key gets the query of the first"`
	Body struct {
		Asked
		Rows  int64   `json:"rows,omitempty" minimum:"0" doc:"rows of the result, at most; 0: as many as a page needs"`
		Whole bool    `json:"whole,omitempty" doc:"all rows, as far as the server has room"`
		Wait  float64 `json:"wait,omitempty" minimum:"0" maximum:"60" doc:"seconds to wait for the end"`
		First bool    `json:"first,omitempty" doc:"wait also no longer than until the first rows can be read"`
	}
}

type one struct {
	Location string `header:"Location"`
	Body     queryservice.Query
}

func (c Config) submit(ctx context.Context, in *submitted) (*one, error) {
	p := access.From(ctx)
	q, err := c.question(ctx, &in.Body.Asked)
	if err != nil {
		return nil, err
	}
	q.Rows, q.Whole, q.Key = in.Body.Rows, in.Body.Whole, in.Key
	accepted, err := c.QueryService.Submit(ctx, p, q)
	if err != nil {
		return nil, problem(err)
	}
	if wait := seconds(in.Body.Wait); wait > 0 {
		if accepted, err = c.wait(ctx, p, accepted.ID, wait, in.Body.First); err != nil {
			return nil, problem(err)
		}
	}
	return &one{Location: api.Prefix + "/queries/" + accepted.ID, Body: accepted}, nil
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

// Listed is a page of queries.
type Listed struct {
	Items []queryservice.Query `json:"items" nullable:"false"`
	Next  string               `json:"next,omitempty" doc:"cursor of the next page"`
}

type listing struct {
	Limit  int                `query:"limit" minimum:"1" maximum:"200" default:"50"`
	Cursor int64              `query:"cursor" minimum:"0"`
	Text   string             `query:"text" maxLength:"1000" doc:"in the SQL"`
	State  queryservice.State `query:"state" enum:"queued,running,done,failed,cancelled"`
	Saved  string             `query:"saved" maxLength:"100" doc:"id of a saved query: then those of others, too"`
}

func (c Config) list(ctx context.Context, in *listing) (*struct{ Body Listed }, error) {
	items, next, err := c.QueryService.List(ctx, access.From(ctx),
		queryservice.Filter{Text: in.Text, State: in.State, Saved: in.Saved, Before: in.Cursor, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	out := &struct{ Body Listed }{Listed{Items: items}}
	if next > 0 {
		out.Body.Next = strconv.FormatInt(next, 10)
	}
	return out, nil
}

type waiting struct {
	ID    string  `path:"id" maxLength:"100"`
	Wait  float64 `query:"wait" minimum:"0" maximum:"60" doc:"seconds to wait for the end"`
	First bool    `query:"first" doc:"wait also no longer than until the first rows can be read"`
}

// wait waits for the end of a query or, if first is true, for its first rows.
func (c Config) wait(ctx context.Context, p *access.Person, id string, most time.Duration, first bool) (queryservice.Query, error) {
	if first {
		return queryservice.WaitFirst(ctx, c.QueryService, p, id, most)
	}
	return c.QueryService.Wait(ctx, p, id, most)
}

func (c Config) get(ctx context.Context, in *waiting) (*struct{ Body queryservice.Query }, error) {
	q, err := c.wait(ctx, access.From(ctx), in.ID, seconds(in.Wait), in.First)
	if err != nil {
		return nil, problem(err)
	}
	return &struct{ Body queryservice.Query }{q}, nil
}

type named struct {
	ID string `path:"id" maxLength:"100"`
}

func (c Config) cancel(ctx context.Context, in *named) (*struct{}, error) {
	return nil, problem(c.QueryService.Cancel(ctx, access.From(ctx), in.ID))
}

func (c Config) plan(ctx context.Context, in *struct{ Body Asked }) (*struct{ Body queryservice.Plan }, error) {
	q, err := c.question(ctx, &in.Body)
	if err != nil {
		return nil, err
	}
	plan, err := c.QueryService.Plan(ctx, access.From(ctx), q)
	if err != nil {
		return nil, problem(err)
	}
	return &struct{ Body queryservice.Plan }{plan}, nil
}

// Formatted is a formatted query.
type Formatted struct {
	SQL string `json:"sql"`
}

type formatting struct {
	Body struct {
		SQL     string        `json:"sql" maxLength:"1000000"`
		Dialect query.Dialect `json:"dialect,omitempty" enum:"presto,duckdb" default:"presto"`
	}
}

func format(_ context.Context, in *formatting) (*struct{ Body Formatted }, error) {
	return &struct{ Body Formatted }{Formatted{pretty.SQL(in.Body.SQL)}}, nil
}

// SQLProblem is a problem with the text of a query.
type SQLProblem struct {
	huma.ErrorModel
	queryservice.Failure
}

func (p *SQLProblem) Error() string { return p.ErrorModel.Detail }

// retryAfter is the time in seconds after which a client may retry when the queue is full.
const retryAfter = "5"

// problem converts an error of the query service for its caller.
func problem(err error) error {
	var failed *queryservice.Failure
	switch {
	case errors.As(err, &failed):
		return &SQLProblem{huma.ErrorModel{Status: http.StatusUnprocessableEntity, Title: failed.Kind, Detail: failed.Message}, *failed}
	case errors.Is(err, queryservice.ErrNotFound):
		return huma.Error404NotFound(err.Error())
	case errors.Is(err, queryservice.ErrFull):
		return huma.ErrorWithHeaders(huma.Error429TooManyRequests(err.Error()), http.Header{"Retry-After": {retryAfter}})
	case errors.Is(err, queryservice.ErrNoResult):
		return huma.Error409Conflict(err.Error())
	case errors.Is(err, queryservice.ErrElsewhere):
		return huma.Error410Gone(queryservice.ErrElsewhere.Error())
	case errors.Is(err, queryservice.ErrResultRemoved):
		return huma.Error410Gone(queryservice.ErrResultRemoved.Error())
	case errors.Is(err, queryservice.ErrDamaged):
		return huma.Error410Gone(queryservice.ErrDamaged.Error())
	}
	return err
}
