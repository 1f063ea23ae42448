package table

import (
	"slices"
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// entry is an input row of an aggregation, and its group.
type entry struct{ row, group int32 }

// measure aggregates one or more output columns over the entries of groups.
type measure interface {
	grow(groups int)
	add(in *column.Batch, entries []entry)
	// emit sets the columns in a row for each group, from a row on.
	emit(out *column.Batch, from int, groups []int)
	reset()
}

// daily makes one row for each key of a day. The key consists of the table's columns of rule schema.RuleKey.
type daily struct {
	in       *input
	groups   groups
	keys     []dailyKey
	required []dailyKey // columns that must not be null
	key      [][]byte   // of the row at hand
	entries  []entry
	measures []measure
}

// dailyKey is a part of the key, or what must be known of a row.
type dailyKey struct {
	name string
	col  int
	loc  located
}

// newDaily returns the transform of a table. own returns the measures that only this table has, or nil for a
// column without one; own may be nil.
func newDaily(t *schema.Table, in *input, own func(t *schema.Table, in *input, i int) measure) *daily {
	d := &daily{in: in}
	for _, name := range t.Requires {
		d.required = append(d.required, dailyKey{name: name})
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		var m measure
		if own != nil {
			m = own(t, in, i)
		}
		switch {
		case c.Rule == schema.RuleKey:
			d.keys = append(d.keys, dailyKey{name: c.Source, col: i})
		case m == nil:
			m = newMeasure(in, t.Columns, i)
		}
		if m != nil {
			d.measures = append(d.measures, m)
		}
	}
	d.key = make([][]byte, len(d.keys))
	d.groups = newGroups(len(d.keys))
	return d
}

func (d *daily) Add(_, in *column.Batch, _ func() error) error {
	in.Finish()
	for _, keys := range [][]dailyKey{d.keys, d.required} {
		for i := range keys {
			keys[i].loc.load(d.in, in, keys[i].name)
		}
	}
	d.entries, d.in.begins = d.entries[:0], d.in.begins[:0]
	for r := range in.Rows {
		if slices.ContainsFunc(d.required, func(k dailyKey) bool { return k.loc.at[r] < 0 }) {
			continue
		}
		for i := range d.keys {
			l := &d.keys[i].loc
			d.key[i] = text(l.leaf, l.at[r])
		}
		known := d.groups.count
		e := entry{int32(r), d.groups.number(d.key...)}
		if d.entries = append(d.entries, e); d.groups.count > known {
			d.in.begins = append(d.in.begins, e)
		}
	}
	for _, m := range d.measures {
		m.grow(d.groups.count)
		m.add(in, d.entries)
	}
	return nil
}

func (d *daily) Flush(out *column.Batch, row func() error) error {
	err := appendGroups(out, d.groups.sorted(), row, func(from int, groups []int) {
		for i, g := range groups {
			out.Rows = from + i
			for part, v := range d.groups.key(g) {
				if v != nil {
					out.SetShared(d.keys[part].col, v)
				}
			}
		}
		for _, m := range d.measures {
			m.emit(out, from, groups)
		}
	})
	out.Adopt(&d.in.texts)
	d.groups.reset()
	for _, m := range d.measures {
		m.reset()
	}
	return err
}

// newMeasure makes the measure of a column by its rule; nil when another
// column's measure emits it or the table computes it itself.
func newMeasure(in *input, cols []schema.Column, i int) measure {
	c := &cols[i]
	switch c.Rule {
	case schema.RulePartition:
		return newFirst(in, "submission_date_obj", i, schema.String)
	case schema.RuleFirst:
		return newFirst(in, c.Source, i, c.Type.Kind)
	case schema.RuleTotal:
		return newTotal(in, c.Source, i)
	case schema.RuleMean:
		return newMean(in, c.Source, i)
	case schema.RuleMax:
		return newMax(in, c.Source, i)
	case schema.RuleHours:
		return newHours(in, c.Source, i)
	case schema.RuleCombined:
		a, b, _ := strings.Cut(c.Source, ", ")
		return &combined{fold: newTotal(in, a, i), other: b}
	}
	switch c.Name {
	case "active_hours_sum":
		return newDoubles(in, c.Source, i, activeHours)
	case "subsession_hours_sum":
		return newDoubles(in, c.Source, i, func(s int64) float64 { return float64(s) / 3600 })
	case "sessions_started_on_this_day":
		return &sessions{in: in, name: c.Source, col: i}
	case "profile_age_in_days":
		return &profileAge{in: in, col: i}
	}
	return nil
}
