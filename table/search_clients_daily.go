package table

import (
	"bytes"

	"github.com/apache/arrow-go/v18/arrow/decimal128"

	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/schema"
)

// absurdCount is the count of searches that no client makes in a subsession.
const absurdCount = 10000

// searchDaily aggregates the searches of a day by client, day, engine and
// source. A ping with several engines takes part in several groups; one
// without usable counts in the group with neither engine nor source.
type searchDaily struct {
	in          *input
	groups      groups
	client, day located
	entries     []entry
	list        []search
	measures    []measure
	keys        [4]int
	searches    searchKinds
}

func newSearchDaily(t *schema.Table, in *input) *searchDaily {
	d := &searchDaily{in: in}
	for i, name := range []string{"client_id", "submission_date", "engine", "source"} {
		d.keys[i] = t.Index(name)
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		switch {
		case c.Rule == schema.RulePartition:
			d.measures = append(d.measures, newFirst(in, "submission_date_obj", i, schema.String))
		case c.Rule == schema.RuleSearches:
			d.searches.cols = append(d.searches.cols, kindColumn{i, c.Arg})
		case c.Name == "active_hours_sum": // not rounded as in clients_daily
			d.measures = append(d.measures, &doubles{in: in, name: c.Source, col: i, of: func(ticks int64) float64 { return float64(ticks) * 5 / 3600 }})
		case c.Name == "addon_version":
			d.measures = append(d.measures, newFollowOn(in, i, t.Index("active_addons_count_mean")))
		default:
			if m := newMeasure(in, t.Columns, i); m != nil {
				d.measures = append(d.measures, m)
			}
		}
	}
	return d
}

func (d *searchDaily) Add(_, in *column.Batch) {
	in.Finish()
	d.client.load(d.in, in, "client_id")
	d.day.load(d.in, in, "submission_date")
	w := newSearchWalker(d.in, in, d.list)
	d.entries = d.entries[:0]
	for r := range in.Rows {
		found := false
		for _, s := range w.next() {
			if s.hasCount && s.count < absurdCount {
				found = true
				d.enter(r, s)
			}
		}
		if !found {
			d.enter(r, search{})
		}
	}
	d.list = w.list
	for _, m := range d.measures {
		m.grow(len(d.groups.keys))
		m.add(in, d.entries)
	}
}

// enter adds one search of row r to its group.
func (d *searchDaily) enter(r int, s search) {
	g := d.groups.number(text(d.client.leaf, d.client.at[r]), text(d.day.leaf, d.day.at[r]), s.engine, s.source)
	d.entries = append(d.entries, entry{int32(r), g})
	d.searches.sum = resize(d.searches.sum, len(d.groups.keys))
	d.searches.sum[g] = d.searches.sum[g].Add(decimal128.FromI64(s.count))
}

func (d *searchDaily) Flush(out *column.Batch) {
	for _, g := range d.groups.sorted() {
		for i, k := range d.groups.keys[g] {
			if k != nil {
				out.SetBytes(d.keys[i], k)
			}
		}
		d.searches.emit(out, g, d.groups.keys[g][3])
		for _, m := range d.measures {
			m.emit(out, g)
		}
		out.EndRow()
	}
	d.groups.reset()
	d.searches.sum = d.searches.sum[:0]
	for _, m := range d.measures {
		m.reset()
	}
}

// searchKinds are the count columns, of which the kind of a group's source
// says which are filled.
type searchKinds struct {
	cols []kindColumn
	sum  []decimal128.Num
}

type kindColumn struct {
	col  int
	kind string
}

func kindOf(source []byte) string {
	switch {
	case bytes.HasPrefix(source, []byte("sap:")):
		return "tagged-sap"
	case bytes.HasPrefix(source, []byte("follow-on:")):
		return "tagged-follow-on"
	}
	return "sap"
}

func (m *searchKinds) emit(out *column.Batch, g int, source []byte) {
	if m.sum[g] == (decimal128.Num{}) {
		return
	}
	kind := kindOf(source)
	for _, c := range m.cols {
		if c.kind == kind {
			setSum(out, c.col, m.sum[g])
		}
	}
}

// followOnAddon is the add-on whose version search_clients_daily shows.
var followOnAddon = []byte("followonsearch@mozilla.com")

// followOn is the version of the follow-on search add-on and the mean number
// of active add-ons, both from active_addons.
type followOn struct {
	in            *input
	version, mean int
	arena         column.Arena
	versions      [][]byte
	sum, n        []int64
	rowVersion    [][]byte
	rowCount      []int32 // -1: no list
}

func newFollowOn(in *input, version, mean int) *followOn {
	return &followOn{in: in, version: version, mean: mean}
}

func (m *followOn) grow(n int) {
	m.versions, m.sum, m.n = resize(m.versions, n), resize(m.sum, n), resize(m.n, n)
}

func (m *followOn) reset() {
	clear(m.versions)
	m.versions, m.sum, m.n = m.versions[:0], m.sum[:0], m.n[:0]
	m.arena.Reset()
}

// load reads count and version of every row's add-ons.
func (m *followOn) load(b *column.Batch) bool {
	n := m.in.node(b, "active_addons")
	if n == nil {
		return false
	}
	m.rowVersion, m.rowCount = m.rowVersion[:0], m.rowCount[:0]
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
					m.rowVersion[row] = known(versions.Bytes[version])
				}
			}
			id++
		}
		if hasVersion {
			version++
		}
	}
	return true
}

// fieldNamed is a struct's member.
func fieldNamed(n *column.Node, name string) *column.Node {
	for i, f := range n.FieldNames {
		if f == name {
			return n.Fields[i]
		}
	}
	return nil
}

func (m *followOn) add(b *column.Batch, entries []entry) {
	if !m.load(b) {
		return
	}
	for _, e := range entries {
		if v := m.rowVersion[e.row]; v != nil && m.versions[e.group] == nil {
			m.versions[e.group] = m.arena.Copy(v)
		}
		if c := m.rowCount[e.row]; c >= 0 {
			m.sum[e.group] += int64(c)
			m.n[e.group]++
		}
	}
}

func (m *followOn) emit(out *column.Batch, g int) {
	if v := m.versions[g]; v != nil {
		out.SetBytes(m.version, v)
	}
	if m.n[g] > 0 {
		out.SetDouble(m.mean, float64(m.sum[g])/float64(m.n[g]))
	}
}
