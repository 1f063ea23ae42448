package loader

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/pingmill/pingmill/ingest/spool"
)

// sealed lists the segments that get no more records, and those that are missing
// among them, in their order.
func (c *cursor) sealed() ([]spool.Segment, error) {
	all, err := c.o.Spool.Sealed()
	if err != nil {
		return nil, err
	}
	missing, err := c.o.Spool.Missing(all, c.last, c.last > 0 || !c.expired)
	if err != nil || len(missing) == 0 {
		return all, err
	}
	all = append(slices.Clone(all), missing...)
	slices.SortStableFunc(all, func(a, b spool.Segment) int { return cmp.Compare(a.Number, b.Number) })
	return all, nil
}

// done takes a segment that is in the archive out of the spool.
func (c *cursor) done(g spool.Segment, damaged bool) error {
	if damaged {
		return c.o.Spool.Keep(g)
	}
	return c.o.Spool.Remove(g)
}

// lostText returns the number of lost records as text.
func lostText(n int) string {
	if n < 0 {
		return "unknown"
	}
	return strconv.Itoa(n)
}

// lossText reports whether records of a damaged segment are lost; a negative number is unknown.
func lossText(n int) string {
	if n == 0 {
		return "by their count no acknowledged submission is lost"
	}
	return "acknowledged submissions are lost"
}
