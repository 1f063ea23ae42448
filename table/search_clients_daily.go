package table

import (
	"bytes"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// searchDaily aggregates the searches of a day by client, day, engine and
// source. A ping with several engines takes part in several groups; one
// without usable counts in the group with neither engine nor source.
type searchDaily struct {
	searchGroups
	measures []measure
	texts    []*firstTexts // of the measures
}

func newSearchDaily(t *schema.Table, in *input) Rows {
	d := &searchDaily{searchGroups: newSearchGroups(t, in)}
	for i := range t.Columns {
		c := &t.Columns[i]
		switch {
		case c.Name == "active_hours_sum": // not rounded as in clients_daily
			d.measures = append(d.measures, newDoubles(in, c.Source, i, func(ticks int64) float64 { return float64(ticks) * 5 / 3600 }))
		case c.Name == "addon_version":
			d.followOn.version, d.followOn.mean = i, t.Index("active_addons_count_mean")
			d.measures = append(d.measures, d.followOn)
		default:
			if m := newMeasure(in, t.Columns, i); m != nil {
				d.measures = append(d.measures, m)
			}
		}
	}
	for _, m := range d.measures {
		if f, ok := m.(*firstTexts); ok {
			d.texts = append(d.texts, f)
		}
	}
	return d
}

func (d *searchDaily) Add(out, in *column.Batch, _ func() error) error {
	w := d.begin(in)
	for _, f := range d.texts {
		f.load(in)
	}
	for r := range in.Rows {
		found := false
		for _, s := range w.next() {
			if s.usable() {
				found = true
				d.enter(out, r, s, d.room)
			}
		}
		if !found {
			d.enter(out, r, search{}, d.room)
		}
	}
	d.list = w.list
	for _, m := range d.measures {
		m.grow(d.groups.count)
		m.add(in, d.entries)
	}
	return nil
}

// room takes the space of a new group, with the texts that it has of row r, from
// that of its client. There is always room for the group of pings without searches.
func (d *searchDaily) room(r int, s search) bool {
	if s.engine == nil && s.source == nil {
		return true
	}
	n := len(s.engine) + len(s.source) + len(d.followOn.versionOf(r))
	for _, f := range d.texts {
		n += len(text(f.loc.leaf, f.loc.at[r]))
	}
	return d.take(r, n)
}

func (d *searchDaily) Flush(out *column.Batch, row func() error) error {
	err := appendGroups(out, d.groups.sorted(), row, func(from int, groups []int) {
		d.emit(out, from, groups)
		for _, m := range d.measures {
			m.emit(out, from, groups)
		}
	})
	out.Adopt(&d.in.texts)
	d.reset()
	for _, m := range d.measures {
		m.reset()
	}
	return err
}

// followOnAddon is the add-on whose version search_clients_daily shows.
var followOnAddon = []byte("followonsearch@mozilla.com")

// followOn is the version of the follow-on search add-on and the mean number
// of active add-ons, both from active_addons.
type followOn struct {
	in            *input
	version, mean int
	versions      [][]byte
	sum, n        []int64
	rowVersion    [][]byte
	rowCount      []int32 // -1: no list
}

// versionOf returns the version of the add-on in a loaded row, nil if there is none.
func (m *followOn) versionOf(row int) []byte {
	if row < len(m.rowVersion) {
		return m.rowVersion[row]
	}
	return nil
}

func newFollowOn(in *input) *followOn { return &followOn{in: in} }

func (m *followOn) grow(n int) {
	m.versions, m.sum, m.n = resize(m.versions, n), resize(m.sum, n), resize(m.n, n)
}

func (m *followOn) reset() {
	clear(m.versions)
	m.versions, m.sum, m.n = m.versions[:0], m.sum[:0], m.n[:0]
}

// load reads count and version of every row's add-ons, before add.
func (m *followOn) load(b *column.Batch) {
	m.rowVersion, m.rowCount = m.rowVersion[:0], m.rowCount[:0]
	n := m.in.node(b, "active_addons")
	if n == nil {
		return
	}
	ids, versions := &b.Leaves[n.Elem.Fields[0].Leaf], &b.Leaves[fieldNamed(n.Elem, "version").Leaf]
	id, version, row := 0, 0, -1
	matched := false
	for at, def := range ids.Def {
		if ids.Rep[at] == 0 {
			row++
			matched = false
			m.rowVersion, m.rowCount = append(m.rowVersion, nil), append(m.rowCount, -1)
			if def >= n.Def {
				m.rowCount[row] = 0
			}
		}
		hasVersion := versions.Def[at] == versions.MaxDef
		if def == ids.MaxDef {
			m.rowCount[row]++
			if !matched && bytes.Equal(ids.Bytes[id], followOnAddon) {
				matched = true
				if hasVersion {
					m.rowVersion[row] = text(versions, int32(version))
				}
			}
			id++
		}
		if hasVersion {
			version++
		}
	}
}

// fieldNamed returns a struct's member.
func fieldNamed(n *column.Node, name string) *column.Node {
	for i, f := range n.FieldNames {
		if f == name {
			return n.Fields[i]
		}
	}
	return nil
}

func (m *followOn) add(_ *column.Batch, entries []entry) {
	if len(m.rowCount) == 0 {
		return
	}
	var last []byte
	row := int32(-1)
	for _, e := range entries {
		if v := m.rowVersion[e.row]; v != nil && m.versions[e.group] == nil {
			if e.row != row {
				last, row = m.in.texts.Copy(v), e.row
			}
			m.versions[e.group] = last
		}
		if c := m.rowCount[e.row]; c >= 0 {
			m.sum[e.group] += int64(c)
			m.n[e.group]++
		}
	}
}

func (m *followOn) emit(out *column.Batch, from int, groups []int) {
	out.SetTexts(m.version, from, groups, m.versions)
	for i, g := range groups {
		if m.n[g] > 0 {
			out.Rows = from + i
			out.SetDouble(m.mean, float64(m.sum[g])/float64(m.n[g]))
		}
	}
}
