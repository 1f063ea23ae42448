package ping

import (
	"errors"
	"fmt"
	"math"
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
	rare   []uint64 // by block, of a validated document: see Counts
	flags  indexFlags
	slash  partFlags // which parts have a backslash
	spans  []span    // by program node
	ends   ends      // of a validated document
	found  int       // how many it has, and which may come next
	next   int
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
	d.rare, d.found = d.rare[:0], 0
	return d.run(p)
}

// ScanValid is Validate and Scan in one pass over b. The error is a *SyntaxError, or that of Scan; a document that is valid and
// no object is ErrUnbalanced, and can be walked all the same.
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

// Scan is Doc.Scan of an object within a scanned document, by the index that the document has already. It returns the document,
// whose slots are those of p from then on; values that were found before stay good.
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

// load makes the structural index of b.
func (d *Doc) load(b []byte) {
	d.room(b)
	d.flags = index(b, d.blocks, d.slash)
}

// room makes room for the index of b.
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

// start begins a walk: nothing is found yet.
func (d *Doc) start(p *Program) {
	d.prog = p
	if cap(d.spans) < len(p.nodes) {
		d.spans = make([]span, len(p.nodes))
	}
	d.spans = d.spans[:len(p.nodes)]
	clear(d.spans)
}

// Value returns the value at a slot that PathSet.Add gave.
func (d *Doc) Value(s Slot) Value {
	return Value{d, d.spans[d.prog.slots[s]]}
}

// object walks the object that opens at pos, for program node at, and returns
// the position after it, or -1 when it does not close. Its members are in so many
// levels.
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
	if d.spans[c].end != 0 { // a duplicate: forget the earlier one whole
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

// member finds the program node for the key at from up to to, which may have escapes; c is that for the key as it is in the document.
func (d *Doc) member(c int32, node *progNode, from, to int) int32 {
	if (c == 0 || d.prog.nodes[c].odd) && d.escapes(from, to) {
		key := unescape(nil, d.b[from:to])
		return d.prog.find(node, key, 0, len(key))
	}
	return c
}

// valueAfter returns where the value begins that follows the key whose closing
// quote is at e, or len(b).
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
