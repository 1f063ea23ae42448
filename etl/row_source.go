package etl

import (
	"context"
	"fmt"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/origin"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// rowParts is the number of bytes of input files of a task that makes rows from rows which no pings divide.
const rowParts = 16 << 20

// rowSource returns the source of a table that is made from rows of Glean tables.
func (s *steps) rowSource(ctx context.Context, t *schema.Table, day string, base *lake.Manifest) (src source, err error) {
	if t.Chained() && s.samples != nil {
		src.missing = t.Name + " is made of all its samples at once"
		return src, nil
	}
	var bytes int64
	for i, need := range t.Needs {
		lt, m, err := s.need(ctx, need, day, &src)
		if err != nil || m == nil {
			return src, err
		}
		src.inputs = append(src.inputs, origin.InputOf(t, lt.Schema, m))
		if i > 0 {
			continue
		}
		src.rows, bytes = m.Rows, m.Bytes
		for _, p := range m.Parts {
			src.parts, src.bytes = append(src.parts, job.Samples{Lo: p.Lo, Hi: p.Hi}), append(src.bytes, fileBytes(m, p))
		}
		if gap := uncovered(src.parts, s.samples); gap != "" {
			src.missing = need + " of the day lacks " + gap
			return src, nil
		}
	}
	if t.Chained() {
		before, err := s.previous(ctx, t, day, base, &src)
		if err != nil || src.missing != "" {
			return src, err
		}
		if before != nil {
			src.inputs = append(src.inputs, origin.Earlier(t, before))
			bytes += before.Bytes
		}
	}
	switch {
	case t.Joined:
		src.join()
	case t.Previous || t.Hashed:
		src.divide(bytes, rowParts)
	}
	return src, nil
}

// previous returns the partition of an earlier day that a chained table goes on from, nil if the chain begins. Days
// without pings are left out. If the partition cannot be made, src has the reason.
func (s *steps) previous(ctx context.Context, t *schema.Table, day string, base *lake.Manifest, src *source) (*lake.Manifest, error) {
	m, err := origin.Before(ctx, s.data.TableOf(t), day)
	if lake.Unusable(err) {
		src.missing = t.Name + " of an earlier day is damaged"
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	made, had := base != nil && len(base.Parts) > 0, origin.WentOn(t, base)
	if m == nil {
		if had != "" {
			src.missing = t.Name + " of " + had + ", from which it goes on, is gone"
		}
		return nil, nil
	}
	if made && had == m.Day {
		return m, nil
	}
	hole, err := s.hole(ctx, m.Day, day)
	switch {
	case err != nil || hole == "":
		return m, err
	case s.restart || made && had == "":
		if t.Previous {
			return nil, nil
		}
		return m, nil
	}
	src.missing, src.waits = waits(t, hole), true
	return nil, nil
}

// waits explains why a partition cannot be made before the partition of another day.
func waits(t *schema.Table, hole string) string {
	return fmt.Sprintf("it waits for %s of %s, which is not published: make that first, or start over with --restart", t.Name, hole)
}

// hole returns the first day between two days that has, or had, pings in the archive; "" if there is none.
func (s *steps) hole(ctx context.Context, from, to string) (string, error) {
	days, err := job.DayRange(from, to)
	if err != nil {
		return "", err
	}
	for _, day := range days[1 : len(days)-1] {
		types, err := archive.DocTypes(ctx, s.data.Archive, ping.Day(day))
		if err != nil || len(types) > 0 {
			return day, err
		}
		if e, err := archive.ReadExpired(ctx, s.data.Archive, archive.KindPings, ping.Day(day)); err != nil || e != nil {
			return day, err
		}
	}
	return "", nil
}
