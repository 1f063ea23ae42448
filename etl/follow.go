package etl

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/etl/origin"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// NoPingsState is the generation of a day without pings of the type.
const NoPingsState = origin.NoPings

// Follow returns a function that updates the inputs in a manifest to their state after rows were removed, if
// the partition was made from the state before. moved maps each input to its generations before and after.
// Equal work on the present inputs makes equal rows.
func Follow(ctx context.Context, d *site.Data, t *schema.Table, base *lake.Manifest, moved map[string][2]string) (func(*lake.Manifest) bool,
	error) {
	st := newSteps(d)
	var err error
	switch {
	case t.IsSnapshots():
		moved, err = snapshotMoves(ctx, d, t, base)
	case t.FromRows():
		moved, err = rowMoves(ctx, d, t, base)
	}
	if err != nil {
		return nil, err
	}
	inputs, before, change := slices.Clone(base.Inputs), []job.Input{}, false
	for i, in := range inputs {
		before = append(before, job.Input{Name: in.Name, Generation: in.Generation})
		m, ok := moved[in.Name]
		if !ok || m[0] != in.Generation || m[0] == m[1] {
			continue
		}
		inputs[i].Generation, change = m[1], true
		if m[1] == "" {
			inputs[i].Generation = NoPingsState
		}
	}
	if !change {
		return nil, nil
	}
	if t.AllTypes {
		inputs = WithPings(t, inputs)
	}
	recipe := st.recipeOf(t)
	if base.Made != nil { // also a newer one, which this program cannot follow
		recipe = base.Made.Recipe
	}
	work := workOf(recipe, before)
	made := len(base.Parts) > 0 && !slices.ContainsFunc(base.Parts, func(p lake.Part) bool { return p.Work != work })
	var parts []lake.Part
	if made {
		src, err := st.source(ctx, t, base.Day, base)
		if err != nil {
			return nil, err
		}
		var after []job.Input // not those of src: more pings may have arrived
		for _, in := range inputs {
			after = append(after, job.Input{Name: in.Name, Generation: in.Generation})
		}
		now := workOf(recipe, after)
		for _, r := range src.parts {
			parts = append(parts, lake.Part{Lo: r.Lo, Hi: r.Hi, Work: now})
		}
	}
	return func(m *lake.Manifest) bool {
		m.Inputs = inputs
		if made && parts != nil {
			m.Parts = parts
		}
		return true
	}, nil
}

// WithPings returns the inputs of a table made from pings without those types that have none, as a plan lists them. If no type has
// any, the input that a table without pings has is left.
func WithPings(t *schema.Table, inputs []lake.Input) []lake.Input {
	inputs = slices.DeleteFunc(slices.Clone(inputs), func(in lake.Input) bool { return in.Generation == NoPingsState })
	if len(inputs) == 0 {
		return []lake.Input{{Name: t.Source(), Generation: NoPingsState}}
	}
	return inputs
}

// rowMoves finds the inputs of a partition made from rows of Glean tables that were rewritten without rows and are otherwise those
// that it was made from, with their states before and after.
func rowMoves(ctx context.Context, d *site.Data, t *schema.Table, base *lake.Manifest) (map[string][2]string, error) {
	moved := map[string][2]string{}
	for _, in := range base.Inputs {
		name, day := in.Name, base.Day
		if earlier := origin.EarlierDay(t, in.Name); earlier != "" {
			name, day = t.Name, earlier
		}
		lt, err := d.Table(name)
		if err != nil {
			return nil, err
		}
		m, err := lt.Partition(ctx, day)
		if errors.Is(err, fs.ErrNotExist) || lake.Unusable(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if m.Rewritten != "" && m.Before == in.Generation {
			moved[in.Name] = [2]string{in.Generation, origin.State(lt.Schema, m)}
		}
	}
	return moved, nil
}
