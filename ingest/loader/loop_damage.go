package loader

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/pingmill/pingmill/ingest/spool"
)

// sealed lists the segments that get no more records, and those that are missing
// among them, in their order.
func (d *decodeLoop) sealed() ([]spool.Segment, error) {
	all, err := d.o.Spool.Sealed()
	if err != nil {
		return nil, err
	}
	missing, err := d.o.Spool.Missing(all, d.last, d.last > 0 || !d.expired)
	if err != nil || len(missing) == 0 {
		return all, err
	}
	all = append(slices.Clone(all), missing...)
	slices.SortStableFunc(all, func(a, b spool.Segment) int { return cmp.Compare(a.Number, b.Number) })
	return all, nil
}

// done takes a segment that is in the archive out of the spool.
func (d *decodeLoop) done(g spool.Segment, damaged bool) error {
	if damaged {
		return d.o.Spool.Keep(g)
	}
	return d.o.Spool.Remove(g)
}

// lostText returns the number of lost records as text.
func lostText(n int) string {
	if n < 0 {
		return "unknown"
	}
	return strconv.Itoa(n)
}

// lossText says whether records of a damaged segment are lost; a negative number is unknown.
func lossText(n int) string {
	if n == 0 {
		return "by their count no acknowledged submission is lost"
	}
	return "acknowledged submissions are lost"
}
