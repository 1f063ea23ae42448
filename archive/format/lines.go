package format

import (
	"bytes"
	"fmt"
	"io"
)

// lineReader reads NDJSON: one JSON object a line, each of any of the forms.
type lineReader struct {
	src      *source
	max      int
	skipping bool // within a line that was too long
	first    bool
	parser   lineParser
}

func newLineReader(src *source, max int) *lineReader {
	return &lineReader{src: src, max: max, first: true}
}

func (l *lineReader) next(rec *Record) error {
	if l.skipping {
		l.skip()
	}
	for {
		line, offset, err := l.line()
		if err != nil {
			return err
		}
		if line = bytes.Trim(line, " \t\r\n"); len(line) == 0 {
			continue
		}
		rec.reset(offset)
		if err := l.parser.parse(line, rec); err != nil {
			return &RecordError{Offset: offset, Reason: err.Error(), Raw: line}
		}
		return nil
	}
}

// line reads the next line. It is valid until the next call.
func (l *lineReader) line() (line []byte, offset int64, err error) {
	s := l.src
	if l.first {
		l.first = false
		if bytes.HasPrefix(s.window(), byteOrderMark) {
			s.discard(len(byteOrderMark))
		}
	}
	searched := 0
	for {
		w := s.window()
		if i := bytes.IndexByte(w[searched:], '\n'); i >= 0 {
			n := searched + i + 1
			offset = s.offset
			s.discard(n)
			if n > l.max {
				return nil, 0, l.tooLong(w[:n], offset)
			}
			return w[:n], offset, nil
		}
		if searched = len(w); searched > l.max {
			l.skipping = true
			return nil, 0, l.tooLong(w, s.offset)
		}
		if !s.more() {
			break
		}
	}
	if err := s.failure(); err != nil {
		return nil, 0, err
	}
	w := s.window()
	if len(w) == 0 {
		return nil, 0, io.EOF
	}
	offset = s.offset
	s.discard(len(w))
	return w, offset, nil
}

func (l *lineReader) tooLong(line []byte, offset int64) error {
	return &RecordError{
		Offset: offset,
		Reason: fmt.Sprintf("the line is longer than %d bytes", l.max),
		Raw:    line[:min(len(line), maxRaw)],
	}
}

// skip discards the rest of a line that was too long.
func (l *lineReader) skip() {
	l.skipping = false
	for {
		w := l.src.window()
		if i := bytes.IndexByte(w, '\n'); i >= 0 {
			l.src.discard(i + 1)
			return
		}
		l.src.discard(len(w))
		if !l.src.more() {
			return
		}
	}
}
