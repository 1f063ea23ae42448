package ping

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// MaxDepth is how deep arrays and objects may be nested; "[]" is one level.
const MaxDepth = 512

// A SyntaxError says where and why Validate does not accept a document.
type SyntaxError struct {
	Offset int // of the first byte that is not allowed there, or the document's length
	Msg    string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid JSON at byte %d: %s", e.Offset, e.Msg)
}

// Validate reports whether b is one JSON text after RFC 8259: its syntax, valid
// UTF-8 and at most MaxDepth levels. Escaped surrogates need not form pairs and
// names need not be unique. The error is a *SyntaxError. It allocates nothing
// for a valid document.
func Validate(b []byte) error {
	var ring [partBlocks]block
	var rare [partBlocks]uint64
	_, _, err := indexValidate(b, ring[:], rare[:], nil, new(ends))
	return err
}

// indexValidate is index and Validate in one pass over b. Blocks are as for
// index, or partBlocks of them that are used over and over. So is rare, which
// gets the bytes that Doc.Counts does not take. slash, unless nil, gets the parts with
// a backslash. found is how many ends there are.
// After an error none of them mean anything.
func indexValidate(b []byte, blocks []block, rare []uint64, slash partFlags, to *ends) (flags indexFlags, found int, err error) {
	var (
		s     indexState
		c     = checker{ends: to}
		class [partBlocks]classes
	)
	c.init()
	for first := 0; ; first += partBlocks {
		part := b[min(len(b), first*64):min(len(b), (first+partBlocks)*64)]
		n := (len(part) + 63) / 64
		into, others := blocks[first%len(blocks):], rare[first%len(blocks):]
		s.add(part, into, class[:])
		last := n < partBlocks
		if last { // there is room for the sentinel
			into[n], class[n] = block{}, classes{white: ^uint64(0)}
			n++
		}
		texts := s.takeTexts()
		slash.set(first, texts)
		ok := c.texts(b, min(len(b), first*64), texts) && c.check(b, first, into[:n], class[:], others)
		if !ok || last && !c.end(b, s.flags()) {
			flags, err = refused(b, blocks, rare)
			return flags, 0, err
		}
		if last {
			return s.flags() | c.flags, c.found, nil
		}
	}
}

// end reports whether the blocks and texts checked so far, the sentinel included,
// and the flags make a whole document.
func (c *checker) end(b []byte, flags indexFlags) bool {
	if c.afterValue == 0 || c.depth != 0 || flags&(openString|control) != 0 {
		return false
	}
	return c.texts(b, len(b), 0)
}

// texts takes the flags of the part of a document that begins at p. Escapes and
// UTF-8 are checked byte by byte where a run of parts that have any ends.
func (c *checker) texts(b []byte, p int, flags indexFlags) (ok bool) {
	c.flags |= flags
	if flags != 0 {
		if c.run == 0 {
			c.runFrom = p
		}
		c.run |= flags
		return true
	}
	ok = (c.run&backslash == 0 || validEscapes(b, c.runFrom, p)) && (c.run&nonASCII == 0 || utf8.Valid(b[c.runFrom:p]))
	c.run = 0
	return ok
}

// validEscapes checks what follows each backslash from p up to end. All of them are
// known to be in strings.
func validEscapes(b []byte, p, end int) bool {
	for p < end {
		i := bytes.IndexByte(b[p:end], '\\')
		if i < 0 {
			return true
		}
		var ok bool
		if p, ok = escape(b, p+i); !ok {
			return false
		}
	}
	return true
}

// refused walks a document that the checker refused to find out where and why. Were nothing wrong with it, the blocks that
// have room for it would be whole, and all bytes rare.
func refused(b []byte, blocks []block, rare []uint64) (indexFlags, error) {
	if e := walk(b); e != nil {
		return 0, e
	}
	for i := range rare {
		rare[i] = ^uint64(0)
	}
	if n := (len(b)+63)/64 + 1; n <= len(blocks) {
		return index(b, blocks[:n], nil), nil
	}
	return 0, nil
}
