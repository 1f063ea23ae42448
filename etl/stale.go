package etl

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// StaleUnits returns the published partitions of the days, without direct tables, whose pings differ from the
// archive's, and those derived from them.
func StaleUnits(ctx context.Context, d *site.Data, days []ping.Day) ([]job.Unit, error) {
	var all []job.Unit
	st := newSteps(d)
	for _, day := range days {
		stale := map[string]bool{}
		for _, t := range d.Tables {
			if t.Direct || t.IsSnapshots() {
				continue
			}
			derived := slices.ContainsFunc(t.Needs, func(n string) bool { return stale[n] })
			is, err := st.isStale(ctx, t, string(day), derived)
			if err != nil {
				return nil, err
			}
			if stale[t.Name] = is; is {
				all = append(all, job.Unit{Table: t.Name, Day: string(day)})
			}
		}
	}
	return all, nil
}

// isStale reports whether a table has a published partition made from other pings than the present ones.
func (s *steps) isStale(ctx context.Context, t *schema.Table, day string, derived bool) (bool, error) {
	m, err := s.data.TableOf(t).Partition(ctx, day)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || derived || t.DocType == "" {
		return derived, err
	}
	src, err := s.pingSource(ctx, t, day)
	if err != nil {
		return false, err
	}
	for _, now := range src.inputs {
		if slices.ContainsFunc(m.Inputs, func(i lake.Input) bool { return i.Name == now.Name && i.Generation != now.Generation }) {
			return true, nil
		}
	}
	return false, nil
}
