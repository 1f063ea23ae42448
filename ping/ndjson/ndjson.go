// Package ndjson reads and writes the lines of JSON on the program's standard input and output. It decodes
// submissions and makes rows from pings, and from rows of main_summary, without any storage. It recognises the
// kind of a line by its members, so the error for a line of the wrong kind can name the right command.
package ndjson

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table"
)

// Bad receives a line that cannot be used: its number, from 1 on, and the reason. Reading continues with the
// next line.
type Bad func(line int, err error)

// Transform makes rows of a table, one per line. For a table of pings each input line is a ping with its
// metadata, and becomes one output line: null if the ping has no row. For a table of snapshots the lines are pings, too, and
// the rows follow the last line: one for each client. For other tables each input line is a row
// of the table that they are made from, and the lines with the same submission_date_obj form a day. leftOut
// counts the values over a bound, by column.
func Transform(t *schema.Table, set *schema.Set, in io.Reader, out io.Writer, bad Bad) (leftOut map[string]int64, err error) {
	if t.IsSnapshots() {
		return transformClients(t, in, out, bad)
	}
	if t.DocType != "" {
		return transformPings(table.NewPings(t, set.Probes), in, out, bad)
	}
	input, err := set.Find(t.Needs[0])
	if err != nil {
		return nil, err
	}
	return transformRows(t, input, in, out, bad)
}

// Decode decodes submissions and writes one outcome per line. It passes lines that are not submissions to bad;
// a submission that cannot be decoded has an outcome.
func Decode(d *ingest.Decoder, in io.Reader, out io.Writer, bad Bad) error {
	var (
		s      ingest.Submission
		o      ingest.Outcome
		text   []byte
		reader = newLineReader()
		w      = bufio.NewWriterSize(out, 1<<16)
	)
	err := lines(in, "submissions", func(n int, line []byte) error {
		if err := reader.submission(line); err != nil {
			bad(n, err)
		}
		d.DecodeLine(bytes.TrimSuffix(line, []byte("\n")), &s, &o)
		text = append(o.AppendJSON(text[:0]), '\n')
		return writing(w.Write(text))
	})
	if err != nil {
		return err
	}
	return writing(0, w.Flush())
}

func writing(_ int, err error) error {
	if err != nil {
		return fmt.Errorf("write outcomes: %w", err)
	}
	return nil
}

// submission returns an error with advice if the line is not a submission.
func (r *lineReader) submission(line []byte) error {
	const want = `decode takes submissions, {"uri","timestamp","body"}`
	switch kind, err := r.read(line); {
	case errors.Is(err, errArray):
		return err
	case err != nil, kind == submissionLine, kind == otherLine: // the outcome has the error
		return nil
	case kind == decodedLine:
		return fmt.Errorf("%s: it is decoded already: give it to pingmill transform; %s", kind, want)
	case kind == messageLine:
		return fmt.Errorf("%s: pingmill load takes it; %s", kind, want)
	default:
		return fmt.Errorf("%s: %s", kind, want)
	}
}

// lines calls f for every line that is not blank, of any length. f may use a line only until it returns.
func lines(in io.Reader, what string, f func(n int, line []byte) error) error {
	r := bufio.NewReaderSize(in, 1<<16)
	var line []byte
	for n := 1; ; n++ {
		part, err := r.ReadSlice('\n')
		for line = append(line[:0], part...); errors.Is(err, bufio.ErrBufferFull); line = append(line, part...) {
			part, err = r.ReadSlice('\n')
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read %s: %w", what, err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			if err := f(n, line); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}
