package loader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
)

// secondsOfDay is the length of a UTC day.
const secondsOfDay = 24 * 60 * 60

// dayNumber counts days from 1970.
func dayNumber(day ping.Day) int64 {
	t, err := job.ParseDay(string(day))
	if err != nil {
		return 0 // pings have days
	}
	return t.Unix() / secondsOfDay
}

func dayOfNumber(n int64) ping.Day {
	return ping.Day(job.FormatDay(time.Unix(n*secondsOfDay, 0).UTC()))
}

// near reports whether two days are the same or next to each other.
func near(a, b int64) bool { return a-b <= 1 && b-a <= 1 }

// findDuplicates decides about the submissions that would be pings. In the
// order in which they came, each is one unless it is in the archive or an
// earlier one is it.
func (t *trial) findDuplicates(ctx context.Context) error {
	slices.SortFunc(t.pings, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.day.day, y.day.day), cmp.Compare(x.row, y.row))
	})
	archived, err := t.archived(ctx)
	if err != nil {
		return err
	}
	paths := map[key]bool{}
	taken := map[key][]int64{} // the days of documents
	for i := range t.pings {
		c := &t.pings[i]
		sameDocument := slices.ContainsFunc(taken[c.document], func(day int64) bool { return near(day, c.arrived) })
		switch day, ok := archived[i]; {
		case ok:
			c.reject(fmt.Sprintf("the document is among the pings of %s", day))
		case c.path != key{} && paths[c.path]:
			c.reject("the same path was replayed before")
		case sameDocument:
			c.reject("the same document was replayed before")
		default:
			c.day.verdicts[c.row] = passes
			paths[c.path] = true
			if c.document != (key{}) {
				taken[c.document] = append(taken[c.document], c.arrived)
			}
		}
	}
	return nil
}

// reject makes a candidate a duplicate.
func (c *candidate) reject(message string) {
	c.day.verdicts[c.row] = duplicate
	if c.day.why == nil {
		c.day.why = map[int]string{}
	}
	c.day.why[c.row] = message
}

// dayType is one partition of the archive's pings.
type dayType struct {
	day     int64
	docType string
}

// archived finds the candidates whose documents are among the archive's pings
// of the same type on the same day, the day before or the day after.
func (t *trial) archived(ctx context.Context) (map[int]ping.Day, error) {
	byDocument := map[key][]int{}
	wanted := map[dayType]bool{}
	for i := range t.pings {
		c := &t.pings[i]
		if c.document == (key{}) {
			continue
		}
		byDocument[c.document] = append(byDocument[c.document], i)
		for d := c.arrived - 1; d <= c.arrived+1; d++ {
			wanted[dayType{d, c.docType}] = true
		}
	}
	found := map[int]ping.Day{}
	order := slices.SortedFunc(maps.Keys(wanted), func(x, y dayType) int {
		return cmp.Or(cmp.Compare(x.day, y.day), cmp.Compare(x.docType, y.docType))
	})
	for _, at := range order {
		day := dayOfNumber(at.day)
		a, err := archive.OpenDay(ctx, t.archive, day, ping.DocType(at.docType))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for m, err := range a.Metas(ctx) {
			if err != nil {
				return nil, err
			}
			for _, i := range byDocument[keyOf([]byte(at.docType), m.Text(ping.DocumentID))] {
				if _, ok := found[i]; !ok && near(t.pings[i].arrived, at.day) {
					found[i] = day
				}
			}
		}
	}
	return found, nil
}
