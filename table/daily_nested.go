package table

import (
	"bytes"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// branches merges the experiments of a client: the first known branch of each.
type branches struct {
	in   *input
	col  int
	vals []clientBranches
}

type clientBranches struct {
	list  []branch
	index map[string]struct{} // the experiments of a list that is not short
	bytes int                 // of MaxClientBytes
	full  bool                // an experiment was left out
}

type branch struct{ experiment, name []byte }

// shortList is the number of experiments up to which a search without an index is faster.
const shortList = 16

func (m *branches) grow(n int) { m.vals = resize(m.vals, n) }

func (m *branches) reset() {
	clear(m.vals)
	m.vals = m.vals[:0]
}

func (m *branches) add(b *column.Batch, entries []entry) {
	n := m.in.node(b, "experiments")
	if n == nil {
		return
	}
	keys, names := &b.Leaves[n.Key.Leaf], &b.Leaves[n.Elem.Leaf]
	at, key, name := 0, 0, 0
	for _, e := range entries { // entries are the rows in order
		for first := true; at < len(keys.Def) && (first || keys.Rep[at] > 0); first = false {
			if keys.Def[at] == keys.MaxDef {
				if names.Def[at] == names.MaxDef {
					m.keep(&m.vals[e.group], text(keys, int32(key)), text(names, int32(name)))
					name++
				}
				key++
			}
			at++
		}
	}
}

func (m *branches) keep(c *clientBranches, experiment, name []byte) {
	if experiment == nil || name == nil || c.has(experiment) {
		return
	}
	if c.bytes += entryBytes + len(experiment) + len(name); c.full || c.bytes > MaxClientBytes {
		c.full = true
		return
	}
	c.list = append(c.list, branch{m.in.texts.Copy(experiment), m.in.texts.Copy(name)})
	if c.index != nil {
		c.index[string(experiment)] = struct{}{}
	}
}

func (c *clientBranches) has(experiment []byte) bool {
	if c.index == nil && len(c.list) > shortList {
		c.index = make(map[string]struct{}, 2*len(c.list))
		for _, b := range c.list {
			c.index[string(b.experiment)] = struct{}{}
		}
	}
	if c.index != nil {
		_, ok := c.index[string(experiment)]
		return ok
	}
	for _, b := range c.list {
		if string(b.experiment) == string(experiment) {
			return true
		}
	}
	return false
}

func (m *branches) emit(out *column.Batch, from int, groups []int) {
	for i, g := range groups {
		out.Rows = from + i
		m.emitOne(out, &m.vals[g])
	}
}

func (m *branches) emitOne(out *column.Batch, c *clientBranches) {
	n := out.Start(m.col)
	for i, b := range c.list {
		rep := n.ElemRep(i, 0)
		out.StrShared(n.Key, rep, b.experiment)
		out.StrShared(n.Elem, rep, b.name)
	}
	if len(c.list) == 0 {
		out.Empty(n, 0)
	}
	if c.full {
		out.LeaveOut(m.col)
	}
}

// search is an element of search_counts; nil texts are null.
type search struct {
	engine, source []byte
	count          int64
	hasCount       bool
}

// searchWalker steps through search_counts row by row.
type searchWalker struct {
	engine, source, count *column.Leaf
	at, e, s, c           int
	list                  []search
}

func newSearchWalker(in *input, b *column.Batch, list []search) *searchWalker {
	n := in.node(b, "search_counts")
	if n == nil {
		return &searchWalker{}
	}
	f := n.Elem.Fields
	return &searchWalker{
		engine: &b.Leaves[f[0].Leaf], source: &b.Leaves[f[1].Leaf], count: &b.Leaves[f[2].Leaf], list: list,
	}
}

// next returns the elements of the next row, valid until the one after.
func (w *searchWalker) next() []search {
	w.list = w.list[:0]
	if w.count == nil {
		return nil
	}
	const element = 2 // the definition level of an element: column, list
	for first := true; w.at < len(w.count.Def) && (first || w.count.Rep[w.at] > 0); first = false {
		if w.count.Def[w.at] >= element {
			w.list = append(w.list, w.element())
		}
		w.at++
	}
	return w.list
}

func (w *searchWalker) element() (s search) {
	if w.engine.Def[w.at] == w.engine.MaxDef {
		s.engine = text(w.engine, int32(w.e))
		w.e++
	}
	if w.source.Def[w.at] == w.source.MaxDef {
		s.source = text(w.source, int32(w.s))
		w.s++
	}
	if w.count.Def[w.at] == w.count.MaxDef {
		s.count, s.hasCount = w.count.Longs[w.c], true
		w.c++
	}
	return s
}

// searchSums are the search_count columns of clients_daily: one per part of
// the browser and their sum. With probe definitions of a newer browser there are
// further parts, all others together, and the sum of everything.
type searchSums struct {
	in    *input
	all   int // the sum of the first usual parts
	usual int
	other int // the column of others, and the sum of everything; negative: there is none
	sum   int
	part  map[string]int // part of the browser -> index into cols and sums
	cols  []int
	list  []search
	sums  [][]column.Int128
}

func newSearchSums(t *schema.Table, in *input, all int) *searchSums {
	m := &searchSums{in: in, all: all, part: map[string]int{}, other: t.Index("search_count_other"), sum: t.Index("search_count_sap_all")}
	for i, c := range t.Columns {
		if c.Rule == schema.RuleSearches {
			m.part[c.Arg] = len(m.cols)
			m.cols = append(m.cols, i)
			if !c.Probe {
				m.usual++
			}
		}
	}
	if m.other >= 0 {
		m.cols = append(m.cols, m.other)
	}
	m.sums = make([][]column.Int128, len(m.cols))
	return m
}

func (m *searchSums) grow(n int) {
	for i := range m.sums {
		m.sums[i] = resize(m.sums[i], n)
	}
}

func (m *searchSums) reset() {
	for i := range m.sums {
		m.sums[i] = m.sums[i][:0]
	}
}

func (m *searchSums) add(b *column.Batch, entries []entry) {
	w := newSearchWalker(m.in, b, m.list)
	for _, e := range entries { // entries are the rows in order
		for _, s := range w.next() {
			if i := m.column(s.source); i >= 0 && s.count > 0 {
				m.sums[i][e.group] = m.sums[i][e.group].Add(column.Int128Of(s.count))
			}
		}
	}
	m.list = w.list
}

func (m *searchSums) emit(out *column.Batch, from int, groups []int) {
	for r, g := range groups {
		out.Rows = from + r
		all := column.Int128{}
		for i, c := range m.cols {
			setSum(out, c, m.sums[i][g])
			all = all.Add(m.sums[i][g])
			if i == m.usual-1 {
				setSum(out, m.all, all)
			}
		}
		if m.sum >= 0 {
			setSum(out, m.sum, all)
		}
	}
}

// column returns the index in cols of the searches from a part of the browser, negative if they have none. A follow-on
// search, whose part has a colon, is none from the browser.
func (m *searchSums) column(part []byte) int {
	if i, ok := m.part[string(part)]; ok && part != nil {
		return i
	}
	if m.other < 0 || bytes.IndexByte(part, ':') >= 0 {
		return -1
	}
	return len(m.cols) - 1
}

// setSum sets a column to an exact sum, null when it does not fit.
func setSum(out *column.Batch, col int, sum column.Int128) {
	if n, ok := sum.Int64(); ok {
		out.SetLong(col, n)
	}
}
