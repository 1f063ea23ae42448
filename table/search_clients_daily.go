package table

import (
	"bytes"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
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
	texts       []*firstTexts // of the measures
	followOn    *followOn     // of the measures
	keys        [4]int
	searches    searchKinds
	bytes       map[string]int // by client: of MaxClientBytes
}

func newSearchDaily(t *schema.Table, in *input) Rows {
	d := &searchDaily{in: in, bytes: map[string]int{}}
	d.groups = newGroups(len(d.keys), &in.texts)
	for i, name := range []string{"client_id", "submission_date", "engine", "source"} {
		d.keys[i] = t.Index(name)
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		switch {
		case c.Rule == schema.RuleSearches:
			d.searches.cols = append(d.searches.cols, kindColumn{i, c.Arg})
		case c.Name == "active_hours_sum": // not rounded as in clients_daily
			d.measures = append(d.measures, newDoubles(in, c.Source, i, func(ticks int64) float64 { return float64(ticks) * 5 / 3600 }))
		case c.Name == "addon_version":
			d.followOn = newFollowOn(in, i, t.Index("active_addons_count_mean"))
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
	in.Finish()
	d.client.load(d.in, in, "client_id")
	d.day.load(d.in, in, "submission_date")
	for _, f := range d.texts {
		f.load(in)
	}
	d.followOn.load(in)
	w := newSearchWalker(d.in, in, d.list)
	d.entries, d.in.begins = d.entries[:0], d.in.begins[:0]
	for r := range in.Rows {
		found := false
		for _, s := range w.next() {
			if s.hasCount && s.count < absurdCount {
				found = true
				d.enter(out, r, s)
			}
		}
		if !found {
			d.enter(out, r, search{})
		}
	}
	d.list = w.list
	for _, m := range d.measures {
		m.grow(d.groups.count)
		m.add(in, d.entries)
	}
	return nil
}

// enter adds one search of row r to its group, unless that is a new one of a
// client with too many.
func (d *searchDaily) enter(out *column.Batch, r int, s search) {
	client, day := text(d.client.leaf, d.client.at[r]), text(d.day.leaf, d.day.at[r])
	g, ok := d.groups.find(client, day, s.engine, s.source)
	if !ok {
		if !d.room(client, r, s) {
			out.LeaveOut(d.keys[2])
			return
		}
		g = d.groups.number(client, day, s.engine, s.source)
		d.in.begins = append(d.in.begins, entry{int32(r), g})
	}
	d.entries = append(d.entries, entry{int32(r), g})
	d.searches.sum = resize(d.searches.sum, d.groups.count)
	d.searches.sum[g] = d.searches.sum[g].Add(column.Int128Of(s.count))
}

// room takes the space of a new group, with the texts that it has of row r, from
// that of its client. There is always room for the group of pings without searches.
func (d *searchDaily) room(client []byte, r int, s search) bool {
	if s.engine == nil && s.source == nil {
		return true
	}
	key := column.AppendKey(nil, client)
	n := d.bytes[string(key)] + entryBytes + len(s.engine) + len(s.source) + d.followOn.textBytes(r)
	for _, f := range d.texts {
		n += len(text(f.loc.leaf, f.loc.at[r]))
	}
	if n > MaxClientBytes {
		return false
	}
	d.bytes[string(key)] = n
	return true
}

func (d *searchDaily) Flush(out *column.Batch, row func() error) error {
	err := appendGroups(out, d.groups.sorted(), row, func(from int, groups []int) {
		for i, g := range groups {
			out.Rows = from + i
			key := d.groups.key(g)
			for part, k := range key {
				if k != nil {
					out.SetKept(d.keys[part], k)
				}
			}
			d.searches.emit(out, g, key[3])
		}
		for _, m := range d.measures {
			m.emit(out, from, groups)
		}
	})
	out.Adopt(&d.in.texts)
	clear(d.bytes)
	d.groups.reset()
	d.searches.sum = d.searches.sum[:0]
	for _, m := range d.measures {
		m.reset()
	}
	return err
}

// searchKinds are the count columns, of which the kind of a group's source
// says which are filled.
type searchKinds struct {
	cols []kindColumn
	sum  []column.Int128
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
	if m.sum[g] == (column.Int128{}) {
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
	versions      [][]byte
	sum, n        []int64
	rowVersion    [][]byte
	rowCount      []int32 // -1: no list
}

// textBytes is the length of a loaded row's version.
func (m *followOn) textBytes(row int) int {
	if row < len(m.rowVersion) {
		return len(m.rowVersion[row])
	}
	return 0
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

// fieldNamed is a struct's member.
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
