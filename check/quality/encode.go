package quality

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// format is the version of the form of profiles and of their numbers: others are made again.
const format = 1

// A profile is written as lines of JSON: the head, which is all that most readers want of it, and each column.

// Encode writes a profile.
func (p *Profile) Encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	p.Lines = len(p.Columns)
	if err := e.Encode(&p.Head); err != nil {
		return nil, fmt.Errorf("encode profile: %w", err)
	}
	for i := range p.Columns {
		if err := e.Encode(&p.Columns[i]); err != nil {
			return nil, fmt.Errorf("encode profile: %w", err)
		}
	}
	return b.Bytes(), nil
}

var (
	errCut    = errors.New("it is cut short")
	errLines  = errors.New("it has other lines than it says")
	errCounts = errors.New("its counts cannot be")
)

// FormatError is a profile in another form than this program's.
type FormatError struct{ Format int }

func (e *FormatError) Error() string {
	return fmt.Sprintf("its format is %d, this program knows %d", e.Format, format)
}

// decodeHead reads the head, and gives the rest.
func decodeHead(b []byte) (h Head, rest []byte, err error) {
	line, rest, whole := bytes.Cut(b, []byte("\n"))
	if !whole {
		return h, nil, errCut
	}
	if err := json.Unmarshal(line, &h); err != nil {
		return h, nil, err
	}
	if h.Format != format {
		return h, nil, &FormatError{h.Format}
	}
	if h.Rows < 0 || h.Read < 0 || h.Read > h.Rows || h.Clients < 0 || h.Bytes < 0 || h.Lines < 0 {
		return h, nil, errCounts
	}
	return h, rest, nil
}

// Decode reads what Encode has written; anything else is an error.
func Decode(b []byte) (*Profile, error) {
	h, rest, err := decodeHead(b)
	if err != nil {
		return nil, fmt.Errorf("read profile: %w", err)
	}
	if bytes.Count(rest, []byte("\n")) != h.Lines || len(rest) > 0 && rest[len(rest)-1] != '\n' {
		return nil, fmt.Errorf("read profile: %w", errLines)
	}
	p := &Profile{Head: h, Columns: make([]Column, h.Lines)}
	for i := range p.Columns {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		if err := json.Unmarshal(line, &p.Columns[i]); err != nil {
			return nil, fmt.Errorf("read profile: column %d: %w", i, err)
		}
		if !p.Columns[i].possible(h.Read) {
			return nil, fmt.Errorf("read profile: column %d: %w", i, errCounts)
		}
	}
	return p, nil
}

// possible reports whether the counts of a column fit the number of rows.
func (c *Column) possible(rows int64) bool {
	is := func(n int64) bool { return n >= 0 && n <= rows }
	return c.Name != "" && is(c.Nulls) && is(c.Empty) && is(c.Repeated) && is(c.Least) && is(c.Other) && c.Distinct >= 0 &&
		!slices.ContainsFunc(c.Top, func(v Value) bool { return !is(v.Rows) })
}
