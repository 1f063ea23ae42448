package ingest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
)

// schemaProbes stand in for members of pings in turn.
var schemaProbes = []string{
	`null`, `true`, `0`, `-1`, `1.0`, `1.5`, `4`, `2049`, `"x"`, `"60.0"`, `"2018060112"`, `[]`, `{}`,
	`[1,"a","b","c",null,{"k":null}]`, `{"a":{"b":{}},"1":1}`,
}

// TestProgramsAgree mutates pings and compares programs with the general
// validator, on every schema.
func TestProgramsAgree(t *testing.T) {
	set := mustLoad(t, "")
	for _, file := range glob(t, "testdata/conformance/validation/*.4.[grs]*.pass.json") {
		var c validationCase
		readCase(t, file, &c)
		s := set.find(telemetryNamespace, []byte(c.DocType), "4")
		if s.program == nil {
			t.Fatalf("%s has no program", c.DocType)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(c.Ping))
		require.NoError(t, err)
		if c.DocType == "crash" || c.DocType == "update" { // new-profile has the same environment
			doc.(map[string]any)["environment"] = json.RawMessage(smallEnvironment)
		}
		mutate(doc, func() { agree(t, s, marshal(t, doc)) })
	}
}

const smallEnvironment = `{"partner":{},"settings":{},"system":{},"build":{"applicationId":"","applicationName":"","architecture":"",
	"buildId":"2018060112","platformVersion":"60.0","vendor":"","version":"60.0","xpcomAbi":""}}`

// mutate calls check with the document changed in one place, for every place: a
// member removed, renamed, or a value replaced.
func mutate(v any, check func()) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Collect(maps.Keys(v)) {
			old := v[k]
			delete(v, k)
			check()
			v[k+"x"] = old
			check()
			delete(v, k+"x")
			for _, p := range schemaProbes {
				v[k] = json.RawMessage(p)
				check()
			}
			v[k] = old
			mutate(old, check)
		}
	case []any:
		for i, old := range v {
			for _, p := range schemaProbes {
				v[i] = json.RawMessage(p)
				check()
			}
			v[i] = old
			mutate(old, check)
		}
	}
}

func marshal(t testing.TB, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return b
}

// verdict returns the violation of a document that is not scanned yet.
func verdict(s *checker, doc []byte) string {
	var d ping.Doc
	_ = d.ScanValid(fields.program, doc) // documents of these tests are valid JSON, and not all of them objects
	return s.violation(&d)
}

// agree checks that both ways give the same verdict on a valid document.
func agree(t testing.TB, s *checker, doc []byte) {
	t.Helper()
	program := verdict(s, doc)
	general := verdict(&checker{general: s.general}, doc)
	if (program == "") != (general == "") {
		t.Fatalf("program says %q, the validator %q: %s", program, general, doc)
	}
}

func mustLoad(t testing.TB, dir string) schemaSet {
	t.Helper()
	set, err := loadSchemas(dir)
	require.NoError(t, err)
	return set
}

// compileText compiles a draft 4 schema.
func compileText(t testing.TB, text string) *checker {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft4)
	require.NoError(t, c.AddResource("file:///x.json", doc))
	s, err := c.Compile("file:///x.json")
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return newChecker(s)
}

// programSchemas use all that programs know.
var programSchemas = []string{
	`{}`,
	`{"type":"object","properties":{"a":{"type":"integer","minimum":-2,"maximum":7.5},"b":{"type":["string","null"],"pattern":"^x\\d"}},` +
		`"required":["a","c"]}`,
	`{"properties":{"a":{"enum":["x","é","\n"]}},"patternProperties":{"^[0-9]+$":{"type":"number","minimum":0.25},` +
		`"^a":{"type":"string"}},"additionalProperties":false}`,
	`{"patternProperties":{"^\\d+$":{"minimum":10}},"additionalProperties":{"type":"boolean"}}`,
	`{"properties":{"a":{"items":[{"type":"integer"},{"type":"string"}],"additionalItems":false,"minItems":1},"b":{"items":[{}],` +
		`"additionalItems":{"type":"null"}},"c":{"items":{"maximum":3},"maxItems":2}}}`,
	`{"maxProperties":2,"additionalProperties":{"maxProperties":1}}`,
	`{"properties":{"a":{"oneOf":[{"type":"integer"},{"minimum":2}]},"b":{"anyOf":[{"required":["x"]},{"required":["y"]}]},` +
		`"c":{"allOf":[{"minimum":1},{"maximum":3}],"type":"number"}}}`,
	`{"properties":{"a":{"$ref":"#"},"b":{"$ref":"#/definitions/text"}},"definitions":{"text":{"$ref":"#/definitions/short"},` +
		`"short":{"type":"string"}},"required":["b"]}`,
	`{"additionalProperties":{"type":["array","number"],"items":{"type":"integer"}}}`,
	`{"additionalProperties":{"additionalProperties":false,"patternProperties":{"^\\d+$":{"type":"integer","minimum":0}}}}`,
	`{"additionalProperties":{"type":"object","additionalProperties":{"type":"array"}}}`,
	`{"properties":{"a":{"not":{"type":"integer"}},"b":{"maxLength":1},"h":{"not":{"required":["0"]}},"c":{"not":{"not":{"minimum":2}}}}}`,
	`{"properties":{"b":{"maxLength":2,"pattern":"^x","not":{"enum":["x"]}}},"not":{"required":["a"]}}`,
	`{"properties":{"a":{"minimum":12345678901234567890,"maximum":12345678901234567891},"b":{"minimum":-1e-7,"maximum":1e30}}}`,
}

// programDocuments are objects that probe them.
var programDocuments = []string{
	`{}`, `{"a":1}`, `{"a":1,"c":2}`, `{"a":-3,"c":0}`, `{"a":7.5,"c":0}`, `{"a":8,"c":0}`, `{"a":1e0,"c":0}`, `{"a":10e-1,"c":0}`,
	`{"a":1.0000000000000000000001,"c":0}`,
	`{"b":"x1","a":7,"c":[]}`, `{"b":"x","a":1,"c":1}`, `{"b":"\u00781","a":1,"c":1}`, `{"b":null}`, `{"b":5}`,
	`{"\u0061":1,"c":1}`, `{"a":"x"}`, `{"a":"\u00e9"}`, `{"a":"é"}`, `{"a":"\n"}`, `{"a":"\\n"}`, `{"1":1}`, `{"1":0.2}`, `{"1":"x"}`,
	`{"12":10,"x":true}`, `{"12":9}`, `{"x":1}`, `{"ab":"x"}`,
	`{"a":[1,"x"]}`, `{"a":[1,"x",2]}`, `{"a":[]}`, `{"a":["x"]}`, `{"b":[1,null]}`, `{"b":[1,2]}`, `{"c":[1,2,3]}`, `{"c":[4]}`,
	`{"c":[ 1 , 3 ]}`,
	`{"a":{},"b":{},"c":{}}`, `{"a":{"x":1,"y":2}}`, `{"a":2}`, `{"a":1.5}`, `{"a":2.5}`, `{"b":{"y":0}}`, `{"b":{}}`, `{"c":2}`, `{"c":0}`,
	`{"c":4}`,
	`{"a":{"b":"x"},"b":"x"}`, `{"a":{"b":1},"b":"x"}`, `{"a":{},"b":"x"}`, `{"b":"x"}`,
	`{"a":12345678901234567890}`, `{"a":12345678901234567889}`, `{"a":12345678901234567892}`, `{"a":1234567890123456789.05e1}`, `{"b":-1e-7}`,
	`{"b":-1.01e-7}`, `{"b":1e30}`, `{"b":1000000000000000000000000000001}`, `{"b":1e-400}`, `{"b":-1e399}`, `{"a":-0}`, `{"a":-0.0,"c":0e5}`,
	// members that stand twice: the last one counts
	`{"a":"bad","a":1,"c":1}`, `{"a":1,"a":"bad","c":1}`, `{"x":1,"x":true}`, `{"x":true,"x":1}`, `{"a":{},"a":{},"a":{}}`,
	`{"a":1,"a":2,"a":3,"a":4}`, `{"c":1,"a":[1,"x",2],"a":[1]}`,
	`{"a":{"x":1,"x":2,"x":3}}`, `{"b":{"x":{},"y":[],"x":0},"\u0062":{}}`, `{"q":[1.5],"\u0071":[1]}`, `{"x":{"y":[{"z":1}]},"b":"x"}`,
	`{"h":{"0":1,"12":34}}`, `{"h":{"0":-1}}`, `{"h":{"0":1.0}}`, `{"h":{"0":1e2,"x":1}}`, `{"h":{"0":5,"1":0.5}}`, `{"h":{"\u0030":1}}`,
	`{"h":{ "0" : 1 , "1":2}}`, `{"h":{"":1}}`,
	`{"h":{"0":99999999999999999999}}`, `{"h":{"0":"1"}}`, `{"h":{"0":1,"1x":1}}`, `{"h":{"0":{}},"g":{"0":[{"x":"]"}]}}`,
	`{"h":[],"g":{"0":[]}}`,
	`{"b":"é"}`, `{"b":"éé"}`, `{"b":"\u00e9"}`, `{"b":"\ud83d\ude00"}`, `{"b":"xx"}`, `{"b":"xxx"}`, `{"b":"xéé"}`, `{"b":"x","a":1.5}`,
	" {\n\t\"a\" : 1 ,\r\n \"c\" : [ ] }\n",
}

func TestPrograms(t *testing.T) {
	for _, text := range programSchemas {
		s := compileText(t, text)
		if s.program == nil {
			t.Fatalf("no program for %s", text)
		}
		for _, doc := range programDocuments {
			agree(t, s, []byte(doc))
		}
	}
}

// TestGuesses checks documents whose members come in another order, with others between them or at other depths than those
// before, and violations far down where everything is as it was guessed.
func TestGuesses(t *testing.T) {
	s := compileText(t, `{"type":["object","integer"],"required":["a"],"properties":{"a":{"$ref":"#"},"b":{"type":"integer","minimum":0},`+
		`"bb":{"type":"string"}}}`)
	deep := strings.Repeat(`{"a":`, 400)
	for range 2 {
		for _, doc := range []string{
			`{"a":1,"b":2,"bb":"x"}`, `{"b":2,"a":1,"bb":"x"}`, `{"bb":"x","b":2}`, `{"a":1,"c":0,"b":-1}`, `{"a":1,"b":"x"}`, `{"a":1,"bb":3}`,
			`{"a":{"b":7,"a":8},"b":9}`,
			`{"a" :1,"b": 2}`, `{"a":{"a":{"a":"x"}}}`, `{"a":1,"b":18446744073709551616,"bb":""}`, `{"a":1,"b":1,"b":-1}`, `{"a":1,"b":-1,"b":1}`,
			`{"a":1}`,
			deep + `1` + strings.Repeat(`}`, 400), deep + `"x"` + strings.Repeat(`}`, 400),
		} {
			agree(t, s, []byte(doc))
		}
	}
}

func TestManyReplacedMembers(t *testing.T) {
	s := compileText(t, `{"properties":{"a":{"type":"integer"}}}`)
	for n, want := range map[int]string{maxVoided: "", maxVoided + 1: "type at /a"} {
		doc := "{" + strings.Repeat(`"a":"bad",`, n) + `"a":1}`
		if got := verdict(s, []byte(doc)); got != want {
			t.Errorf("%d replaced members: got %q, want %q", n, got, want)
		}
	}
}

func TestViolationText(t *testing.T) {
	s := compileText(t, `{"required":["b","a"],"additionalProperties":{"additionalProperties":false}}`)
	general := &checker{general: s.general}
	long := strings.Repeat("é", 150)
	for doc, want := range map[string]string{
		`{}`:                     "required at /: b",
		`{"b":1}`:                "required at /: a",
		`{"a":1,"b":{"x\ny":1}}`: "additionalProperties at /b: x y",
		fmt.Sprintf(`{"a":1,"b":{"%s":1}}`, long):        "additionalProperties at /b: " + long[:200] + "…",
		fmt.Sprintf(`{"a":1,"b":1,"x%s":{"c":1}}`, long): "additionalProperties at /x" + long[:198] + "…: c",
	} {
		if got := verdict(s, []byte(doc)); got != want {
			t.Errorf("%s: got %q, want %q", doc, got, want)
		}
		if got := verdict(general, []byte(doc)); doc != `{}` && got != want {
			t.Errorf("%s: the general validator says %q, want %q", doc, got, want)
		}
	}
}

// TestChoiceText names what keeps a value from the nearest of several forms,
// wherever the members stand.
func TestChoiceText(t *testing.T) {
	s := compileText(t, `{"properties":{"p":{"anyOf":[
		{"required":["to"],"properties":{"reason":{"enum":["ready"]},"to":{"type":"string"}}},
		{"required":["from"],"properties":{"reason":{"enum":["success"]},"from":{"properties":{"id":{"type":"string"}}}}}]},
		"q":{"oneOf":[{"type":"integer"},{"minimum":2}]},
		"r":{"allOf":[{"type":"integer"},{"minimum":2}]},
		"s":{"anyOf":[{"anyOf":[{"properties":{"x":{"type":"null"}}},{"type":"string"}]},{"type":"null"}]}}}`)
	general := &checker{general: s.general}
	for doc, want := range map[string]string{
		`{"p":{"reason":"success","from":{"id":1}}}`: "anyOf at /p: type at /p/from/id",
		`{"p":{"from":{"id":1},"reason":"success"}}`: "anyOf at /p: type at /p/from/id",
		`{"p":{"reason":"ready","to":null}}`:         "anyOf at /p: type at /p/to",
		`{"p":{"to":null,"reason":"ready"}}`:         "anyOf at /p: type at /p/to",
		`{"p":{"reason":"ready"}}`:                   "anyOf at /p: required at /p: to",
		`{"p":{"reason":"why","to":"x","from":{}}}`:  "anyOf at /p: enum at /p/reason",
		`{"q":1.5}`:     "oneOf at /q: minimum at /q",
		`{"q":3}`:       "oneOf at /q",
		`{"r":1}`:       "minimum at /r",
		`{"s":{"x":1}}`: "anyOf at /s: type at /s/x",
	} {
		if got := verdict(s, []byte(doc)); got != want {
			t.Errorf("%s: got %q, want %q", doc, got, want)
		}
		if got := verdict(general, []byte(doc)); got != want {
			t.Errorf("%s: the general validator says %q, want %q", doc, got, want)
		}
	}
}

func FuzzPrograms(f *testing.F) {
	var all []*checker
	for _, text := range programSchemas {
		all = append(all, compileText(f, text))
	}
	for _, s := range mustLoad(f, "") {
		all = append(all, s)
	}
	for _, doc := range programDocuments {
		f.Add([]byte(doc))
	}
	for _, file := range glob(f, "testdata/conformance/validation/*.min.pass.json", "testdata/conformance/validation/*.histogram.fail.json") {
		var c validationCase
		readCase(f, file, &c)
		f.Add([]byte(c.Ping))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		if ping.Validate(doc) != nil || hasExtremeNumber(doc) || bytes.Count(doc, []byte(":")) > 500 {
			return
		}
		for _, s := range all {
			agree(t, s, doc)
		}
	})
}
