package ingest

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// checker checks documents. One that uses only the usual draft 4 keywords is
// checked by its program, straight on the bytes; any other by the general
// validator, on a tree. Both give the same verdict.
type checker struct {
	general *jsonschema.Schema
	program *node // nil: a keyword is not supported
}

func newChecker(s *jsonschema.Schema) *checker {
	program, err := compileProgram(s)
	if err != nil {
		return &checker{general: s}
	}
	return &checker{s, program}
}

// errNumber refuses numbers that would take the general validator a long time.
var errNumber = errors.New("a number is beyond 1e400 or of more than 800 characters")

// violation tells what is wrong with a valid JSON document, "" when it is
// accepted: the violated keyword, the path of the value and the name of a member
// that is missing or one too many. It has no values of the document.
func (s *checker) violation(doc []byte) string {
	if s.program == nil {
		return s.violationGeneral(doc)
	}
	w := walker{b: doc}
	if w.check(s.program) {
		return ""
	}
	slices.Reverse(w.path)
	return describe(w.keyword, w.path, w.name)
}

func (s *checker) violationGeneral(doc []byte) string {
	if hasExtremeNumber(doc) {
		return errNumber.Error()
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		return err.Error()
	}
	err = s.general.Validate(v)
	if err == nil {
		return ""
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return err.Error()
	}
	return firstViolation(invalid)
}

// firstViolation is the violation with the smallest text: the validator gives
// them in no fixed order.
func firstViolation(e *jsonschema.ValidationError) string {
	if len(e.Causes) == 0 {
		keyword, name := strings.Join(e.ErrorKind.KeywordPath(), "/"), ""
		switch k := e.ErrorKind.(type) {
		case *kind.Not:
			keyword = "not"
		case *kind.RefCycle:
			keyword = "$ref"
		case *kind.Required:
			name = slices.Min(k.Missing)
		case *kind.AdditionalProperties:
			name = slices.Min(k.Properties)
		}
		return describe(keyword, e.InstanceLocation, name)
	}
	first := firstViolation(e.Causes[0])
	for _, c := range e.Causes[1:] {
		first = min(first, firstViolation(c))
	}
	return first
}

// maxName bounds the length of a path or name in a message, in bytes.
const maxName = 200

// describe is the text of a violation: keyword, place, and a member's name when
// it has one.
func describe(keyword string, path []string, name string) string {
	text := keyword + " at /" + shorten(strings.Join(path, "/"))
	if name != "" {
		text += ": " + shorten(name)
	}
	return text
}

// shorten makes a text of the document fit one line of a message.
func shorten(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	if len(s) <= maxName {
		return s
	}
	cut := maxName
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// hasExtremeNumber tells whether a valid JSON document has a number that is
// long, or is made so by its exponent.
func hasExtremeNumber(b []byte) bool {
	for p := 0; p < len(b); {
		switch c := b[p]; {
		case c == '"':
			p = skipString(b, p)
		case c == '-' || c >= '0' && c <= '9':
			end := skipNumber(b, p)
			d := parseDecimal(b[p:end])
			if d.exp > 400 || d.exp < -400 || end-p > 800 {
				return true
			}
			p = end
		default:
			p++
		}
	}
	return false
}
