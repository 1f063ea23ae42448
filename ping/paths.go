package ping

import (
	"sort"
	"strings"
)

// Slot names one wanted path of a Program.
type Slot int32

// PathSet collects the member paths that a scan looks for.
type PathSet struct {
	root  pathNode
	count Slot
}

type pathNode struct {
	children map[string]*pathNode
	slot     Slot // number given by Add, in order of first mention
}

// Add adds a member path and returns its slot. The same path always gets the same slot.
func (p *PathSet) Add(path ...string) Slot {
	n := &p.root
	for _, name := range path {
		c := n.children[name]
		if c == nil {
			p.count++
			c = &pathNode{slot: p.count}
			if n.children == nil {
				n.children = map[string]*pathNode{}
			}
			n.children[name] = c
		}
		n = c
	}
	return n.slot
}

// Program is a compiled PathSet: its nodes in depth-first order, so that all nodes below one follow it
// directly, each with a hash table of its members.
type Program struct {
	nodes []progNode
	slots []int32 // node by slot
}

type progNode struct {
	words keyWords // of the name
	name  string
	odd   bool    // the name holds a backslash, so no unescaped key equals it
	last  int32   // index after the last node below this one
	shift uint8   // right shift of a hash that leaves an index of the table
	table []int32 // nodes, 0: none, since the root is never a member; open addressing, at most a quarter full; nil: no members wanted

	histogram histogramNode
}

// Compile builds the program. The set must not be extended afterwards.
func (p *PathSet) Compile() *Program {
	prog := &Program{slots: make([]int32, p.count+1)}
	prog.add(&p.root, "")
	return prog
}

func (p *Program) add(n *pathNode, name string) int32 {
	at := int32(len(p.nodes))
	p.nodes = append(p.nodes, progNode{
		words: wordsOf([]byte(name), 0, len(name)), name: name, odd: strings.Contains(name, `\`),
	})
	p.slots[n.slot] = at
	names := make([]string, 0, len(n.children))
	for c := range n.children {
		names = append(names, c)
	}
	sort.Strings(names)
	size, shift := 4, uint8(62)
	for size < 4*len(names) {
		size, shift = 2*size, shift-1
	}
	var table []int32
	if len(names) > 0 {
		table = make([]int32, size)
	}
	for _, c := range names {
		node := p.add(n.children[c], c)
		i := p.nodes[node].words.hash() >> shift
		for table[i] != 0 {
			i = (i + 1) & uint64(size-1)
		}
		table[i] = node
	}
	p.nodes[at].table, p.nodes[at].shift = table, shift
	p.setHistogram(&p.nodes[at])
	p.nodes[at].last = int32(len(p.nodes))
	return at
}

// find returns the wanted member of a node with the name b[from:to], or 0.
func (p *Program) find(n *progNode, b []byte, from, to int) int32 {
	if len(n.table) == 0 {
		return 0
	}
	length := to - from
	if length == 0 || to < 8 || from+8 > len(b) {
		return p.findOther(n, b, from, to)
	}
	words := loadWords(b, from, to)
	table := n.table
	for i := words.hash() >> (n.shift & 63); ; i++ {
		c := table[i&uint64(len(table)-1)]
		if c == 0 {
			return 0
		}
		is := &p.nodes[c]
		if is.words == words && len(is.name) == length &&
			(length <= wholeKey || is.name == string(b[from:to])) {
			return c
		}
	}
}

// findOther works like find, for any name.
func (p *Program) findOther(n *progNode, b []byte, from, to int) int32 {
	w := wordsOf(b, from, to)
	for i := w.hash() >> (n.shift & 63); ; i++ {
		c := n.table[i&uint64(len(n.table)-1)]
		if c == 0 || p.nodes[c].name == string(b[from:to]) {
			return c
		}
	}
}
