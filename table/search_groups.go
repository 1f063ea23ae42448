package table

import (
	"bytes"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// absurdCount is the count of searches that no client makes in a subsession.
const absurdCount = 10000

// searchGroups sums the searches of rows in groups by the columns of rule schema.RuleKey. One row takes part in a group for
// each of its searches.
type searchGroups struct {
	in       *input
	groups   groups
	client   located
	keys     []searchKey
	key      [][]byte // of the search at hand
	followOn *followOn
	searches searchKinds
	entries  []entry
	list     []search
	bytes    map[string]int // by client: of MaxClientBytes
}

// searchKey is a part of the key: a column of the row, or a member of the search if part is not nil.
type searchKey struct {
	col  int
	name string // of the column
	part func(d *searchGroups, row int, s search) []byte
	loc  located
}

// searchParts are the parts of keys that are not columns of main_summary, by name.
var searchParts = map[string]func(d *searchGroups, row int, s search) []byte{
	"engine":        func(_ *searchGroups, _ int, s search) []byte { return s.engine },
	"source":        func(_ *searchGroups, _ int, s search) []byte { return s.source },
	"addon_version": func(d *searchGroups, row int, _ search) []byte { return d.followOn.versionOf(row) },
}

func newSearchGroups(t *schema.Table, in *input) searchGroups {
	d := searchGroups{in: in, followOn: newFollowOn(in), bytes: map[string]int{}}
	for i := range t.Columns {
		switch c := &t.Columns[i]; c.Rule {
		case schema.RuleSearches:
			d.searches.cols = append(d.searches.cols, kindColumn{i, c.Arg})
		case schema.RuleKey:
			d.keys = append(d.keys, searchKey{col: i, name: c.Name, part: searchParts[c.Name]})
			if c.Name == "source" {
				d.searches.source = len(d.keys) - 1
			}
			if c.Name == "engine" {
				d.searches.engine = i
			}
		}
	}
	d.key = make([][]byte, len(d.keys))
	d.groups = newGroups(len(d.keys))
	return d
}

// begin loads the columns of a batch, and returns its searches.
func (d *searchGroups) begin(in *column.Batch) *searchWalker {
	in.Finish()
	d.client.load(d.in, in, "client_id")
	for i := range d.keys {
		if k := &d.keys[i]; k.part == nil {
			k.loc.load(d.in, in, k.name)
		}
	}
	d.followOn.load(in)
	d.entries, d.in.begins = d.entries[:0], d.in.begins[:0]
	return newSearchWalker(d.in, in, d.list)
}

// usable reports whether a search counts.
func (s *search) usable() bool { return s.hasCount && s.count < absurdCount }

// enter adds one search of row r to its group. room is called before a group begins, and reports whether it may.
func (d *searchGroups) enter(out *column.Batch, r int, s search, room func(r int, s search) bool) {
	for i := range d.keys {
		if k := &d.keys[i]; k.part != nil {
			d.key[i] = k.part(d, r, s)
		} else {
			d.key[i] = text(k.loc.leaf, k.loc.at[r])
		}
	}
	g, ok := d.groups.find(d.key...)
	if !ok {
		if !room(r, s) {
			out.LeaveOut(d.searches.engine)
			return
		}
		g = d.groups.number(d.key...)
		d.in.begins = append(d.in.begins, entry{int32(r), g})
	}
	d.entries = append(d.entries, entry{int32(r), g})
	d.searches.sum = resize(d.searches.sum, d.groups.count)
	d.searches.sum[g] = d.searches.sum[g].Add(column.Int128Of(s.count))
}

// take takes the space of a group of row r, with n bytes of texts, from that of its client. It reports whether there was
// as much.
func (d *searchGroups) take(r, n int) bool {
	key := column.AppendKey(nil, text(d.client.leaf, d.client.at[r]))
	if n += d.bytes[string(key)] + entryBytes; n > MaxClientBytes {
		return false
	}
	d.bytes[string(key)] = n
	return true
}

// emit sets the key and the counts of groups in rows from one on.
func (d *searchGroups) emit(out *column.Batch, from int, groups []int) {
	for i, g := range groups {
		out.Rows = from + i
		key := d.groups.key(g)
		for part, k := range key {
			if k != nil {
				out.SetShared(d.keys[part].col, k)
			}
		}
		d.searches.emit(out, g, key[d.searches.source])
	}
}

func (d *searchGroups) reset() {
	clear(d.bytes)
	d.groups.reset()
	d.searches.sum = d.searches.sum[:0]
}

// searchKinds lists the count columns. The kind of a group's source selects the filled ones.
type searchKinds struct {
	cols   []kindColumn
	engine int // the column
	source int // the part of the key
	sum    []column.Int128
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
