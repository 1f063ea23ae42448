package ping

import (
	"errors"
	"fmt"
	"math"
)

// ErrUnbalanced means the quotes or brackets of a document do not balance, or it is not one JSON object.
var ErrUnbalanced = errors.New("not a balanced JSON object")

// Doc is a scanned document. It can be reused for another document. Several goroutines must not use it at once.
type Doc struct {
	prog   *Program
	b      []byte
	blocks []block
	rare   []uint64 // by block, of a validated document: see Counts
	flags  indexFlags
	slash  partFlags // which parts have a backslash
	spans  []span    // by program node
	ends   ends      // of a validated document
	found  int       // number of ends; next is the index of the one that may follow
	next   int
}

// span is a value's place in the document; end 0 means missing.
type span struct{ start, end uint32 }

// Scan finds the wanted values of the object in b, which must not change while values are used. b should be
// valid JSON. For other bytes the scan ends with an error or misses values, in time and memory linear in
// len(b). If a member occurs twice, the last one wins.
func (d *Doc) Scan(p *Program, b []byte) error {
	if len(b) > math.MaxInt32 {
		return fmt.Errorf("scan document of %d bytes: more than %d", len(b), math.MaxInt32)
	}
	d.load(b)
	d.rare, d.found = d.rare[:0], 0
	return d.run(p)
}

// ScanValid does Validate and Scan in one pass over b. The error is a *SyntaxError or an error of Scan. For a
// valid document that is not an object the error is ErrUnbalanced; it can be walked nevertheless.
func (d *Doc) ScanValid(p *Program, b []byte) (err error) {
	if len(b) > math.MaxInt32 {
		return fmt.Errorf("scan document of %d bytes: more than %d", len(b), math.MaxInt32)
	}
	d.room(b)
	if d.rare = d.rare[:0]; cap(d.rare) < len(d.blocks) {
		d.rare = make([]uint64, 0, cap(d.blocks))
	}
	d.rare = d.rare[:len(d.blocks)]
	if d.flags, d.found, err = indexValidate(b, d.blocks, d.rare, d.slash, &d.ends); err != nil {
		return err
	}
	return d.run(p)
}

// Rescan scans the document again for the values of another program and reuses its index. Values found before are not valid
// any more.
func (d *Doc) Rescan(p *Program) error { return d.run(p) }

// Scan scans an object inside a scanned document and reuses the document's index. It returns the document,
// whose slots then belong to p. Values found before remain valid.
func (v Value) Scan(p *Program) (*Doc, error) {
	if v.Kind() != Object {
		return nil, ErrUnbalanced
	}
	d := v.d
	d.start(p)
	if end := d.object(0, int(v.span.start), unknownLevel); end != int(v.end) {
		return nil, ErrUnbalanced
	}
	d.spans[0] = v.span
	return d, nil
}

// load builds the structural index of b.
func (d *Doc) load(b []byte) {
	d.room(b)
	d.flags = index(b, d.blocks, d.slash)
}

// room allocates the index of b.
func (d *Doc) room(b []byte) {
	n := (len(b)+63)/64 + 1
	if cap(d.blocks) < n {
		d.blocks = make([]block, n+n/4)
	}
	d.b, d.blocks = b, d.blocks[:n]
	d.slash = d.slash.room(n)
}

// run walks the loaded document.
func (d *Doc) run(p *Program) error {
	d.start(p)
	start := d.skipSpace(0)
	if d.flags&openString != 0 || start >= len(d.b) || d.b[start] != '{' {
		return ErrUnbalanced
	}
	d.next = 0
	end := d.object(0, start, 1)
	if end < 0 || d.skipSpace(end) != len(d.b) {
		return ErrUnbalanced
	}
	d.spans[0] = span{uint32(start), uint32(end)}
	return nil
}

// start begins a walk: it clears all spans.
func (d *Doc) start(p *Program) {
	d.prog = p
	if cap(d.spans) < len(p.nodes) {
		d.spans = make([]span, len(p.nodes))
	}
	d.spans = d.spans[:len(p.nodes)]
	clear(d.spans)
}

// Value returns the value at a slot that PathSet.Add returned.
func (d *Doc) Value(s Slot) Value {
	return Value{d, d.spans[d.prog.slots[s]]}
}

// object walks the object that opens at pos, for program node at. It returns the position after the object, or
// -1 if it does not close. levels is the number of levels around its members.
func (d *Doc) object(at int32, pos, levels int) int {
	b, node := d.b, &d.prog.nodes[at]
	p, plain := pos+1, 0
	for {
		if p >= len(b) || b[p] != '"' {
			if p = d.skipSpace(p); p >= len(b) || b[p] != '"' {
				if p < len(b) && b[p] == '}' {
					return p + 1
				}
				return -1
			}
		}
		e := d.nextQuote(p + 1)
		v := d.valueAfter(e)
		if v >= len(b) {
			return -1
		}
		c := d.prog.find(node, b, p+1, e)
		if e >= plain && d.flags&backslash != 0 {
			if plain = d.plainFrom(e); e >= plain {
				c = d.member(c, node, p+1, e)
			}
		}
		switch first := b[v]; {
		case c != 0:
			p = d.wanted(c, v, levels)
		case (first == '{' || first == '[') && levels <= 2:
			p = d.stepOver(v, levels)
		default:
			p = d.skipValue(v)
		}
		if p < 0 {
			return -1
		}
		if p < len(b) && b[p] == ',' {
			p++
		} else if p = d.skipSpace(p); p < len(b) && b[p] == ',' {
			p++
		}
	}
}

// wanted records the value at v for program node c and walks into it.
func (d *Doc) wanted(c int32, v, levels int) int {
	node := &d.prog.nodes[c]
	if d.spans[c].end != 0 { // a duplicate: drop the earlier one with all its members
		clear(d.spans[c:node.last])
	}
	end := 0
	if node.histogram.only {
		end = d.histogram(&node.histogram, v)
	}
	switch {
	case end > 0:
	case node.table != nil && d.b[v] == '{':
		end = d.object(c, v, levels+1)
	default:
		end = d.stepOver(v, levels)
	}
	if end < 0 {
		return -1
	}
	d.spans[c] = span{uint32(v), uint32(end)}
	return end
}

// member returns the program node for the key b[from:to], which may have escapes; c is the node for the key
// with its escapes unread.
func (d *Doc) member(c int32, node *progNode, from, to int) int32 {
	if (c == 0 || d.prog.nodes[c].odd) && d.escapes(from, to) {
		key := unescape(nil, d.b[from:to])
		return d.prog.find(node, key, 0, len(key))
	}
	return c
}

// valueAfter returns the position at which the value begins that follows the key whose closing quote is at e,
// or len(b).
func (d *Doc) valueAfter(e int) int {
	if v := e + 2; v < len(d.b) && d.b[e+1] == ':' && d.b[v] > ' ' { // the common form, without blanks
		return v
	}
	return d.valueBehind(e)
}

func (d *Doc) valueBehind(e int) int {
	p := d.skipSpace(e + 1)
	if p >= len(d.b) || d.b[p] != ':' {
		return len(d.b)
	}
	return d.skipSpace(p + 1)
}
