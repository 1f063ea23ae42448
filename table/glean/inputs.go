package glean

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// documentID is the column that orders pings of the same time.
const documentID = "document_id"

// computedFrom are the columns and members that computed columns are made from.
var computedFrom = []struct{ path, typ string }{
	{"submission_timestamp", "timestamp"}, {documentID, "string"}, {"ping_info/end_time", "string"},
	{"client_info/client_id", "string"}, {"client_info/first_run_date", "string"},
	{"metrics/timespan/glean_baseline_duration", "struct<time_unit:string,value:long>"},
	{"metrics/counter/browser_engagement_uri_count", "long"}, {"metrics/counter/browser_engagement_active_ticks", "long"},
	{"metrics/boolean/usage_is_default_browser", "boolean"},
	{"metrics/uuid/usage_profile_id", "string"}, {"metrics/datetime/raw_usage_first_run_date", "string"},
}

// Inputs returns the columns of rows of a ping's table that a table of clients is made from, as far as the program
// knows them: for rows that are in no published table.
func Inputs(t *schema.Table) []schema.Column {
	root := &shape{}
	for _, computed := range computedFrom {
		root.add(strings.Split(computed.path, "/"), schema.MustType(computed.typ))
	}
	for _, c := range t.Columns {
		if c.Rule == schema.RuleKey || c.Rule == schema.RuleFunc {
			continue
		}
		for _, source := range sources(&c) {
			root.add(source, c.Type)
		}
	}
	var columns []schema.Column
	for _, f := range root.members {
		columns = append(columns, schema.Column{Name: f.name, Type: f.typ()})
	}
	return columns
}

// shape is a column or member, or the root.
type shape struct {
	name    string
	leaf    schema.Type
	members []*shape
}

func (s *shape) add(path []string, typ schema.Type) {
	if len(path) == 0 {
		s.leaf = typ
		return
	}
	i := slices.IndexFunc(s.members, func(m *shape) bool { return m.name == path[0] })
	if i < 0 {
		i = len(s.members)
		s.members = append(s.members, &shape{name: path[0]})
	}
	s.members[i].add(path[1:], typ)
}

func (s *shape) typ() schema.Type {
	if len(s.members) == 0 {
		return s.leaf
	}
	t := schema.Type{Kind: schema.Struct}
	for _, m := range s.members {
		t.Fields = append(t.Fields, schema.Field{Name: m.name, Type: m.typ()})
	}
	return t
}

// sources returns the paths of a column's sources in the rows of a ping's table; the first one with a value counts.
func sources(c *schema.Column) (all [][]string) {
	switch c.Rule {
	case schema.RuleFunc, schema.RulePartition, schema.RuleCopy:
		if !strings.Contains(c.Source, "/") {
			return nil
		}
	}
	if c.Rule == schema.RulePartition {
		return nil
	}
	for s := range strings.SplitSeq(c.Source, ", ") {
		all = append(all, strings.Split(s, "/"))
	}
	return all
}

// rows are rows of a table that other rows are made from.
type rows struct {
	*column.Index
	b *column.Batch
}

func newRows(b *column.Batch) *rows { return new(rows).reset(b) }

// reset makes the rows those of another batch, and reuses their memory.
func (in *rows) reset(b *column.Batch) *rows {
	if in.Index == nil {
		in.Index = new(column.Index)
	}
	in.Index.Reset(b)
	in.b = b
	return in
}

// text is a column or member that is a text.
type text struct {
	in   *rows
	leaf int // -1: the rows lack it
}

func (in *rows) text(path ...string) text {
	if n := column.Find(in.b, path...); n != nil && n.Type.Kind == schema.String {
		return text{in, n.Leaf}
	}
	return text{in, -1}
}

// value returns the text of a row, nil if it is null.
func (t text) value(row int) []byte {
	if t.leaf < 0 {
		return nil
	}
	if at, ok := t.in.Has(t.leaf, row); ok {
		return t.in.b.Leaves[t.leaf].Bytes[at]
	}
	return nil
}

// number is a column or member that is a long or a timestamp.
type number struct{ text }

func (in *rows) number(path ...string) number {
	if n := column.Find(in.b, path...); n != nil && n.Type.Kind.Stored() == schema.Long {
		return number{text{in, n.Leaf}}
	}
	return number{text{in, -1}}
}

func (n number) value(row int) (v int64, ok bool) {
	if n.leaf < 0 {
		return 0, false
	}
	at, ok := n.in.Has(n.leaf, row)
	if ok {
		v = n.in.b.Leaves[n.leaf].Longs[at]
	}
	return v, ok
}

// boolean returns the function that reports whether a boolean column of a row is true.
func (in *rows) boolean(path ...string) func(row int) bool {
	n := column.Find(in.b, path...)
	if n == nil {
		return func(int) bool { return false }
	}
	return func(row int) bool {
		at, ok := in.Has(n.Leaf, row)
		return ok && in.b.Leaves[n.Leaf].Bools[at]
	}
}

// client is the rows of one client in the order of the pings.
type client struct {
	id     []byte // in lower case
	key    ID
	sample int64
	rows   []int
}

// clients are the clients of rows, in the order of their samples and ids.
type clients struct {
	*rows
	all   []client
	owner []int32 // by row: the client in all; -1: none
	first []int32 // by client: see seen
}

// byClient groups the rows by a client id. It leaves out rows whose id is no UUID, and clients for which has returns false.
func (in *rows) byClient(id text, has func(*client) bool) *clients {
	g := &clients{rows: in, owner: make([]int32, in.Rows())}
	numbers := map[ID]int32{}
	var sizes []int
	for row := range g.owner {
		v := id.value(row)
		key, ok := ParseID(v)
		if !ok {
			g.owner[row] = -1
			continue
		}
		n, ok := numbers[key]
		if !ok {
			v = lower(v)
			n = int32(len(g.all))
			numbers[key], g.all, sizes = n, append(g.all, client{id: v, key: key, sample: ping.SampleOf(v)}), append(sizes, 0)
		}
		g.owner[row] = n
		sizes[n]++
	}
	memory := make([]int, in.Rows())
	for n, size := range sizes {
		g.all[n].rows, memory = memory[:0:size], memory[size:]
	}
	for row, n := range g.owner {
		if n >= 0 {
			g.all[n].rows = append(g.all[n].rows, row)
			g.owner[row] = -1
		}
	}
	g.all = slices.DeleteFunc(g.all, func(c client) bool { return !has(&c) })
	in.sort(g.all)
	g.all = ordered(g.all)
	for n := range g.all {
		for _, row := range g.all[n].rows {
			g.owner[row] = int32(n)
		}
	}
	return g
}

// ordered returns clients in the order of their samples and ids.
func ordered(all []client) []client {
	type place struct {
		begin  uint64 // the sample, and the first bytes of the id
		number int
	}
	places := make([]place, len(all))
	for n := range all {
		places[n] = place{uint64(all[n].sample)<<56 | binary.BigEndian.Uint64(all[n].key[:])>>8, n}
	}
	slices.SortFunc(places, func(a, b place) int {
		if a.begin != b.begin {
			return cmp.Compare(a.begin, b.begin)
		}
		return bytes.Compare(all[a.number].key[:], all[b.number].key[:])
	})
	out := make([]client, len(all))
	for n, p := range places {
		out[n] = all[p.number]
	}
	return out
}

// sort puts the rows of each client into the order of their arrival, which files mostly have.
func (in *rows) sort(all []client) {
	at, document := in.number("submission_timestamp"), in.text(documentID)
	order := func(a, b int) int {
		x, _ := at.value(a)
		y, _ := at.value(b)
		if x != y {
			return cmp.Compare(x, y)
		}
		return cmp.Or(bytes.Compare(document.value(a), document.value(b)), a-b)
	}
	for i := range all {
		if !slices.IsSortedFunc(all[i].rows, order) {
			slices.SortFunc(all[i].rows, order)
		}
	}
}

// lower returns a text in lower case: itself if it is so.
func lower(text []byte) []byte {
	if slices.ContainsFunc(text, func(c byte) bool { return c >= 'A' && c <= 'Z' }) {
		return bytes.ToLower(text)
	}
	return text
}
