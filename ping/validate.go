package ping

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// MaxDepth is the largest nesting of arrays and objects; "[]" is one level.
const MaxDepth = 512

// SyntaxError is the place and reason for which Validate rejects a document.
type SyntaxError struct {
	Offset int // of the first byte that is not allowed there, or the document's length
	Msg    string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid JSON at byte %d: %s", e.Offset, e.Msg)
}

// Validate returns nil if b is one JSON text after RFC 8259: correct syntax, valid UTF-8 and at most MaxDepth
// levels. Escaped surrogates need not form pairs and names need not be unique. Otherwise the error is a
// *SyntaxError. It allocates nothing for a valid document.
func Validate(b []byte) error {
	var ring [partBlocks]block
	var rare [partBlocks]uint64
	_, _, err := indexValidate(b, ring[:], rare[:], nil, new(ends))
	return err
}

// indexValidate does index and Validate in one pass over b. blocks has the length that index requires, or
// partBlocks, which are then reused for each part. The same holds for rare, which receives the bytes that
// Doc.Counts does not accept. slash, unless nil, receives the parts with a backslash. found is the number of
// ends. After an error no result is valid.
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

// end reports whether the blocks and texts checked so far, the sentinel included, and the flags form a complete
// document.
func (c *checker) end(b []byte, flags indexFlags) bool {
	if c.afterValue == 0 || c.depth != 0 || flags&(openString|control) != 0 {
		return false
	}
	return c.texts(b, len(b), 0)
}

// texts takes the flags of the part that begins at p. It checks escapes and UTF-8 byte by byte at the end of
// each run of parts that have any.
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

// validEscapes checks the bytes after each backslash in b[p:end]. All backslashes must be in strings.
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

// refused walks a document that the checker rejected, to find the place and reason. If the walk finds no error,
// it fills in blocks and marks all bytes as rare.
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
