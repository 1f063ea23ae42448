package params

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pingmill/pingmill/internal/lazy"
)

// Limits of values.
const (
	maxText  = 100_000 // bytes
	maxItems = 10_000
	maxSQL   = 4 << 20 // bytes of the query with its values
)

// value reads a value as one of the parameter's kind: a string, a number as a string of its digits, a time.Time, a Range, or a
// []any of strings or digits. Errors go on from the name of the value.
func (p Parameter) value(v any, today, newest time.Time) (any, error) {
	switch p.Kind {
	case Number:
		return number(v)
	case Day:
		if t, ok := v.(time.Time); ok {
			return t, nil
		}
		s, ok := v.(string)
		if !ok {
			return nil, errDay
		}
		return day(s, today, newest)
	case Days:
		return days(v, today, newest)
	case List:
		return p.list(v)
	}
	s, err := text(v)
	if err != nil {
		return nil, err
	}
	if p.Kind == Choice && !slices.Contains(p.Choices, s) {
		return nil, fmt.Errorf("is %.60q, and must be one of: %s", s, strings.Join(p.Choices, ", "))
	}
	return s, nil
}

func text(v any) (string, error) {
	s, ok := v.(string)
	switch {
	case !ok:
		return "", errors.New("is no text")
	case len(s) > maxText:
		return "", fmt.Errorf("is longer than %d bytes", maxText)
	case !utf8.ValidString(s) || strings.ContainsRune(s, 0):
		return "", errors.New("holds bytes that are no text")
	}
	return s, nil
}

var numberForm = lazy.Regexp(`^-?(0|[1-9][0-9]{0,37})(\.[0-9]{1,38})?([eE][+-]?[0-9]{1,3})?$`)

// digits is a number as it is written in SQL.
type digits string

func number(v any) (digits, error) {
	var s string
	switch v := v.(type) {
	case json.Number:
		s = v.String()
	case string:
		s = strings.TrimSpace(v)
	case int:
		s = strconv.Itoa(v)
	case int64:
		s = strconv.FormatInt(v, 10)
	case digits:
		s = string(v)
	case float64:
		if math.Trunc(v) == v && math.Abs(v) > 1<<53 {
			return "", errors.New("is too large for a number of JSON: write it as a text")
		}
		s = strconv.FormatFloat(v, 'f', -1, 64)
		if len(s) > 30 {
			s = strconv.FormatFloat(v, 'e', -1, 64)
		}
	}
	if !numberForm().MatchString(s) {
		return "", errors.New("is no number: write digits, such as 12, -1.5 or 1e6")
	}
	return digits(s), nil
}

// list reads the values of a list: texts, or numbers.
func (p Parameter) list(v any) (any, error) {
	var items []any
	switch v := v.(type) {
	case []any:
		items = v
	case []string:
		for _, s := range v {
			items = append(items, s)
		}
	case string:
		items = []any{v}
	default:
		return nil, errors.New("is no list")
	}
	if len(items) == 0 || len(items) > maxItems {
		return nil, fmt.Errorf("has %d values: a list has 1 to %d", len(items), maxItems)
	}
	all := make([]any, len(items))
	for i, item := range items {
		var err error
		if all[i], err = entry(item); err != nil {
			return nil, err
		}
		if _, isText := all[i].(string); isText != isString(all[0]) {
			return nil, errors.New("is a list of texts and numbers: write one of the two")
		}
		if s := fmt.Sprint(all[i]); len(p.Choices) > 0 && !slices.Contains(p.Choices, s) {
			return nil, fmt.Errorf("has %.60q, and its values must be of: %s", s, strings.Join(p.Choices, ", "))
		}
	}
	return all, nil
}

// entry reads a value of a list: a string, or digits.
func entry(v any) (any, error) {
	if isString(v) {
		return text(v)
	}
	return number(v)
}

func isString(v any) bool {
	_, is := v.(string)
	return is
}

// guess returns the kind of a value that nobody declared.
func guess(v any) Kind {
	switch v.(type) {
	case float64, int, int64, json.Number:
		return Number
	case []any, []string:
		return List
	}
	return Text
}

// literal writes a value of p's kind for a place. Both dialects write these literals alike. Brackets keep a minus apart
// from what is before it.
func (p Parameter) literal(v any, at place) string {
	switch v := v.(type) {
	case Range:
		if slices.Contains(at.members, "to") {
			return p.literal(v.To, at)
		}
		return p.literal(v.From, at)
	case time.Time:
		if at.dashed() {
			return quote(v.Format(time.DateOnly))
		}
		return quote(v.Format(compact))
	case digits:
		if strings.HasPrefix(string(v), "-") {
			return "(" + string(v) + ")"
		}
		return string(v)
	case []any:
		all := make([]string, len(v))
		for i, item := range v {
			all[i] = p.literal(item, at)
		}
		return strings.Join(all, ", ")
	case string:
		return quote(v)
	}
	panic(fmt.Sprintf("no literal of %T", v))
}

// quote writes a text. A quote in it is doubled; nothing else has a meaning inside, in either dialect.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// fits returns why a place cannot take a parameter of p's kind, or "".
func (p Parameter) fits(at place) string {
	switch {
	case p.Kind == Days && !at.end():
		return fmt.Sprintf("%s is a range of days: write {{%s.from}} and {{%s.to}}", p.Name, p.Name, p.Name)
	case p.Kind != Days && at.end():
		return fmt.Sprintf("%s is of kind %s, only a range of days has from and to", p.Name, p.Kind)
	case p.Kind != Days && p.Kind != Day && at.dashed():
		return fmt.Sprintf("%s is of kind %s, only days can be written with dashes", p.Name, p.Kind)
	}
	return ""
}
