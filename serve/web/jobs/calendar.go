package jobs

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/status"
)

// CalendarDay is the state of a table on a day. Rows and bytes are 0 if the person may not read the table.
type CalendarDay struct {
	Table    string   `json:"table"`
	Day      string   `json:"day"`
	State    string   `json:"state"`
	Wrong    bool     `json:"wrong" doc:"somebody should mend it"`
	Reasons  []string `json:"reasons,omitempty"`
	Rows     int64    `json:"rows"`
	Bytes    int64    `json:"bytes"`
	Complete bool     `json:"complete" doc:"everything of the day has been decoded"`
	Run      int64    `json:"run,omitempty" doc:"the last that tried to make it"`
	Skipped  []string `json:"skippedChecks,omitempty"`
}

type calendarInput struct {
	From string `query:"from" pattern:"^([0-9]{8})?$" doc:"default: four weeks before to"`
	To   string `query:"to" pattern:"^([0-9]{8})?$" doc:"default: today, or the last day of which there is data"`
}

// EdgeLag is the decoding lag of an edge.
type EdgeLag struct {
	Edge      string    `json:"edge"`
	Watermark time.Time `json:"watermark"`
	Lag       int64     `json:"lag" doc:"seconds"`
}

type calendarOutput struct {
	Body struct {
		From    string        `json:"from"`
		To      string        `json:"to"`
		First   string        `json:"first,omitempty" doc:"first day of which there is data"`
		Last    string        `json:"last,omitempty"`
		Tables  []string      `json:"tables" doc:"each after those it is made from"`
		Items   []CalendarDay `json:"items" doc:"oldest day first"`
		Wrong   int           `json:"wrong"`
		Edges   []EdgeLag     `json:"edges"`
		Trouble []string      `json:"trouble" doc:"what else is wrong, for those who operate"`
		At      time.Time     `json:"at"`
	}
}

func (j *Jobs) calendar(ctx context.Context, in *calendarInput) (*calendarOutput, error) {
	s := j.sightOf(ctx)
	var out calendarOutput
	b := &out.Body
	var err error
	if b.First, b.Last, err = j.span(ctx, s); err != nil {
		return nil, err
	}
	if b.To = in.To; b.To == "" {
		if b.To = job.FormatDay(j.Now()); b.Last != "" && b.Last < job.FormatDay(j.Now().AddDate(0, 0, -status.Days)) {
			b.To = b.Last
		}
	}
	if b.From = in.From; b.From == "" {
		to, err := job.ParseDay(b.To)
		if err != nil {
			return nil, huma.Error422UnprocessableEntity(err.Error())
		}
		b.From = job.FormatDay(to.AddDate(0, 0, 1-status.Days))
	}
	days, err := job.DayRange(b.From, b.To)
	if err != nil {
		return nil, huma.Error422UnprocessableEntity(err.Error())
	}
	if len(days) > maxDays {
		return nil, huma.Error422UnprocessableEntity(fmt.Sprintf("these are %d days: a calendar may have %d", len(days), maxDays))
	}
	st, at, err := j.status(ctx, days)
	if err != nil {
		return nil, err
	}
	j.fill(&out, s, st, at)
	return &out, nil
}

// span returns the first and last day with data that the person may know of.
func (j *Jobs) span(ctx context.Context, s sight) (first, last string, err error) {
	pings, err := archive.KnownDays(ctx, j.Site.Archive, archive.KindPings)
	if err != nil {
		return "", "", err
	}
	var all []string
	for _, day := range pings {
		all = append(all, string(day))
	}
	for _, t := range s.tables {
		if s.knows(t.Name) {
			days, err := j.Site.TableOf(t).Days(ctx)
			if err != nil {
				return "", "", err
			}
			all = append(all, days...)
		}
	}
	if len(all) == 0 {
		return "", "", nil
	}
	return slices.Min(all), slices.Max(all), nil
}

// fill copies what the person may see of a status into the response.
func (j *Jobs) fill(out *calendarOutput, s sight, st *status.Status, at time.Time) {
	b := &out.Body
	b.Items, b.Edges, b.Trouble, b.At, b.Tables = []CalendarDay{}, []EdgeLag{}, []string{}, at, []string{}
	for _, t := range s.tables {
		if s.knows(t.Name) {
			b.Tables = append(b.Tables, t.Name)
		}
	}
	for i := range st.Partitions {
		p := &st.Partitions[i]
		if !s.knows(p.Table) {
			continue
		}
		shown := CalendarDay{
			Table: p.Table, Day: p.Day, State: string(p.State), Wrong: p.State.Wrong(), Rows: p.Rows, Bytes: p.Bytes, Complete: p.Complete,
			Run: p.Run, Skipped: p.SkippedChecks,
		}
		if !s.counts(p.Table) {
			shown.Rows, shown.Bytes = 0, 0
		}
		for _, why := range p.Reasons {
			if p.State == status.Failed || strings.Contains(why, "failed: ") || s.mentionsHidden(why) {
				why = s.text(p.Table, why)
			}
			shown.Reasons = append(shown.Reasons, why)
		}
		if shown.Wrong {
			b.Wrong++
		}
		b.Items = append(b.Items, shown)
	}
	for _, e := range st.Edges {
		b.Edges = append(b.Edges, EdgeLag{e.Edge, e.Watermark, int64(e.Lag.Seconds())})
	}
	if s.person.May(access.Operate) {
		for _, text := range st.Trouble {
			if !s.mentionsHidden(text) {
				b.Trouble = append(b.Trouble, text)
			}
		}
	}
}

// calendars caches the last states for keepCalendar, because many people may look at one calendar.
type calendars struct {
	mu     sync.Mutex
	cached []calendarAt
}

type calendarAt struct {
	days [2]string
	at   time.Time
	st   *status.Status
}

const (
	keepCalendar = 3 * time.Second
	maxCalendars = 4
)

func (j *Jobs) status(ctx context.Context, days []string) (*status.Status, time.Time, error) {
	c, span, now := &j.calendars, [2]string{days[0], days[len(days)-1]}, j.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cached = slices.DeleteFunc(c.cached, func(k calendarAt) bool { return now.Sub(k.at) > keepCalendar })
	for _, k := range c.cached {
		if k.days == span {
			return k.st, k.at, nil
		}
	}
	st, err := status.Read(ctx, j.Site, status.Options{Days: days, Now: now, Spool: j.Spool})
	if err != nil {
		return nil, now, err
	}
	if len(c.cached) == maxCalendars {
		c.cached = c.cached[1:]
	}
	c.cached = append(c.cached, calendarAt{span, now, st})
	return st, now, nil
}
