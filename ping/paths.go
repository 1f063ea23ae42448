package ping

import (
	"encoding/binary"
	"sort"
	"strings"
)

// Slot names one wanted path of a Program.
type Slot int32

// PathSet collects the member paths that a scan shall find.
type PathSet struct {
	root  pathNode
	count Slot
}

type pathNode struct {
	children map[string]*pathNode
	slot     Slot // number given by Add, in order of first mention
}

// Add wants the value at a member path. The same path gives the same slot.
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

// Program is a compiled PathSet: its nodes in depth-first order, so that all
// nodes below one follow it directly, each with a hash table of its members.
type Program struct {
	nodes []progNode
	slots []int32 // node by slot
}

type progNode struct {
	name  string
	odd   bool  // the name holds a backslash, so that no key equals it as it is
	last  int32 // index after the last node below this one
	mask  uint32
	table []progEntry // open addressing, at most a quarter full; nil: no members wanted
}

type progEntry struct {
	hash uint64
	node int32 // 0: empty, since the root is no one's member
}

// Compile makes the program. The set may not be added to afterwards.
func (p *PathSet) Compile() *Program {
	prog := &Program{slots: make([]int32, p.count+1)}
	prog.add(&p.root, "")
	return prog
}

func (p *Program) add(n *pathNode, name string) int32 {
	at := int32(len(p.nodes))
	p.nodes = append(p.nodes, progNode{name: name, odd: strings.Contains(name, `\`)})
	p.slots[n.slot] = at
	names := make([]string, 0, len(n.children))
	for c := range n.children {
		names = append(names, c)
	}
	sort.Strings(names)
	size := 4
	for size < 4*len(names) {
		size *= 2
	}
	var table []progEntry
	if len(names) > 0 {
		table = make([]progEntry, size)
	}
	mask := uint32(size - 1)
	for _, c := range names {
		e := progEntry{hash: hashKey([]byte(c)), node: p.add(n.children[c], c)}
		i := uint32(e.hash) & mask
		for table[i].node != 0 {
			i = (i + 1) & mask
		}
		table[i] = e
	}
	p.nodes[at].table, p.nodes[at].mask = table, mask
	p.nodes[at].last = int32(len(p.nodes))
	return at
}

// hashKey mixes the length, the first and last eight bytes and eight from the
// middle: enough for different hashes of probe names, whose differences can be there.
func hashKey(k []byte) uint64 {
	n := len(k)
	var a, b, c uint64
	switch {
	case n >= 8:
		a = binary.LittleEndian.Uint64(k)
		b = binary.LittleEndian.Uint64(k[n-8:])
		c = binary.LittleEndian.Uint64(k[(n-8)/2:])
	case n >= 4:
		a = uint64(binary.LittleEndian.Uint32(k))
		b = uint64(binary.LittleEndian.Uint32(k[n-4:]))
	case n > 0:
		a = uint64(k[0])<<16 | uint64(k[n/2])<<8 | uint64(k[n-1])
	}
	h := a*0x9E3779B97F4A7C15 ^ b*0xC2B2AE3D27D4EB4F ^ c*0x165667B19E3779F9 ^ uint64(n)
	h ^= h >> 29
	h *= 0x9FB21C651E98DF25
	return h ^ h>>32
}

// find looks a member name up among the wanted ones of a node.
func (p *Program) find(n *progNode, key []byte) int32 {
	if n.table == nil {
		return 0
	}
	h := hashKey(key)
	for i := uint32(h) & n.mask; ; i = (i + 1) & n.mask {
		e := &n.table[i]
		if e.node == 0 {
			return 0
		}
		if e.hash == h && p.nodes[e.node].name == string(key) {
			return e.node
		}
	}
}
