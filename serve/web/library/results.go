package library

import (
	"context"
	"errors"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/dashboard"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/sql/saved"
)

// refreshAge is the age in which a result is fresh enough for somebody who asks for new ones.
const refreshAge = 10 * time.Second

// WidgetState is the state of a widget's result.
type WidgetState string

const (
	widgetDone    WidgetState = "done"
	widgetRunning WidgetState = "running"
	widgetWaiting WidgetState = "waiting"
	widgetFailed  WidgetState = "failed"
	widgetRefused WidgetState = "refused"
)

// WidgetResult is the state of a widget, or of the values that a parameter offers.
type WidgetResult struct {
	Widget    string                      `json:"widget,omitempty" doc:"id of the widget"`
	Parameter string                      `json:"parameter,omitempty" doc:"name of the parameter whose values these are, instead of a widget"`
	State     WidgetState                 `json:"state" enum:"done,running,waiting,failed,refused"`
	Query     string                      `json:"query,omitempty" doc:"id of the newest run; empty while the queue is full: ask again"`
	Result    string                      `json:"result,omitempty" doc:"id of the query whose rows can be read: while a run lasts, the result before"`
	Finished  time.Time                   `json:"finished,omitzero" doc:"when that result was made"`
	Columns   []queryservice.ResultColumn `json:"columns,omitempty" nullable:"false" doc:"of that result"`
	Rows      int64                       `json:"rows,omitempty" doc:"of that result"`
	Cut       string                      `json:"cut,omitempty" enum:"rows,bytes" doc:"what ended that result before its end"`
	Notes     []string                    `json:"notes,omitempty" nullable:"false"`
	Values    map[string]any              `json:"values,omitempty" doc:"of the query's parameters in the newest run, days as 20180301"`
	Position  int                         `json:"position,omitempty" doc:"in the queue"`
	Progress  *queryservice.Progress      `json:"progress,omitempty"`
	Error     *queryservice.Failure       `json:"error,omitempty"`
}

type resultsIn struct {
	ID   string `path:"id" maxLength:"100"`
	Body struct {
		Parameters map[string]any `json:"parameters,omitempty" doc:"values of the dashboard's parameters; others have their defaults"`
		Refresh    bool           `json:"refresh,omitempty" doc:"run what is older than ten seconds"`
		MaxAge     *int           `json:"maxAge,omitempty" minimum:"0" doc:"run what is older than these seconds; without it and refresh: what has no result"`
	}
}

// age returns the age up to which results are taken.
func (in *resultsIn) age() time.Duration {
	switch {
	case in.Body.Refresh:
		return refreshAge
	case in.Body.MaxAge != nil:
		return max(refreshAge, time.Duration(min(*in.Body.MaxAge, 1<<31))*time.Second)
	}
	return queryservice.AnyAge
}

// DashboardResults are the states of all widgets of a dashboard.
type DashboardResults struct {
	Parameters map[string]any `json:"parameters" doc:"values of the dashboard's parameters, days as they were given"`
	Items      []WidgetResult `json:"items" nullable:"false" doc:"of all widgets but texts, and of parameters with options"`
}

// results returns the state of each widget. It starts the queries that are due, each once for everybody with the same rights.
func (c dashboards) results(ctx context.Context, in *resultsIn) (*struct{ Body DashboardResults }, error) {
	p := access.From(ctx)
	d, err := c.Dashboards.Get(ctx, p, in.ID)
	if err != nil {
		return nil, problem(err)
	}
	values, err := d.Values(in.Body.Parameters)
	if err != nil {
		return nil, problem(err)
	}
	o := &struct{ Body DashboardResults }{DashboardResults{Parameters: values, Items: []WidgetResult{}}}
	for _, w := range d.Widgets {
		if w.Kind == dashboard.Text {
			continue
		}
		r, err := c.result(ctx, p, w.Query, func(q *saved.Query) map[string]any { return d.QueryValues(&w, q.Parameters, values) }, in.age())
		if err != nil {
			return nil, err
		}
		r.Widget = w.ID
		o.Body.Items = append(o.Body.Items, r)
	}
	for _, parameter := range d.Parameters {
		if parameter.Options == "" {
			continue
		}
		r, err := c.result(ctx, p, parameter.Options, func(*saved.Query) map[string]any { return nil }, in.age())
		if err != nil {
			return nil, err
		}
		r.Parameter = parameter.Name
		o.Body.Items = append(o.Body.Items, r)
	}
	return o, nil
}

// result returns the state of a saved query with values. A query that the person may not see, or that does not exist, is
// refused.
func (c dashboards) result(ctx context.Context, p *access.Person, id string, values func(*saved.Query) map[string]any, age time.Duration) (
	r WidgetResult, err error) {
	q, err := c.Store.Get(ctx, p, id)
	if errors.Is(err, saved.ErrNotFound) {
		return WidgetResult{State: widgetRefused}, nil
	}
	if err != nil {
		return r, err
	}
	request := queryservice.Request{SQL: q.SQL, Dialect: q.Dialect, Declared: q.Parameters, Parameters: values(q), Saved: q.ID}
	s, err := c.Share(ctx, p, request, age)
	var failed *queryservice.Failure
	if errors.As(err, &failed) {
		return WidgetResult{State: widgetFailed, Error: failed}, nil
	}
	if err != nil {
		return r, err
	}
	return described(&s), nil
}

// states are the states of widgets by those of their runs.
var states = map[queryservice.State]WidgetState{
	queryservice.Queued: widgetWaiting, queryservice.Running: widgetRunning, queryservice.Done: widgetDone,
	queryservice.Failed: widgetFailed, queryservice.Cancelled: widgetFailed,
}

func described(s *queryservice.Shared) WidgetResult {
	run := &s.Run
	r := WidgetResult{State: states[run.State], Query: run.ID, Values: run.Parameters, Position: run.Position, Progress: run.Progress,
		Error: run.Error}
	if run.State == queryservice.Cancelled {
		r.Error = &queryservice.Failure{Kind: "Cancelled", Message: "the query was cancelled"}
	}
	if from := s.Result; from != nil {
		r.Result, r.Finished, r.Columns, r.Rows, r.Cut, r.Notes = from.ID, from.Ended, from.Columns, from.Rows, from.Cut, from.Notes
	}
	return r
}
