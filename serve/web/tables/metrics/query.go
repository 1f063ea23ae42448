package metrics

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/sql/metric"
)

// MetricAt names a column with values of a metric.
type MetricAt struct {
	Table  string `path:"table"`
	Column string `path:"column" maxLength:"300" doc:"as in the list: metrics.counter.browser_engagement_uri_count"`
}

type oneOutput struct{ Body OneMetric }

// OneMetric is a metric with what can be asked of one of its columns.
type OneMetric struct {
	MetricEntry
	Place     MetricPlace  `json:"place" doc:"the column that was asked for"`
	Shape     metric.Shape `json:"shape" enum:"values,labels,numbers,distributions,rates,events,known"`
	Groupings []string     `json:"groupings" nullable:"false" doc:"what its rows can be grouped by"`
	Clients   bool         `json:"clients" doc:"the rows name their client"`
	Few       int          `json:"few" doc:"groups of fewer clients are marked"`
	From      string       `json:"from" doc:"a first day to ask for, YYYYMMDD"`
	To        string       `json:"to" doc:"the newest published day"`
	SQL       string       `json:"sql,omitempty" doc:"the query of these days; absent if you may not read the column"`
}

// usualDays is the number of days that are shown first.
const usualDays = 7

func (m *metrics) get(ctx context.Context, in *MetricAt) (*oneOutput, error) {
	s := m.sight(ctx)
	e, p, err := s.find(in.Table, in.Column)
	if err != nil {
		return nil, err
	}
	places := s.places(e)
	columns, _ := s.person.Reads(p.Table)
	out := &oneOutput{OneMetric{MetricEntry: s.entry(e), Few: metric.FewClients, Clients: metric.Clients(p.Table, columns)}}
	if err := s.describe(ctx, &out.Body.MetricEntry, e, places); err != nil {
		return nil, err
	}
	for i, place := range places {
		if place == p {
			out.Body.Place = out.Body.Places[i]
		}
	}
	out.Body.Shape, _ = metric.ShapeOf(e)
	out.Body.Groupings = append([]string{}, metric.Groupings(p.Table, columns)...)
	if out.Body.To, err = m.newest(ctx, p.Table); err != nil {
		return nil, err
	}
	to, err := job.ParseDay(out.Body.To)
	if err != nil {
		return nil, err
	}
	out.Body.From = job.FormatDay(to.AddDate(0, 0, 1-usualDays))
	if s.reads(p) {
		q := metric.Question{Entry: e, Place: p, From: out.Body.From, To: out.Body.To, Granted: columns}
		a, err := q.Write()
		if err != nil {
			return nil, err
		}
		out.Body.SQL = a.SQL
	}
	return out, nil
}

type queryInput struct {
	MetricAt
	From  string `query:"from" required:"true" doc:"first day, YYYYMMDD"`
	To    string `query:"to" required:"true" doc:"last day, YYYYMMDD"`
	By    string `query:"by" enum:",channel,version,build,os,country" doc:"what the rows are grouped by; default: nothing"`
	Per   string `query:"per" enum:"ping,client" default:"ping" doc:"what counts once"`
	Extra string `query:"extra" maxLength:"100" doc:"extra key by whose values events are counted"`
}

type queryOutput struct{ Body MetricQuery }

// MetricQuery is a query with the meaning of its columns.
type MetricQuery struct {
	SQL      string   `json:"sql"`
	Keys     []string `json:"keys" nullable:"false" doc:"columns that name the group, after day"`
	Measures []string `json:"measures" nullable:"false" doc:"columns that can be drawn, the usual one first"`
}

// maxQueryDays is the largest number of days of a query. Guards limit what is read beyond that.
const maxQueryDays = 366

func (m *metrics) query(ctx context.Context, in *queryInput) (*queryOutput, error) {
	s := m.sight(ctx)
	e, p, err := s.find(in.Table, in.Column)
	if err != nil {
		return nil, err
	}
	if !s.reads(p) {
		return nil, huma.Error403Forbidden("you may not read this column")
	}
	days, err := job.DayRange(in.From, in.To)
	if err != nil {
		return nil, huma.Error422UnprocessableEntity(err.Error())
	}
	if len(days) > maxQueryDays {
		return nil, huma.Error422UnprocessableEntity("at most 366 days can be shown at once")
	}
	columns, _ := s.person.Reads(p.Table)
	q := metric.Question{Entry: e, Place: p, From: in.From, To: in.To, By: in.By, Clients: in.Per == "client", Extra: in.Extra,
		Granted: columns}
	a, err := q.Write()
	if err != nil {
		return nil, huma.Error422UnprocessableEntity(err.Error())
	}
	return &queryOutput{MetricQuery{SQL: a.SQL, Keys: append([]string{}, a.Keys...), Measures: a.Measures}}, nil
}
