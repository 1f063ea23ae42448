package sqlfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/pingmill/pingmill/check"
)

// rows reads a result in lines of JSON as it is written: it counts the lines and keeps the first.
type rows struct {
	check.Finding
	rest []byte // of a line
}

func (r *rows) Write(p []byte) (int, error) {
	n := len(p)
	for {
		line, rest, ended := bytes.Cut(p, []byte("\n"))
		if r.Total < check.MaxRows {
			r.rest = append(r.rest, line...)
		}
		if !ended {
			return n, nil
		}
		if r.Total++; len(r.Rows) < check.MaxRows {
			row, err := rowOf(r.rest)
			if err != nil {
				return 0, fmt.Errorf("read row %d: %w", r.Total, err)
			}
			r.Rows, r.rest = append(r.Rows, row), r.rest[:0]
		}
		p = rest
	}
}

// rowOf reads an object, its members in their order.
func rowOf(line []byte) (row check.Row, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return row, errors.New("it is no object")
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return row, err
		}
		text, null, err := textOf(d)
		if err != nil {
			return row, err
		}
		f := check.Field{Column: fmt.Sprint(name)}
		if !null {
			f.Value = &text
		}
		row.Key = append(row.Key, f)
	}
	return row, nil
}

// textOf reads a value as people read it: [de, fr], {n=2}.
func textOf(d *json.Decoder) (text string, null bool, err error) {
	t, err := d.Token()
	if err != nil {
		return "", false, noEnd(err)
	}
	open, nested := t.(json.Delim)
	if !nested {
		if t == nil {
			return "null", true, nil
		}
		return fmt.Sprint(t), false, nil
	}
	var parts []string
	for d.More() {
		name := ""
		if open == '{' {
			key, err := d.Token()
			if err != nil {
				return "", false, noEnd(err)
			}
			name = fmt.Sprint(key, "=")
		}
		part, _, err := textOf(d)
		if err != nil {
			return "", false, err
		}
		parts = append(parts, name+part)
	}
	end, err := d.Token()
	return fmt.Sprint(open, strings.Join(parts, ", "), end), false, noEnd(err)
}

// noEnd is an error inside of a line, where its end is one.
func noEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
