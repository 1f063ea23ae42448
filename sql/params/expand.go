package params

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Input is a query with its parameters' values.
type Input struct {
	SQL      string
	Dialect  Dialect
	Declared []Parameter    // undeclared ones have the kind that their places, names and values suggest
	Values   map[string]any // as decoded from JSON: strings, numbers, lists, {from, to}; nil means the default
	Today    time.Time
	Newest   time.Time // newest day of the data, zero if there is none
}

// Expanded is a query after replacing its parameters.
type Expanded struct {
	SQL    string
	Values map[string]any // all values used, in the form of Input.Values, with days as dates

	written string
	pieces  []piece
}

// piece maps a place: its bytes in the original text and in the expanded text. Its bytes in the expanded text are shown as byte at of
// the original one.
type piece struct {
	from, to, start, end int
	at                   int
	name                 string // of an inserted text
}

// Expand replaces all parameters. Its errors are *Error.
func Expand(in Input) (*Expanded, error) {
	places, err := scan(in.SQL, in.Dialect)
	if err != nil {
		return nil, err
	}
	values, declared, err := in.resolve(places)
	if err != nil {
		return nil, err
	}
	e := &Expanded{written: in.SQL, Values: map[string]any{}}
	var b strings.Builder
	last := 0
	for _, p := range places {
		param := declared[p.name]
		if wrong := param.fits(p); wrong != "" {
			return nil, at(in.SQL, p.from, p.to, p.name, "%s", wrong)
		}
		b.WriteString(in.SQL[last:p.from])
		start := b.Len()
		b.WriteString(apart(in.SQL, p, param.literal(values[p.name], p)))
		if b.Len() > maxSQL {
			return nil, at(in.SQL, p.from, p.to, p.name, "the query has more than %d bytes with its values", maxSQL)
		}
		e.pieces = append(e.pieces, piece{from: p.from, to: p.to, start: start, end: b.Len(), at: p.from})
		e.Values[p.name], last = plain(values[p.name]), p.to
	}
	b.WriteString(in.SQL[last:])
	e.SQL = b.String()
	return e, nil
}

// apart returns a literal with the blanks that separate it from the text beside its place.
func apart(sql string, p place, literal string) string {
	if p.from > 0 && !strings.ContainsRune(" \n\t(,", rune(sql[p.from-1])) {
		literal = " " + literal
	}
	if p.to < len(sql) && !strings.ContainsRune(" \n\t),;", rune(sql[p.to])) {
		literal += " "
	}
	return literal
}

// resolve returns the value and the definition of each parameter in the text.
func (in Input) resolve(places []place) (map[string]any, map[string]Parameter, error) {
	found, err := Find(in.SQL, in.Dialect)
	if err != nil {
		return nil, nil, err
	}
	values, declared := map[string]any{}, map[string]Parameter{}
	for _, p := range found {
		place := places[slices.IndexFunc(places, func(x place) bool { return x.name == p.Name })]
		given := in.Values[p.Name]
		if i := slices.IndexFunc(in.Declared, func(d Parameter) bool { return d.Name == p.Name }); i >= 0 {
			p = in.Declared[i]
		} else if p.Kind == Text {
			p.Kind = guess(given)
		}
		if given == nil {
			given = p.Default
		}
		if given == nil {
			return nil, nil, at(in.SQL, place.from, place.to, p.Name, "parameter %s has no value", p.Name)
		}
		if values[p.Name], err = p.value(given, in.Today, in.Newest); err != nil {
			return nil, nil, at(in.SQL, place.from, place.to, p.Name, "parameter %s: %s", p.Name, err)
		}
		declared[p.Name] = p
	}
	for _, name := range slices.Sorted(maps.Keys(in.Values)) {
		_, used := values[name]
		if !used && !slices.ContainsFunc(in.Declared, func(d Parameter) bool { return d.Name == name }) {
			return nil, nil, &Error{Name: name, Message: fmt.Sprintf("the query has no parameter %.60s", name)}
		}
	}
	return values, declared, nil
}

// plain converts a value to the form that JSON has.
func plain(v any) any {
	switch v := v.(type) {
	case time.Time:
		return v.Format(compact)
	case Range:
		return map[string]any{"from": v.From.Format(compact), "to": v.To.Format(compact)}
	case digits:
		return json.Number(v)
	case []any:
		all := make([]any, len(v))
		for i, item := range v {
			all[i] = plain(item)
		}
		return all
	}
	return v
}

// Offset converts a byte offset in e.SQL to one in the original text. For a byte of a value it returns the start of its
// place.
func (e *Expanded) Offset(n int) int {
	moved := 0
	for _, p := range e.pieces {
		switch {
		case n < p.start:
			return n - moved
		case n < p.end:
			return p.at
		}
		moved = p.end - p.to
	}
	return min(max(0, n-moved), len(e.written))
}

// Place converts line and character (from 1) of e.SQL to those of the original text, and returns the whole original
// line.
func (e *Expanded) Place(line, column int) (int, int, string) {
	return e.PlaceOf(e.byteOf(line, column))
}

// PlaceOf is Place for a byte of e.SQL.
func (e *Expanded) PlaceOf(n int) (int, int, string) {
	return locate(e.written, e.Offset(n))
}
