package site

import (
	"context"
	"errors"
	"io/fs"
)

// Total sums up the published partitions of a table.
type Total struct {
	Days        int
	First, Last string // days
	Rows, Bytes int64
	Denied      bool // this user may not read it
}

// Totals sums up the published partitions of each table. With an error it has those
// that can be read.
func (s *Site) Totals(ctx context.Context) (map[string]Total, error) {
	totals := map[string]Total{}
	var bad []error
	for _, t := range s.Tables {
		lt, err := s.Table(t.Name)
		if err != nil {
			return nil, err
		}
		var st Total
		manifests, err := lt.Partitions(ctx)
		if st.Denied = errors.Is(err, fs.ErrPermission); !st.Denied {
			bad = append(bad, err)
		}
		for _, m := range manifests {
			if st.Days == 0 {
				st.First = m.Day
			}
			st.Last = m.Day
			st.Days++
			st.Rows += m.Rows
			st.Bytes += m.Bytes
		}
		totals[t.Name] = st
	}
	return totals, errors.Join(bad...)
}
