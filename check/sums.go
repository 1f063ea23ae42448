package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// sameSums compares sums of 64-bit columns by a key with those of another table of the day that is made from the same
// inputs. Rows with a null first part of the key do not count. The notes do not name the other table, because not
// everybody who sees them may know of it.
func sameSums(c *schema.Check) func(context.Context, *Partition) (Finding, error) {
	return func(ctx context.Context, p *Partition) (Finding, error) {
		if !p.whole() {
			return Finding{NotRun: true, Note: "the partition does not have all samples yet"}, nil
		}
		other, why, err := p.beside(ctx, c.With)
		if err != nil {
			return Finding{}, err
		}
		left := p.LeftOut[c.Key[0]] > 0 || other != nil && other.LeftOut[c.Key[0]] > 0
		switch {
		case why != "":
			return Finding{NotRun: true, Note: why}, nil
		case left:
			return Finding{NotRun: true, Note: "rows were left out because there were too many"}, nil
		}
		have, err := p.files().sums(ctx, c.Key, c.Columns)
		if err != nil {
			return Finding{}, err
		}
		want, err := other.files().sums(ctx, c.Key, c.Columns)
		if err != nil {
			return Finding{}, err
		}
		bad := have.differences(want, c.Columns)
		if len(bad) == 0 {
			return Finding{}, nil
		}
		return named(ctx, allSamples, bad, keysOf(p.files(), c.Key, nil, nil), keysOf(other.files(), c.Key, nil, nil))
	}
}

// beside returns the published partition of another table of the day. It is nil, with the reason, if it is not made from the
// same inputs.
func (p *Partition) beside(ctx context.Context, table string) (other *Partition, why string, err error) {
	other, err = published(ctx, p.Data, p.Footers, table, p.Day)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "the other table of the day is not published", nil
	case lake.Unusable(err):
		return nil, "the other table of the day is damaged", nil
	case err != nil:
		return nil, "", err
	}
	same := func(i lake.Input) bool { return slices.Contains(p.Inputs, i) }
	if !other.whole() || len(other.Inputs) != len(p.Inputs) || slices.ContainsFunc(other.Inputs, func(i lake.Input) bool { return !same(i) }) {
		return nil, "the other table of the day is made from other rows", nil
	}
	return other, "", nil
}

// sums are sums of columns by the hash of a key.
type sums map[uint64]*sumsOf

type sumsOf struct {
	values []column.Int128
	lost   bool // some row has only nulls: its sums are 0, or do not fit 64 bits
}

// sums adds up columns of the files.
func (s *fileSet) sums(ctx context.Context, key, columns []string) (sums, error) {
	all := sums{}
	var h hasher
	parts := make([][]byte, len(key))
	err := s.each(ctx, allSamples, slices.Concat(key, columns), nil, func(v *rows) error {
		for row := range v.batch.Rows {
			for i := range key {
				parts[i] = v.text(i, row)
			}
			if parts[0] == nil {
				continue
			}
			at := h.sum(parts)
			if all[at] == nil {
				all[at] = &sumsOf{values: make([]column.Int128, len(columns))}
			}
			all[at].add(v, len(key), row)
		}
		return nil
	})
	return all, err
}

// add adds the columns of a row, from the given one on.
func (s *sumsOf) add(v *rows, from, row int) {
	known := false
	for i := range s.values {
		if n, ok := v.long(from+i, row); ok {
			s.values[i], known = s.values[i].Add(column.Int128Of(n)), true
		}
	}
	s.lost = s.lost || !known
}

// differences describes the keys whose sums are others in want. A key with a sum that may not have fit is not compared.
func (s sums) differences(want sums, names []string) map[uint64]string {
	bad := map[uint64]string{}
	for _, both := range [][2]sums{{s, want}, {want, s}} {
		for at, a := range both[0] {
			b := both[1][at]
			if b == nil {
				b = &sumsOf{values: make([]column.Int128, len(names))}
			}
			if a.lost || b.lost || slices.Equal(a.values, b.values) || bad[at] != "" {
				continue
			}
			bad[at] = fmt.Sprintf("%s here, %s in the other table", s.text(at, names), want.text(at, names))
		}
	}
	return bad
}

// text describes the sums of a key.
func (s sums) text(at uint64, names []string) string {
	if s[at] == nil {
		return "no row"
	}
	var parts []string
	for i, n := range s[at].values {
		if n != (column.Int128{}) {
			parts = append(parts, names[i]+" "+n.Text(0))
		}
	}
	if len(parts) == 0 {
		return "no searches"
	}
	return strings.Join(parts, ", ")
}

// atMostOne finds rows with a value in several of some 64-bit columns.
func atMostOne(c *schema.Check) func(context.Context, *Partition) (Finding, error) {
	return func(ctx context.Context, p *Partition) (Finding, error) {
		return p.parts(ctx, eachRow(p, c.Key, c.Columns, nil, func(v *rows, row int) string {
			var have []string
			for i, name := range c.Columns {
				if _, ok := v.long(len(c.Key)+i, row); ok {
					have = append(have, name)
				}
			}
			if len(have) > 1 {
				return "both " + strings.Join(have, " and ")
			}
			return ""
		}))
	}
}
