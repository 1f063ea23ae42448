package quality

import (
	"context"
	"time"

	"github.com/pingmill/pingmill/check/quality"
	"github.com/pingmill/pingmill/etl/job"
)

// TableOverview is a table in the list.
type TableOverview struct {
	Table    string            `json:"table"`
	Doc      string            `json:"doc"`
	Newest   string            `json:"newest,omitempty" doc:"the last day that is complete; absent before there is one"`
	Day      string            `json:"day,omitempty" doc:"the day that the findings are about: one that is due and not published, or the newest"`
	Days     []TableDay        `json:"days" doc:"the last weeks, oldest first"`
	Counts   FindingCounts     `json:"counts"`
	Findings []quality.Finding `json:"findings" doc:"the first of them"`
}

// FindingCounts counts findings by severity.
type FindingCounts struct {
	Grave  int `json:"grave" doc:"with a score of 60 or more"`
	Medium int `json:"medium" doc:"of 30 or more"`
	Small  int `json:"small"`
}

// The minimum scores of grave and medium findings.
const (
	grave  = 60
	medium = 30
)

type overviewInput struct {
	Days int `query:"days" minimum:"7" maximum:"366" default:"42" doc:"how many days to list"`
}

type overviewOutput struct{ Body TableOverviews }

// TableOverviews lists all tables.
type TableOverviews struct {
	Items []TableOverview `json:"items"`
}

func (s *shown) overview(ctx context.Context, in *overviewInput) (*overviewOutput, error) {
	var out overviewOutput
	out.Body.Items = []TableOverview{}
	last := ""
	views := s.tables(ctx)
	for _, v := range views {
		o := TableOverview{Table: v.Schema.Name, Doc: v.seen.Doc, Findings: []quality.Finding{}}
		days, err := s.days(ctx, v, "", "")
		if err != nil {
			return nil, err
		}
		if o.Newest = newest(days); len(days) > 0 {
			from := before(days[len(days)-1].Day, in.Days-1)
			for len(days) > 0 && days[0].Day < from {
				days = days[1:]
			}
		}
		o.Days = days
		last = max(last, o.Newest)
		out.Body.Items = append(out.Body.Items, o)
	}
	for i := range out.Body.Items {
		o := &out.Body.Items[i]
		if o.Newest == "" {
			continue
		}
		if o.Day = o.Newest; last > o.Newest && s.due(last) {
			o.Day = last
		}
		c, err := s.book.Changes(ctx, views[i].Table, o.Day, views[i].may)
		if err != nil {
			return nil, err
		}
		for _, f := range c.Findings {
			o.Counts.add(f.Score)
		}
		o.Findings = append(o.Findings, c.Findings[:min(3, len(c.Findings))]...)
	}
	return &out, nil
}

func (c *FindingCounts) add(score int) {
	switch {
	case score >= grave:
		c.Grave++
	case score >= medium:
		c.Medium++
	default:
		c.Small++
	}
}

// patience is the time after the end of a day in which its tables need not be published.
const patience = 6 * time.Hour

// due reports whether all tables of a day should be published.
func (s *shown) due(day string) bool {
	at, err := job.ParseDay(day)
	return err == nil && s.Now().After(at.AddDate(0, 0, 1).Add(patience))
}
