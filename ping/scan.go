package ping

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// ErrUnbalanced marks a document whose quotes or brackets do not balance, or
// that is not one JSON object.
var ErrUnbalanced = errors.New("not a balanced JSON object")

// Doc is a scanned document. It may be used again for the next one, and not by
// several goroutines at a time.
type Doc struct {
	prog   *Program
	b      []byte
	blocks []block
	flags  indexFlags
	spans  []span // by program node
}

// span is a value's place in the document; end 0 means missing.
type span struct{ start, end uint32 }

// Scan finds the wanted values of the object in b, which must stay unchanged
// while values are used. Documents are expected to be valid JSON; on any other
// bytes the scan ends with an error or with some values, in time and memory
// linear in len(b). Of a member that occurs twice the last one counts.
func (d *Doc) Scan(p *Program, b []byte) error {
	if len(b) > math.MaxInt32 {
		return fmt.Errorf("scan document of %d bytes: more than %d", len(b), math.MaxInt32)
	}
	d.load(b)
	return d.run(p)
}

// load makes the structural index of b.
func (d *Doc) load(b []byte) {
	n := (len(b)+63)/64 + 1
	if cap(d.blocks) < n {
		d.blocks = make([]block, n+n/4)
	}
	d.b, d.blocks = b, d.blocks[:n]
	d.flags = index(b, d.blocks)
}

// run walks the loaded document.
func (d *Doc) run(p *Program) error {
	d.prog = p
	if cap(d.spans) < len(p.nodes) {
		d.spans = make([]span, len(p.nodes))
	}
	d.spans = d.spans[:len(p.nodes)]
	clear(d.spans)
	start := d.skipSpace(0)
	if d.flags&openString != 0 || start >= len(d.b) || d.b[start] != '{' {
		return ErrUnbalanced
	}
	end := d.object(0, start)
	if end < 0 || d.skipSpace(end) != len(d.b) {
		return ErrUnbalanced
	}
	d.spans[0] = span{uint32(start), uint32(end)}
	return nil
}

// Value returns the value at a slot that PathSet.Add gave.
func (d *Doc) Value(s Slot) Value {
	return Value{d, d.spans[d.prog.slots[s]]}
}

// object walks the object that opens at pos, for program node at, and returns
// the position after it, or -1 when it does not close.
func (d *Doc) object(at int32, pos int) int {
	b, node := d.b, &d.prog.nodes[at]
	p := pos + 1
	for {
		if p = d.skipSpace(p); p >= len(b) {
			return -1
		}
		if b[p] != '"' {
			if b[p] == '}' {
				return p + 1
			}
			return -1
		}
		e := d.nextQuote(p + 1)
		v := d.valueAfter(e)
		if v >= len(b) {
			return -1
		}
		if c := d.member(node, b[p+1:e]); c == 0 {
			p = d.skipValue(v)
		} else {
			p = d.wanted(c, v)
		}
		if p < 0 {
			return -1
		}
		if p = d.skipSpace(p); p < len(b) && b[p] == ',' {
			p++
		}
	}
}

// wanted records the value at v for program node c and walks into it.
func (d *Doc) wanted(c int32, v int) int {
	node := &d.prog.nodes[c]
	if d.spans[c].end != 0 { // a duplicate: forget the earlier one whole
		clear(d.spans[c:node.last])
	}
	var end int
	if node.table != nil && d.b[v] == '{' {
		end = d.object(c, v)
	} else {
		end = d.skipValue(v)
	}
	if end < 0 {
		return -1
	}
	d.spans[c] = span{uint32(v), uint32(end)}
	return end
}

// member finds the program node for a key as it is in the document.
func (d *Doc) member(node *progNode, key []byte) int32 {
	c := d.prog.find(node, key)
	if d.flags&backslash != 0 && (c == 0 || d.prog.nodes[c].odd) && bytes.IndexByte(key, '\\') >= 0 {
		return d.prog.find(node, unescape(nil, key))
	}
	return c
}

// valueAfter returns where the value begins that follows the key whose closing
// quote is at e, or len(b).
func (d *Doc) valueAfter(e int) int {
	b := d.b
	p := e + 1
	if p < len(b) && b[p] == ':' { // the common form, without blanks
		p++
		if p < len(b) && b[p] > ' ' {
			return p
		}
		return d.skipSpace(p)
	}
	p = d.skipSpace(p)
	if p >= len(b) || b[p] != ':' {
		return len(b)
	}
	return d.skipSpace(p + 1)
}

// skipValue returns the position after the value that begins at v, or -1.
func (d *Doc) skipValue(v int) int {
	switch d.b[v] {
	case '{', '[':
		return d.skipContainer(v)
	case '"':
		e := d.nextQuote(v + 1)
		if e >= len(d.b) {
			return -1
		}
		return e + 1
	}
	p := d.nextEnd(v)
	for p > v && d.b[p-1] <= ' ' {
		p--
	}
	if p == v { // no value at all
		return -1
	}
	return p
}

func (d *Doc) skipSpace(p int) int {
	b := d.b
	for p < len(b) && (b[p] == ' ' || b[p] == '\n' || b[p] == '\r' || b[p] == '\t') {
		p++
	}
	return p
}

// nextQuote returns the position of the next unescaped quote from p on, or
// len(b) or more when there is none.
func (d *Doc) nextQuote(p int) int {
	w := p >> 6
	if w >= len(d.blocks) {
		return p
	}
	if m := d.blocks[w].quote >> (uint(p) & 63); m != 0 {
		return p + bits.TrailingZeros64(m)
	}
	for w++; w < len(d.blocks); w++ {
		if m := d.blocks[w].quote; m != 0 {
			return w<<6 + bits.TrailingZeros64(m)
		}
	}
	return len(d.b)
}

// nextEnd returns the position of the next separator or closing bracket, which
// ends a literal, or len(b).
func (d *Doc) nextEnd(p int) int {
	w := p >> 6
	if m := (d.blocks[w].sep | d.blocks[w].close) >> (uint(p) & 63); m != 0 {
		return p + bits.TrailingZeros64(m)
	}
	for w++; w < len(d.blocks); w++ {
		if m := d.blocks[w].sep | d.blocks[w].close; m != 0 {
			return w<<6 + bits.TrailingZeros64(m)
		}
	}
	return len(d.b)
}

// skipContainer returns the position after the bracket that closes the one at
// p, or -1. It counts brackets a block at a time and looks closer only where
// the depth can reach zero.
func (d *Doc) skipContainer(p int) int {
	w := p >> 6
	m := ^uint64(0) << (uint(p) & 63)
	open, end := d.blocks[w].open&m, d.blocks[w].close&m
	depth := 0
	for {
		opens, ends := bits.OnesCount64(open), bits.OnesCount64(end)
		if depth <= ends {
			for c, n := end, depth; c != 0; c &= c - 1 {
				n--
				t := bits.TrailingZeros64(c)
				if n+bits.OnesCount64(open&(1<<uint(t)-1)) == 0 {
					return w<<6 + t + 1
				}
			}
		}
		depth += opens - ends
		if w++; w >= len(d.blocks) {
			return -1
		}
		open, end = d.blocks[w].open, d.blocks[w].close
	}
}
