package ingest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// DecodeLines decodes submission lines of any length and writes an outcome line
// for each, in order. Blank lines do not count, and a line that cannot be parsed
// is an error outcome; only reading and writing end it. look, unless nil, sees
// every line before that, with its number.
func (d *Decoder) DecodeLines(in io.Reader, out io.Writer, look func(n int, line []byte)) error {
	var (
		s       Submission
		o       Outcome
		r       = bufio.NewReaderSize(in, 1<<16)
		w       = bufio.NewWriterSize(out, 1<<16)
		b, text []byte
		last    error
	)
	for n := 1; last == nil; n++ {
		b, last = appendLine(b[:0], r)
		if last != nil && last != io.EOF {
			return fmt.Errorf("read submissions: %w", last)
		}
		if len(bytes.TrimSpace(b)) == 0 {
			continue
		}
		if look != nil {
			look(n, b)
		}
		d.DecodeLine(b, &s, &o)
		text = append(o.AppendJSON(text[:0]), '\n')
		if _, err := w.Write(text); err != nil {
			return fmt.Errorf("write outcomes: %w", err)
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write outcomes: %w", err)
	}
	return nil
}

// appendLine appends the next line without its end. With the last one, empty
// when the input ends in a line feed, comes io.EOF.
func appendLine(dst []byte, r *bufio.Reader) ([]byte, error) {
	for {
		part, err := r.ReadSlice('\n')
		dst = append(dst, part...)
		if err != bufio.ErrBufferFull {
			return bytes.TrimSuffix(dst, []byte("\n")), err
		}
	}
}
