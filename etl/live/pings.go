package live

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/origin"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
)

// pings are the pings of a day in the archive that a table may have rows of, by their types.
type pings struct {
	table *schema.Table
	kinds []kind
}

// kind holds the pings of one document type.
type kind struct {
	source string // name of the input
	day    *archive.Day
}

// openArchive opens the archive's day. It may have no pings.
func (r *Rows) openArchive(ctx context.Context, d *day) (*pings, error) {
	p := &pings{table: d.table}
	kinds, err := origin.Kinds(ctx, r.data.Archive, d.table, d.unit.Day)
	if err != nil {
		return nil, err
	}
	for _, k := range kinds {
		a, err := archive.OpenDay(ctx, r.data.Archive, ping.Day(d.unit.Day), k)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		p.kinds = append(p.kinds, kind{naming.Source(string(k)), a})
	}
	return p, nil
}

// loads returns the loads with pings, sorted.
func (p *pings) loads() []string {
	all := map[string]bool{}
	for _, k := range p.kinds {
		for _, l := range k.day.Loads() {
			all[l] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// ofLoad returns the pings of a load, nil if there are none.
func (p *pings) ofLoad(load string) (day *archive.Day) {
	for _, k := range p.kinds {
		part := k.day.OfLoads(func(l string) bool { return l == load })
		switch {
		case day == nil:
			day = part
		case part != nil:
			day = day.With(part)
		}
	}
	return day
}

// state names the state of the archive that has some loads only, as the inputs of a partition.
func (p *pings) state(has func(load string) bool) (inputs []lake.Input) {
	for _, k := range p.kinds {
		if part := k.day.OfLoads(has); part != nil {
			inputs = append(inputs, lake.Input{Name: k.source, Generation: part.Generation()})
		}
	}
	return etl.WithPings(p.table, inputs)
}

// all returns the state of all loads.
func (p *pings) all() []lake.Input { return p.state(func(string) bool { return true }) }

// recordedState returns the archive's state that the finished files of a partition are made from.
func recordedState(t *schema.Table, m *lake.Manifest) []lake.Input {
	if m == nil {
		return etl.WithPings(t, nil)
	}
	return etl.WithPings(t, m.Inputs)
}
