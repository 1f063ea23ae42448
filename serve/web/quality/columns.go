package quality

import (
	"context"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/check/quality"
	"github.com/pingmill/pingmill/etl/job"
)

type columnsInput struct {
	Table string `path:"table"`
	Day   string `query:"day" doc:"the last day, YYYYMMDD; default: the last that is complete"`
	Days  int    `query:"days" minimum:"1" maximum:"92" default:"28"`
}

type columnsOutput struct{ Body ColumnsInDays }

// ColumnsInDays lists the columns of a table.
type ColumnsInDays struct {
	Table string         `json:"table"`
	Days  []string       `json:"days" doc:"oldest first"`
	Items []ColumnInDays `json:"items" doc:"in the order of the table"`
}

// ColumnInDays is a column with its nulls by day.
type ColumnInDays struct {
	Name     string       `json:"name"`
	Kind     quality.Kind `json:"kind"`
	Nulls    []*float64   `json:"nulls" doc:"share of rows by day; null where the day has no profile or not that column"`
	Distinct int64        `json:"distinct,omitempty" doc:"of the last day"`
	Top      string       `json:"top,omitempty" doc:"the most frequent value of the last day"`
	TopShare float64      `json:"topShare,omitempty"`
	Median   *float64     `json:"median,omitempty" doc:"of the last day"`
	Score    int          `json:"score" doc:"that of its oddest finding of the last day, 0 without one"`
}

// profiles returns the profiles of n days up to last, oldest first; nil if a day has none.
func (s *shown) profiles(ctx context.Context, v *view, last string, n int) (days []string, all []*quality.Profile, err error) {
	if last == "" {
		have, err := s.days(ctx, v, "", "")
		if err != nil {
			return nil, nil, err
		}
		if last = newest(have); last == "" {
			return nil, nil, huma.Error404NotFound("no day has a profile yet")
		}
	}
	if days, err = job.DayRange(before(last, n-1), last); err != nil {
		return nil, nil, huma.Error422UnprocessableEntity(err.Error())
	}
	for _, d := range days {
		p, err := s.book.Profile(ctx, v.Table, d)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, p)
	}
	return days, all, nil
}

func (s *shown) columns(ctx context.Context, in *columnsInput) (*columnsOutput, error) {
	v, err := s.find(ctx, in.Table)
	if err != nil {
		return nil, err
	}
	days, all, err := s.profiles(ctx, v, in.Day, in.Days)
	if err != nil {
		return nil, err
	}
	var out columnsOutput
	out.Body.Table, out.Body.Days, out.Body.Items = v.Schema.Name, days, []ColumnInDays{}
	last := all[len(all)-1]
	if last == nil {
		return &out, nil
	}
	changes, err := s.book.Changes(ctx, v.Table, last.Day, v.may)
	if err != nil {
		return nil, err
	}
	scores := scoresOf(changes)
	at := map[string]int{}
	for i := range last.Columns {
		c := &last.Columns[i]
		if !v.may(c.TableColumn()) {
			continue
		}
		item := ColumnInDays{Name: c.Name, Kind: c.Kind, Nulls: make([]*float64, len(days)), Distinct: c.Distinct, Score: scores[c.Name]}
		if len(c.Top) > 0 && last.Read > 0 {
			item.Top, item.TopShare = c.Top[0].Value, float64(c.Top[0].Rows)/float64(last.Read)
		}
		if c.Numbers != nil {
			item.Median = &c.Numbers.Quantiles[len(quality.Shares)/2]
		}
		at[c.Name] = len(out.Body.Items)
		out.Body.Items = append(out.Body.Items, item)
	}
	for day, p := range all {
		if p == nil || p.Read == 0 {
			continue
		}
		for i := range p.Columns {
			if k, known := at[p.Columns[i].Name]; known {
				share := float64(p.Columns[i].Nulls) / float64(p.Read)
				out.Body.Items[k].Nulls[day] = &share
			}
		}
	}
	return &out, nil
}

// scoresOf returns the highest score of each column.
func scoresOf(c *quality.Changes) map[string]int {
	scores := map[string]int{}
	for _, f := range c.Findings {
		scores[f.Column] = max(scores[f.Column], f.Score)
		for _, m := range f.Like {
			scores[m.Column] = max(scores[m.Column], f.Score)
		}
	}
	return scores
}

type columnInput struct {
	Table  string `path:"table"`
	Column string `path:"column" doc:"a column, or a member of one: environment.settings.locale"`
	Day    string `query:"day" doc:"the last day, YYYYMMDD; default: the last that is complete"`
	Days   int    `query:"days" minimum:"1" maximum:"92" default:"28"`
}

type columnOutput struct{ Body ColumnSeries }

// ColumnSeries describes a column by day.
type ColumnSeries struct {
	Table  string        `json:"table"`
	Name   string        `json:"name"`
	Type   string        `json:"type" doc:"of the column that it is or is a member of"`
	Doc    string        `json:"doc"`
	Kind   quality.Kind  `json:"kind"`
	Days   []ColumnDay   `json:"days" doc:"oldest first, those that have a profile with the column"`
	Values []ValueInDays `json:"values" doc:"the most frequent ones of these days"`
	SQL    string        `json:"sql" doc:"a query of its values, or its numbers, on these days"`
}

// ColumnDay describes a column on a day.
type ColumnDay struct {
	Day      string                `json:"day"`
	Read     int64                 `json:"read" doc:"rows that the numbers are of"`
	Nulls    int64                 `json:"nulls"`
	Empty    int64                 `json:"empty"`
	Distinct int64                 `json:"distinct"`
	Repeated int64                 `json:"repeated"`
	Other    int64                 `json:"other" doc:"rows with values that are not listed"`
	Numbers  *quality.Distribution `json:"numbers,omitempty"`
}

// ValueInDays is a value with its rows by day.
type ValueInDays struct {
	Value string  `json:"value"`
	Rows  []int64 `json:"rows" doc:"as many as days; 0 where it is not listed: there may be a few"`
	New   string  `json:"new,omitempty" doc:"the first of these days that has it, if days before do not"`
}

// maxLines is the maximum number of values listed.
const maxLines = 20

func (s *shown) column(ctx context.Context, in *columnInput) (*columnOutput, error) {
	v, err := s.find(ctx, in.Table)
	if err != nil {
		return nil, err
	}
	m := quality.Metric{Measure: quality.Known, Column: in.Column}
	i := v.Schema.Index(m.TableColumn())
	if i < 0 || !v.may(m.TableColumn()) {
		return nil, huma.Error404NotFound("there is no such column")
	}
	days, all, err := s.profiles(ctx, v, in.Day, in.Days)
	if err != nil {
		return nil, err
	}
	out := &columnOutput{ColumnSeries{
		Table: v.Schema.Name, Name: in.Column, Type: v.Schema.Columns[i].Type.String(), Doc: v.seen.Columns[v.seen.Index(m.TableColumn())].Doc,
		Days: []ColumnDay{}, Values: []ValueInDays{},
	}}
	var found []*quality.Column
	for k, p := range all {
		if p == nil {
			continue
		}
		at := slices.IndexFunc(p.Columns, func(c quality.Column) bool { return c.Name == in.Column })
		if at < 0 {
			continue
		}
		c := &p.Columns[at]
		found = append(found, c)
		out.Body.Kind = c.Kind
		out.Body.Days = append(out.Body.Days, ColumnDay{days[k], p.Read, c.Nulls, c.Empty, c.Distinct, c.Repeated, c.Other, c.Numbers})
	}
	if len(found) == 0 {
		return nil, huma.Error404NotFound("no day has numbers of that column")
	}
	out.Body.values(found)
	m.Measure = out.Body.shows()
	out.Body.SQL = m.Query(v.Schema, days...)
	return out, nil
}

// shows returns the measure that a query of the column computes.
func (c *ColumnSeries) shows() quality.Measure {
	switch {
	case len(c.Values) > 0:
		return quality.Having
	case c.Kind == quality.Numbers || c.Kind == quality.Lists:
		return quality.Typical
	case c.Kind == quality.Documents:
		return quality.Repeated
	}
	return quality.Known
}

// values lists the values with most rows in all days.
func (c *ColumnSeries) values(days []*quality.Column) {
	rows := map[string][]int64{}
	sum := map[string]int64{}
	for i, d := range days {
		for _, v := range d.Top {
			if rows[v.Value] == nil {
				rows[v.Value] = make([]int64, len(days))
			}
			rows[v.Value][i] = v.Rows
			sum[v.Value] += v.Rows
		}
	}
	for v, n := range rows {
		line := ValueInDays{Value: v, Rows: n}
		if first := slices.IndexFunc(n, func(n int64) bool { return n > 0 }); first > 0 {
			line.New = c.Days[first].Day
		}
		c.Values = append(c.Values, line)
	}
	slices.SortFunc(c.Values, func(a, b ValueInDays) int {
		if sum[a.Value] != sum[b.Value] {
			return int(sum[b.Value] - sum[a.Value])
		}
		if a.Value < b.Value {
			return -1
		}
		return 1
	})
	c.Values = c.Values[:min(maxLines, len(c.Values))]
}
