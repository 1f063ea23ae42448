package quality

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/check/quality"
	"github.com/pingmill/pingmill/etl/job"
)

type seriesInput struct {
	Table string `path:"table"`
	From  string `query:"from" doc:"first day, YYYYMMDD; default: all that there are"`
	To    string `query:"to" doc:"last day, YYYYMMDD"`
}

type seriesOutput struct{ Body TableSeries }

// TableSeries describes a table by day.
type TableSeries struct {
	Table   string     `json:"table"`
	Doc     string     `json:"doc"`
	Grain   string     `json:"grain" doc:"what a row is"`
	Newest  string     `json:"newest,omitempty" doc:"the last day that is complete"`
	Days    []TableDay `json:"days" doc:"oldest first"`
	SQL     string     `json:"sql" doc:"a query of the numbers of rows"`
	Waiting int        `json:"waiting" doc:"published days that have no profile yet"`
}

func (s *shown) series(ctx context.Context, in *seriesInput) (*seriesOutput, error) {
	v, err := s.find(ctx, in.Table)
	if err != nil {
		return nil, err
	}
	out := &seriesOutput{TableSeries{Table: v.Schema.Name, Doc: v.seen.Doc, Grain: v.seen.Grain}}
	if out.Body.Days, err = s.days(ctx, v, in.From, in.To); err != nil {
		return nil, err
	}
	out.Body.Newest = newest(out.Body.Days)
	published, err := v.Days(ctx)
	if err != nil {
		return nil, err
	}
	have := map[string]bool{}
	for _, d := range out.Body.Days {
		have[d.Day] = true
	}
	for _, d := range published {
		if !have[d] && (in.From == "" || d >= in.From) && (in.To == "" || d <= in.To) {
			out.Body.Waiting++
		}
	}
	m := quality.Metric{Measure: quality.Rows}
	if last := out.Body.Newest; last != "" {
		if days, err := job.DayRange(before(last, 27), last); err == nil {
			out.Body.SQL = m.Query(v.Schema, days...)
		}
	}
	return out, nil
}

type changesInput struct {
	Table string `path:"table"`
	Day   string `query:"day" doc:"YYYYMMDD; default: the last day that is complete"`
}

type changesOutput struct{ Body TableChanges }

// TableChanges lists the findings and checks of a day.
type TableChanges struct {
	Table     string            `json:"table"`
	Day       string            `json:"day"`
	Profile   *TableDay         `json:"profile,omitempty" doc:"absent if the day is not published, or has no profile yet"`
	Yesterday bool              `json:"yesterday" doc:"the day before is known"`
	Weeks     []string          `json:"weeks" doc:"the same weekdays that the day was compared with"`
	Findings  []quality.Finding `json:"findings" doc:"the odd ones first"`
	Checks    []quality.Check   `json:"checks"`
}

func (s *shown) changes(ctx context.Context, in *changesInput) (*changesOutput, error) {
	v, err := s.find(ctx, in.Table)
	if err != nil {
		return nil, err
	}
	if in.Day == "" {
		days, err := s.days(ctx, v, "", "")
		if err != nil {
			return nil, err
		}
		if in.Day = newest(days); in.Day == "" {
			return nil, huma.Error404NotFound("no day has a profile yet")
		}
	}
	if _, err := job.ParseDay(in.Day); err != nil {
		return nil, huma.Error422UnprocessableEntity(err.Error())
	}
	c, err := s.book.Changes(ctx, v.Table, in.Day, v.may)
	if err != nil {
		return nil, err
	}
	out := &changesOutput{TableChanges{
		Table: v.Schema.Name, Day: in.Day, Yesterday: c.Yesterday, Weeks: append([]string{}, c.Weeks...),
		Findings: append([]quality.Finding{}, c.Findings...), Checks: []quality.Check{},
	}}
	if h, err := s.book.Head(ctx, v.Table, in.Day); err == nil {
		day := v.day(&h)
		out.Body.Profile, out.Body.Checks = &day, append(out.Body.Checks, v.checks(&h)...)
	}
	return out, nil
}
