package parquet

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/table/column"
)

// guard checks that the levels and values of a batch describe rows. Parquet
// libraries write whatever they are given, and a reader would see values in
// the wrong rows, or empty texts in place of a missing required value.
type guard struct {
	leaves []leafRule
	pairs  []pairRule
}

// leafRule checks the levels of one leaf: an entry that repeats at
// level r, and the one before it, must be defined at least to exists[r], where
// the element of that repetition exists.
type leafRule struct {
	exists []int16 // by repetition level; [0] is 0
}

// pairRule means that two leaves lie below one node, so that up to it (definition level def, repetition level rep) they
// must say the same.
type pairRule struct {
	a, b     int
	def, rep int16
}

func newGuard(b *column.Batch) *guard {
	g := &guard{}
	for i := range b.Columns {
		g.visit(b.Node(i), []int16{0})
	}
	return g
}

func (g *guard) visit(n *column.Node, exists []int16) {
	children := n.Fields
	def, rep := n.Def, n.Rep
	if n.Elem != nil {
		def, rep = def+1, rep+1
		exists = append(slices.Clone(exists), def)
		children = []*column.Node{n.Elem}
		if n.Key != nil {
			children = []*column.Node{n.Key, n.Elem}
		}
	}
	if len(children) == 0 {
		g.leaves = append(g.leaves, leafRule{exists})
	}
	for i, c := range children {
		if i > 0 && def > 0 {
			g.pairs = append(g.pairs, pairRule{children[0].Leaf, c.Leaf, def, rep})
		}
		g.visit(c, exists)
	}
}

// check returns what is wrong with a finished batch, or nil.
func (g *guard) check(b *column.Batch) error {
	for i := range b.Leaves {
		l := &b.Leaves[i]
		if err := g.leaves[i].check(l, b.Rows); err != nil {
			return fmt.Errorf("column %s: %w", strings.Join(l.Path, "."), err)
		}
	}
	for _, p := range g.pairs {
		one, other := &b.Leaves[p.a], &b.Leaves[p.b]
		if !p.agree(one, other) {
			return fmt.Errorf("column %s: its levels disagree with those of %s",
				strings.Join(other.Path, "."), strings.Join(one.Path, "."))
		}
	}
	return nil
}

func (r leafRule) check(l *column.Leaf, rows int) error {
	defined := l.Values()
	if l.MaxDef == 0 {
		if defined != rows {
			return fmt.Errorf("%d values in %d rows although it is required", defined, rows)
		}
		return nil
	}
	if r.good(l, rows, defined) {
		return nil
	}
	return r.fault(l, rows, defined)
}

// fault looks closer at levels that are not plainly good. It returns nil if they are equal.
func (r leafRule) fault(l *column.Leaf, rows, defined int) error {
	if err := r.checkRep(l, rows); err != nil {
		return err
	}
	want := 0
	for _, d := range l.Def {
		if uint16(d) > uint16(l.MaxDef) {
			return fmt.Errorf("definition level %d, at most %d is possible", d, l.MaxDef)
		}
		if d == l.MaxDef {
			want++
		}
	}
	if defined != want {
		return fmt.Errorf("%d values where levels define %d", defined, want)
	}
	return nil
}

func (r leafRule) checkRep(l *column.Leaf, rows int) error {
	if l.MaxRep == 0 {
		if len(l.Def) != rows {
			return fmt.Errorf("%d levels in %d rows", len(l.Def), rows)
		}
		return nil
	}
	if len(l.Rep) != len(l.Def) {
		return fmt.Errorf("%d repetition and %d definition levels", len(l.Rep), len(l.Def))
	}
	starts, last := 0, int16(-1)
	for i, rep := range l.Rep {
		if rep == 0 {
			starts++
		} else if uint16(rep) > uint16(l.MaxRep) || min(last, l.Def[i]) < r.exists[rep] {
			return fmt.Errorf("repetition level %d at entry %d has nothing to repeat", rep, i)
		}
		last = l.Def[i]
	}
	if starts != rows || rows > 0 && l.Rep[0] != 0 {
		return fmt.Errorf("levels of %d rows instead of %d", starts, rows)
	}
	return nil
}

func (p pairRule) agree(one, other *column.Leaf) bool {
	if one.MaxRep == p.rep && other.MaxRep == p.rep {
		return bytes.Equal(bytesOf(one.Rep), bytesOf(other.Rep)) && len(one.Def) == len(other.Def) &&
			alike(one.Def, other.Def, p.def)
	}
	return p.agreeDeep(one, other)
}

// agreeDeep compares two leaves if one has further repetition below the common node: only entries that begin something
// at or above it count.
func (p pairRule) agreeDeep(one, other *column.Leaf) bool {
	i, j := 0, 0
	for {
		i, j = p.next(one, i), p.next(other, j)
		endOne, endOther := i == len(one.Def), j == len(other.Def)
		if endOne || endOther {
			return endOne && endOther
		}
		if repAt(one, i) != repAt(other, j) || min(one.Def[i], p.def) != min(other.Def[j], p.def) {
			return false
		}
		i, j = i+1, j+1
	}
}

func (p pairRule) next(l *column.Leaf, i int) int {
	for i < len(l.Def) && repAt(l, i) > p.rep {
		i++
	}
	return i
}

func repAt(l *column.Leaf, i int) int16 {
	if l.MaxRep == 0 {
		return 0
	}
	return l.Rep[i]
}
