package etl

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// StaleUnits finds the published partitions of days, except those of the direct tables,
// whose pings are not those of the archive, and those made from them.
func StaleUnits(ctx context.Context, s *site.Site, days []ping.Day) ([]job.Unit, error) {
	var all []job.Unit
	for _, day := range days {
		stale := map[string]bool{}
		for _, t := range s.Tables {
			if t.Direct {
				continue
			}
			derived := slices.ContainsFunc(t.Needs, func(n string) bool { return stale[n] })
			is, err := isStale(ctx, s, t, string(day), derived)
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

// isStale reports whether the published partition of a table, if there is one,
// was made from other pings than the present ones.
func isStale(ctx context.Context, s *site.Site, t *schema.Table, day string, derived bool) (bool, error) {
	m, err := s.TableOf(t).Partition(ctx, day)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || derived || t.DocType == "" {
		return derived, err
	}
	src, err := pingInputs(ctx, s, t, day)
	if err != nil {
		return false, err
	}
	for _, i := range m.Inputs {
		if g, ok := src[i.Name]; ok && g != i.Generation {
			return true, nil
		}
	}
	return false, nil
}

// pingInputs are the generations of a table's pings of a day, by input.
func pingInputs(ctx context.Context, s *site.Site, t *schema.Table, day string) (map[string]string, error) {
	src, err := (&steps{site: s}).pingSource(ctx, t, day)
	if err != nil {
		return nil, err
	}
	inputs := map[string]string{}
	for _, i := range src.inputs {
		inputs[i.Name] = i.Generation
	}
	return inputs, nil
}
