package format

import (
	"bytes"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protowire"
)

// A Heka stream is a sequence of frames:
//
//	0x1E, length of the header, header, 0x1F, message
//
// The header is a protobuf message whose first field is the message's length.
const (
	recordSeparator = 0x1e
	unitSeparator   = 0x1f
	maxHeader       = 255
)

// frameHeader looks for a frame at the beginning of b. ok means that there is
// one with a header of head bytes, all separators included, and a message of
// length bytes. short means that b is too short to say.
func frameHeader(b []byte) (head int, length uint64, ok, short bool) {
	if len(b) > 0 && b[0] != recordSeparator {
		return 0, 0, false, false
	}
	if len(b) < 2 || len(b) < 3+int(b[1]) {
		return 0, 0, false, true
	}
	head = 3 + int(b[1])
	if b[head-1] != unitSeparator {
		return 0, 0, false, false
	}
	err := eachField(b[2:head-1], func(number protowire.Number, v wireValue) error {
		if number == 1 && v.typ == protowire.VarintType {
			length, ok = v.number, true
		}
		return nil
	})
	return head, length, ok && err == nil, false
}

// findFrame looks for the next frame in b from from on. at is where it begins.
// If there is none, it is where the search must go on when there is more of b,
// or the end if b is all.
func findFrame(b []byte, from int, all bool) (at int, ok bool) {
	for at = from; at < len(b); at++ {
		i := bytes.IndexByte(b[at:], recordSeparator)
		if i < 0 {
			return len(b), false
		}
		at += i
		_, _, ok, short := frameHeader(b[at:])
		if ok {
			return at, true
		}
		if short && !all {
			return at, false
		}
	}
	return len(b), false
}

func isFrame(b []byte) bool {
	_, _, ok, _ := frameHeader(b)
	return ok
}

// isHeka finds a frame in the beginning of a file. A damaged one may be
// before it, but not text.
func isHeka(head []byte) bool {
	at, ok := findFrame(head, 0, true)
	return ok && (at == 0 || !isNDJSON(head[:at]))
}

// hekaReader reads the messages of a Heka stream.
type hekaReader struct {
	src *source
	max int

	plain []byte // memory for a compressed message
	msg   message
	doc   assembler
}

func (h *hekaReader) next(rec *Record) error {
	s := h.src
	s.need(3 + maxHeader) // or what is left
	w := s.window()
	if len(w) == 0 {
		if err := s.failure(); err != nil {
			return err
		}
		return io.EOF
	}
	head, length, ok, short := frameHeader(w)
	switch {
	case short && s.failure() != nil:
		return s.failure()
	case !ok:
		return h.damaged("no frame begins here")
	case length > uint64(h.max):
		return h.damaged(fmt.Sprintf("the message has %d bytes, more than %d", length, h.max))
	}
	return h.frame(rec, head, head+int(length))
}

// frame reads a frame of size bytes. If no frame follows, but one begins inside, the length is wrong. No byte
// is decoded twice, whatever the headers contain.
func (h *hekaReader) frame(rec *Record, head, size int) error {
	s := h.src
	if !s.need(size) {
		if err := s.failure(); err != nil {
			return err
		}
		return h.damaged(fmt.Sprintf("the message has %d bytes, the file ends after %d", size-head, len(s.window())-head))
	}
	if s.need(size+1) && s.window()[size] != recordSeparator {
		if _, inside := findFrame(s.window()[:size], 1, true); inside {
			return h.damaged(fmt.Sprintf("no frame follows after the %d bytes of the message", size-head))
		}
	}
	offset := s.offset
	frame := s.window()[:size]
	s.discard(size)
	rec.reset(offset)
	if err := h.message(frame[head:], rec); err != nil {
		return &RecordError{Offset: offset, Reason: err.Error(), Raw: frame}
	}
	return nil
}

// damaged reports the bytes between the beginning of the window and the next
// frame, and skips them.
func (h *hekaReader) damaged(reason string) error {
	s := h.src
	e := &RecordError{Offset: s.offset, Reason: reason}
	from, all := 1, false
	for {
		w := s.window()
		at, ok := findFrame(w, min(from, len(w)), all)
		if len(e.Raw) < maxRaw {
			e.Raw = append(e.Raw, w[:min(at, maxRaw-len(e.Raw))]...)
		}
		s.discard(at)
		if ok || all {
			return e
		}
		from, all = 0, !s.more()
	}
}
