package quality

import (
	"context"
	"math"
	"slices"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
)

// Finding is an odd change of a day.
type Finding struct {
	Metric

	Rule  Rule   `json:"rule"`
	Score int    `json:"score" doc:"from 0 to 100: how odd it is"`
	Text  string `json:"text"`
	Since string `json:"since,omitempty" doc:"the day on which it was found first, when it is not this one"`

	Now       *float64 `json:"now,omitempty"`
	Usual     *float64 `json:"usual,omitempty" doc:"median of the same weekday in the last four weeks, or the day before where there are none"`
	Yesterday *float64 `json:"yesterday,omitempty" doc:"the day before"`
	Week      *float64 `json:"week,omitempty" doc:"the same weekday of the week before"`

	Like []Metric `json:"like,omitempty" doc:"others that changed by as much: probably of the same cause"`
	SQL  string   `json:"sql" doc:"a query that shows it, in Presto's SQL"`
}

// Changes lists the unusual changes of a day.
type Changes struct {
	Day       string
	Published bool     // there is a profile of the day
	Yesterday bool     // the day before is known
	Weeks     []string // the days that it was compared with
	Findings  []Finding
}

// daysBack is the number of days for which a continuing change is followed.
const daysBack = 6

// Changes compares a day of a table with the days before. keep says which columns the reader may see; "" is the partition as a
// whole. The day need not be published.
func (b *Book) Changes(ctx context.Context, lt *lake.Table, day string, keep func(column string) bool) (*Changes, error) {
	c := &comparison{book: b, table: lt, keep: keep, days: map[string]*indexed{}}
	out := &Changes{Day: day}
	now, err := c.profile(ctx, day, 0)
	if err != nil {
		return nil, err
	}
	gaps, err := c.gaps(ctx, day)
	if err != nil {
		return nil, err
	}
	if out.Published = now != nil; now == nil || now.Growing {
		out.Findings = c.finish(gaps, day)
		return out, nil
	}
	fresh, h, err := c.fresh(ctx, day, now)
	if err != nil {
		return nil, err
	}
	out.Yesterday = h.yesterday != nil
	for _, w := range h.weeks {
		if w != nil {
			out.Weeks = append(out.Weeks, w.Day)
		}
	}
	for ago := 1; ago <= daysBack; ago++ {
		older, err := c.still(ctx, day, ago, now, fresh)
		if err != nil {
			return nil, err
		}
		fresh = append(fresh, older...)
	}
	out.Findings = c.finish(c.rank(slices.Concat(gaps, fresh, c.checks(now)), now), day)
	return out, ctx.Err()
}

// finish says findings in words.
func (c *comparison) finish(all []Finding, day string) []Finding {
	for i := range all {
		f := &all[i]
		f.Text = f.text(c.table.Schema)
		f.SQL = f.Query(c.table.Schema, f.days(day)...)
	}
	return all
}

// gaps finds the days up to a day that are not published although most of the week before is.
func (c *comparison) gaps(ctx context.Context, day string) (found []Finding, err error) {
	listed, err := c.table.Days(ctx)
	if err != nil {
		return nil, err
	}
	at, err := job.ParseDay(day)
	if err != nil {
		return nil, err
	}
	ago := func(n int) string { return job.FormatDay(at.AddDate(0, 0, -n)) }
	for n := range daysBack + 1 {
		before := 0
		for i := range 7 {
			if slices.Contains(listed, ago(n+1+i)) {
				before++
			}
		}
		if before < 4 || slices.Contains(listed, ago(n)) {
			continue
		}
		f := Finding{Metric: Metric{Measure: Rows}, Rule: Missing, Score: 100 - 5*n, Text: ago(n) + " is not published"}
		if n > 0 {
			f.Since = ago(n)
		}
		found = append(found, f)
	}
	return found, nil
}

// comparison is one comparison at work.
type comparison struct {
	book  *Book
	table *lake.Table
	keep  func(column string) bool
	days  map[string]*indexed
}

// profile returns the profile of an earlier day, or nil if the day has none.
func (c *comparison) profile(ctx context.Context, day string, ago int) (*indexed, error) {
	at, err := job.ParseDay(day)
	if err != nil {
		return nil, err
	}
	day = job.FormatDay(at.AddDate(0, 0, -ago))
	if p, known := c.days[day]; known {
		return p, nil
	}
	p, err := c.book.Profile(ctx, c.table, day)
	if err != nil {
		return nil, err
	}
	c.days[day] = index(p)
	return c.days[day], nil
}

// past holds the profiles to compare a day with. It omits days that still receive rows.
func (c *comparison) past(ctx context.Context, day string) (h *past, err error) {
	h = &past{}
	if h.yesterday, err = c.profile(ctx, day, 1); err != nil {
		return nil, err
	}
	for week := 1; week <= 4; week++ {
		p, err := c.profile(ctx, day, 7*week)
		if err != nil {
			return nil, err
		}
		h.weeks = append(h.weeks, p)
	}
	return h, nil
}

// fresh finds what was not so before.
func (c *comparison) fresh(ctx context.Context, day string, now *indexed) (found []Finding, h *past, err error) {
	if h, err = c.past(ctx, day); err != nil {
		return nil, nil, err
	}
	before := h.yesterday
	for _, w := range h.weeks {
		if before == nil {
			before = w
		}
	}
	if before == nil {
		return nil, h, nil
	}
	for _, m := range metricsOf(now, before) {
		if !c.keep(m.TableColumn()) {
			continue
		}
		if v := h.judge(&m, now); v.score > 0 {
			found = append(found, m.finding(v))
		}
	}
	return found, h, nil
}

// still finds what was odd some days before a day, and is as it was then.
func (c *comparison) still(ctx context.Context, day string, ago int, now *indexed, known []Finding) (found []Finding, err error) {
	then, err := c.profile(ctx, day, ago)
	if err != nil || then == nil || then.Growing {
		return nil, err
	}
	old, h, err := c.fresh(ctx, then.Day, then)
	if err != nil {
		return nil, err
	}
	for _, f := range old {
		if f.Score < leastScore || slices.ContainsFunc(known, func(k Finding) bool { return k.Metric == f.Metric }) {
			continue
		}
		s, ok := f.sample(now)
		was := h.judge(&f.Metric, then)
		if !ok || f.score(s, was.before, -1) < 0.7*float64(f.Score) || (s.x > was.usual) != (*was.now > was.usual) {
			continue
		}
		f.Since, f.Now, f.Yesterday, f.Week = then.Day, &s.x, nil, nil
		f.Score = int(float64(f.Score) * math.Pow(0.9, float64(ago)))
		found = append(found, f)
	}
	return found, nil
}
