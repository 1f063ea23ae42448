package edge

import (
	"bytes"
	"errors"
	"strconv"
)

// framing tracks the messages in the bytes of an HTTP/1 connection. net/http resolves ambiguous ends of
// requests silently: it drops a Content-Length beside chunked coding, accepts bare line feeds, joins folded
// lines. Such ambiguities allow request smuggling past a proxy, so framing detects them before the server reads
// them, and the connection is closed.
type framing struct {
	maxLine int // longest line of a head
	state   state
	begun   bool   // a first line was seen
	skip    int64  // bytes of a body or chunk to pass over
	part    []byte // an incomplete line

	http11, chunked, sized bool  // of the head being read
	length                 int64 // of its body; in the preface the next line
}

type state uint8

const (
	atRequest state = iota
	inHead
	atChunk
	afterChunk
	inTrailer
	inPreface
	inHTTP2
)

var (
	errLongRequestLine = errors.New("request line too long")
	errFraming         = errors.New("ambiguous request")
)

const (
	maxChunkLine = 4 << 10
	shortestLine = len("G / HTTP/1.1")
	// serverSlack is more than net/http reads beyond its limit of header bytes
	// before it responds 431 itself.
	serverSlack = 12 << 10
)

// preface holds the lines that begin an HTTP/2 connection.
var preface = [...]string{"PRI * HTTP/2.0", "", "SM", ""}

// between reports whether the next byte begins a request that is not the first.
func (f *framing) between() bool {
	return f.state == atRequest && f.begun && f.skip == 0 && len(f.part) == 0
}

// scan checks the next bytes. It returns how many of them the server may read, and the reason if not all.
func (f *framing) scan(p []byte) (int, error) {
	done := 0
	for done < len(p) {
		if f.state == inHTTP2 {
			return len(p), nil
		}
		if f.skip > 0 {
			n := min(f.skip, int64(len(p)-done))
			f.skip -= n
			done += int(n)
			continue
		}
		i := bytes.IndexByte(p[done:], '\n')
		if i < 0 {
			f.part = append(f.part, p[done:]...)
			if err := f.fits(len(f.part)); err != nil {
				return done, err
			}
			return len(p), nil
		}
		line := p[done : done+i+1]
		if len(f.part) > 0 {
			f.part = append(f.part, line...)
			line = f.part
		}
		if err := f.fits(len(line)); err != nil {
			return done, err
		}
		if err := f.line(line); err != nil {
			return done, err
		}
		f.part = f.part[:0]
		if f.state == atRequest && cap(f.part) > 1<<10 {
			f.part = nil // idle connections keep little
		}
		done += i + 1
	}
	return done, nil
}

// fits checks the length of a line, also of an incomplete one.
func (f *framing) fits(n int) error {
	switch {
	case f.state == afterChunk && n > 2, f.state == atChunk && n > maxChunkLine:
		return errFraming
	case f.state == atRequest && n > f.maxLine:
		return errLongRequestLine
	case n > f.maxLine+serverSlack:
		return errFraming
	}
	return nil
}

func (f *framing) line(line []byte) error {
	text, ok := bytes.CutSuffix(line, []byte("\r\n"))
	if !ok || bytes.IndexByte(text, '\r') >= 0 {
		return errFraming
	}
	switch f.state {
	case atRequest:
		return f.request(text)
	case inHead:
		if len(text) == 0 {
			return f.endHead()
		}
		return f.header(text)
	case atChunk:
		return f.chunk(text)
	case afterChunk:
		f.state = atChunk
	case inTrailer:
		if len(text) == 0 {
			f.state = atRequest
		}
	case inPreface:
		if string(text) != preface[f.length] {
			return errFraming
		}
		if f.length++; int(f.length) == len(preface) {
			f.state = inHTTP2
		}
	}
	return nil
}

func (f *framing) request(text []byte) error {
	if len(text) == 0 {
		return nil // clients that end a body with a line of its own
	}
	if len(text) < shortestLine {
		return errFraming
	}
	first := !f.begun
	f.begun = true
	if first && string(text) == preface[0] {
		f.state, f.length = inPreface, 1
		return nil
	}
	f.state = inHead
	f.http11 = bytes.HasSuffix(text, []byte(" HTTP/1.1"))
	f.chunked, f.sized, f.length = false, false, 0
	return nil
}

// header reads the two headers that define the end of a body.
func (f *framing) header(text []byte) error {
	name, value, ok := bytes.Cut(text, []byte(":"))
	if !ok || len(name) == 0 || bytes.ContainsAny(name, " \t") {
		return errFraming
	}
	value = bytes.Trim(value, " \t")
	switch {
	case isName(name, "content-length"):
		if f.length, ok = number(value, 10, 18); f.sized || !ok {
			return errFraming
		}
		f.sized = true
	case isName(name, "transfer-encoding"):
		if f.chunked || !f.http11 || !isName(value, "chunked") {
			return errFraming
		}
		f.chunked = true
	}
	return nil
}

// isName compares without regard to ASCII case; want is in lower case.
func isName(s []byte, want string) bool {
	return len(s) == len(want) && bytes.EqualFold(s, []byte(want))
}

// number reads at most the given number of digits, without a sign.
func number(s []byte, base, most int) (int64, bool) {
	if len(s) == 0 || len(s) > most || s[0] == '-' || s[0] == '+' {
		return 0, false
	}
	n, err := strconv.ParseInt(string(s), base, 64)
	return n, err == nil
}

func (f *framing) endHead() error {
	switch {
	case f.chunked && f.sized:
		return errFraming
	case f.chunked:
		f.state = atChunk
	default:
		f.state, f.skip = atRequest, f.length
	}
	return nil
}

// chunk reads a chunk's size and skips extensions.
func (f *framing) chunk(text []byte) error {
	size, _, _ := bytes.Cut(text, []byte(";"))
	size = bytes.TrimRight(size, " \t")
	n, ok := number(size, 16, 15)
	if !ok {
		return errFraming
	}
	f.state, f.skip = afterChunk, n
	if n == 0 {
		f.state = inTrailer
	}
	return nil
}
