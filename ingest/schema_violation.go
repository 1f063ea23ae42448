package ingest

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// violation describes the violation of a schema by a document.
type violation struct {
	keyword string
	path    []string // of the value
	name    string   // of the missing or surplus member
	chosen  string   // anyOf or oneOf, where only the form nearest to the value is reported
	at      []string // path of the value with that choice
}

// text returns the violation in one line: keyword, place, and a member's name if there is one, preceded by the
// choice if there was one.
func (v *violation) text() string {
	text := describe(v.keyword, v.path, v.name)
	if v.chosen != "" {
		text = describe(v.chosen, v.at, "") + ": " + text
	}
	return text
}

// compare orders violations of a choice by how near the value is to the form. A form with another enumerated
// text, such as another reason, is the farthest; after that, the deeper violation is nearer. Texts make the
// order total.
func (v *violation) compare(o *violation) int {
	return cmp.Or(
		cmp.Compare(boolInt(v.keyword == "enum"), boolInt(o.keyword == "enum")),
		-cmp.Compare(len(v.path), len(o.path)),
		strings.Compare(v.text(), o.text()),
	)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// firstViolation returns the violation with the smallest text, for a choice the nearest one, because the
// validator returns violations in no fixed order.
func firstViolation(e *jsonschema.ValidationError) violation {
	if len(e.Causes) == 0 {
		v := violation{keyword: strings.Join(e.ErrorKind.KeywordPath(), "/"), path: e.InstanceLocation}
		switch k := e.ErrorKind.(type) {
		case *kind.Not:
			v.keyword = "not"
		case *kind.RefCycle:
			v.keyword = "$ref"
		case *kind.Required:
			v.name = slices.Min(k.Missing)
		case *kind.AdditionalProperties:
			v.name = slices.Min(k.Properties)
		}
		return v
	}
	var causes []violation
	for _, c := range e.Causes {
		causes = append(causes, firstViolation(c))
	}
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		v := slices.MinFunc(causes, func(x, y violation) int { return x.compare(&y) })
		v.chosen, v.at = strings.Join(e.ErrorKind.KeywordPath(), "/"), e.InstanceLocation
		return v
	}
	return slices.MinFunc(causes, func(x, y violation) int { return strings.Compare(x.text(), y.text()) })
}

// maxName bounds the length of a path or name in a message, in bytes.
const maxName = 200

// describe names a violated keyword, a place, and a member when there is one.
func describe(keyword string, path []string, name string) string {
	text := keyword + " at /" + shorten(strings.Join(path, "/"))
	if name != "" {
		text += ": " + shorten(name)
	}
	return text
}

// shorten makes a text of the document fit into one line of a message.
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
