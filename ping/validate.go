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
	var ring [checkBlocks]block
	_, err := indexValidate(b, ring[:])
	return err
}

// indexValidate is index and Validate in one pass over b. Blocks are as for
// index, or checkBlocks of them that are used over and over. After an error
// neither blocks nor flags mean anything.
func indexValidate(b []byte, blocks []block) (indexFlags, error) {
	var (
		s     indexState
		c     checker
		class [checkBlocks]classes
	)
	c.init()
	for first := 0; ; first += checkBlocks {
		part := b[min(len(b), first*64):min(len(b), (first+checkBlocks)*64)]
		n := (len(part) + 63) / 64
		to := blocks[first%len(blocks):]
		s.add(part, to, class[:])
		last := n < checkBlocks
		if last { // there is room for the sentinel
			to[n], class[n] = block{}, classes{white: ^uint64(0)}
			n++
		}
		if !c.check(b, first, to[:n], class[:]) {
			return 0, explain(b)
		}
		if last {
			if !c.end(b, s.flags()) {
				return 0, explain(b)
			}
			return s.flags(), nil
		}
	}
}

// end reports whether the blocks checked so far, the sentinel included, and the
// flags make a whole document.
func (c *checker) end(b []byte, flags indexFlags) bool {
	if c.afterValue == 0 || c.depth != 0 || flags&(openString|control) != 0 {
		return false
	}
	if flags&backslash != 0 && !validEscapes(b) {
		return false
	}
	return flags&nonASCII == 0 || utf8.Valid(b)
}

// validEscapes checks what follows each backslash. All of them are known to be in
// strings.
func validEscapes(b []byte) bool {
	for p := 0; ; {
		i := bytes.IndexByte(b[p:], '\\')
		if i < 0 {
			return true
		}
		var ok bool
		if p, ok = escape(b, p+i); !ok {
			return false
		}
	}
}

// explain walks a document that the checker refused to find out where and why.
func explain(b []byte) error {
	if e := walk(b); e != nil {
		return e
	}
	return nil
}
