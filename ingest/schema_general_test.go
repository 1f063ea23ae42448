package ingest

import (
	"strings"
	"testing"
)

// TestGeneralSchemas has keywords that programs do not know.
func TestGeneralSchemas(t *testing.T) {
	for _, c := range []struct{ schema, doc, want string }{
		{`{"properties":{"a":{"enum":[1,"x"]}}}`, `{"a":"y"}`, "enum at /a"},
		{`{"properties":{"a":{"enum":[1,"x"]}}}`, `{"a":1.0}`, ""},
		{`{"properties":{"b":{"minLength":2}}}`, `{"b":"é"}`, "minLength at /b"},
		{`{"properties":{"c":{"uniqueItems":true}}}`, `{"c":[1,1.0]}`, "uniqueItems at /c"},
		{`{"minProperties":2}`, `{"a":1,"a":2}`, "minProperties at /"},
		{`{"dependencies":{"a":["c"]}}`, `{"a":1}`, "dependency/a at /"},
		{`{"properties":{"a":{"multipleOf":2}}}`, `{"a":3}`, "multipleOf at /a"},
		{`{"properties":{"c":{"minimum":0,"exclusiveMinimum":true}}}`, `{"c":0}`, "exclusiveMinimum at /c"},
		{`{"properties":{"c":{"format":"date-time"}}}`, `{"c":"x"}`, "format at /c"},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"const":1}}}`, `{"a":2}`, "const at /a"},
		{`{"minProperties":1,"not":{},"required":["a","b"],"additionalProperties":false}`, `{"z":1,"y":1}`, "additionalProperties at /: y"},
		// schemas that refer to themselves for the same value
		{`{"properties":{"a":{"anyOf":[{"$ref":"#/properties/a"},{"type":"integer"}]}}}`, `{"a":1}`, ""},
		{`{"properties":{"a":{"allOf":[{"anyOf":[{"$ref":"#/properties/a"}]}]}}}`, `{"b":1}`, ""},
		{`{"properties":{"a":{"$ref":"#/properties/b"},"b":{"$ref":"#/properties/a"}}}`, `{"c":1}`, ""},
	} {
		s := compileText(t, c.schema)
		if s.program != nil {
			t.Errorf("%s has a program", c.schema)
		}
		if got := verdict(s, []byte(c.doc)); got != c.want {
			t.Errorf("%s of %s: got %q, want %q", c.schema, c.doc, got, c.want)
		}
	}
}

func TestExtremeNumbers(t *testing.T) {
	program := compileText(t, `{"properties":{"a":{"type":"integer","minimum":0}}}`)
	general := &checker{general: program.general}
	long := strings.Repeat("7", 100_000)
	for doc, want := range map[string]string{
		`{"a":1e999999999}`:                          "",
		`{"a":-1e999999999}`:                         "minimum at /a",
		`{"a":1e-999999999}`:                         "type at /a",
		`{"a":1e99999999999999999999999}`:            "",
		`{"a":1e-99999999999999999999999}`:           "type at /a",
		`{"a":0e99999999999999999999999}`:            "",
		`{"a":` + long + `}`:                         "",
		`{"a":` + long + `.` + long + `}`:            "type at /a",
		`{"a":` + long + `e-100000}`:                 "type at /a",
		`{"a":0.` + long + `e100000}`:                "",
		`{"a":-0.000` + long + `}`:                   "type at /a",
		`{"b":"1e999999999", "a": 12345678901234.0}`: "",
	} {
		if got := verdict(program, []byte(doc)); got != want {
			t.Errorf("%.40s: got %q, want %q", doc, got, want)
		}
		if got := verdict(general, []byte(doc)); strings.Contains(doc, `"b"`) {
			if got != "" {
				t.Errorf("%s: %s", doc, got)
			}
		} else if got != errNumber.Error() && !strings.HasPrefix(doc, `{"a":0e`) {
			t.Errorf("%.40s: the general validator took it: %q", doc, got)
		}
	}
}
