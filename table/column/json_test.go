package column

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

// every type, all of them nested somewhere.
var allTypes = []string{
	"boolean", "int", "long", "double", "string", "decimal(37,6)", "array<string not null>", "array<string>", "map<string,boolean>",
	"map<int,int>", "map<string,map<string,string>>", "map<string,map<int,long>>", "struct<a:int not null,b:struct<c:double,d:array<int>>>",
	"array<struct<t:long not null,m:map<string,string>> not null>", "array<array<map<string,array<decimal(5,2)>>>>", "long!",
}

func TestRoundTrip(t *testing.T) {
	rows := []string{
		`{"c0":true,"c1":-2147483648,"c2":9223372036854775807,"c3":0.1,"c4":"\"\\é😀\u0000","c5":"-12345678901234567890123456789.000001",` +
			`"c6":["","b"],"c7":[null,"x",null],"c8":{"":null,"k":true},"c9":{"-1":2,"10":null,"2":-3},"c10":{"a":{"b":null,"c":"d"},"e":{},` +
			`"f":null},` +
			`"c11":{"x":{"0":1}},"c12":{"a":1,"b":{"c":2.5,"d":[1,null]}},"c13":[{"t":1,"m":{"p":"q"}},{"t":2,"m":null},{"t":3,"m":{}}],` +
			`"c14":[[{"k":["1.50",null],"l":[],"m":null}],[],null,[null,{}]],"c15":0}`,
		`{"c0":null,"c1":null,"c2":null,"c3":null,"c4":null,"c5":null,"c6":null,"c7":null,"c8":null,"c9":null,"c10":null,"c11":null,` +
			`"c12":null,"c13":null,"c14":null,"c15":1}`,
		`{"c0":false,"c1":0,"c2":0,"c3":0.0,"c4":"","c5":"0.000000","c6":[],"c7":[],"c8":{},"c9":{},"c10":{},"c11":{},` +
			`"c12":{"a":0,"b":null},"c13":[],"c14":[],"c15":2}`,
		`{"c0":null,"c1":null,"c2":null,"c3":1e+100,"c4":"x","c5":"0.000001","c6":null,"c7":null,"c8":null,"c9":null,"c10":null,"c11":null,` +
			`"c12":{"a":7,"b":{"c":null,"d":null}},"c13":[{"t":-1,"m":null}],"c14":[[]],"c15":-9223372036854775808}`,
	}
	cols := columns(allTypes...)
	for n := range rows {
		for _, part := range [][]string{rows[n:], rows[:n+1]} {
			if got, want := rendered(fill(t, cols, part...)), strings.Join(part, "\n")+"\n"; got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		}
	}
}

// What differs in writing only is written in one way.
func TestAppendJSONForms(t *testing.T) {
	for _, c := range []struct{ typ, in, want string }{
		{"double", `1`, `1.0`}, {"double", `1e3`, `1000.0`}, {"double", `1e21`, `1e+21`}, {"double", `-0.0`, `-0.0`}, {"double", `1e-7`, `1e-07`},
		{"decimal(37,6)", `1`, `"1.000000"`}, {"decimal(37,6)", `"-0.5"`, `"-0.500000"`}, {"decimal(5,2)", `999.99`, `"999.99"`},
		{"decimal(5,0)", `7`, `"7"`},
		{"map<string,int>", `{"b":1,"a":2}`, `{"a":2,"b":1}`}, {"struct<a:int,b:int>", `{"b":1,"c":[]}`, `{"a":null,"b":1}`}, {"long", `-0`, `0`},
	} {
		b := fill(t, columns(c.typ), `{"c0":`+c.in+`,"other":{"x":1}}`)
		if got, want := rendered(b), `{"c0":`+c.want+"}\n"; got != want {
			t.Errorf("%s: %s is %swant %s", c.typ, c.in, got, want)
		}
	}
}

// A row with a value that does not fit is refused whole: the batch stays as it
// was.
func TestAppendJSONErrors(t *testing.T) {
	for _, c := range []struct{ typ, in, why string }{
		{"boolean", `1`, "1 is not of type boolean"}, {"boolean", `"true"`, "true is not of type boolean"},
		{"string", `1`, "1 is not of type string"},
		{"int", `1.0`, "1.0 is not of type int"}, {"int", `2147483648`, "2147483648 is not of type int"}, {"int", `"1"`, "1 is not of type int"},
		{"long", `9223372036854775808`, "not of type long"}, {"long", `true`, "not of type long"}, {"double", `"1"`, "not of type double"},
		{"double", `1e400`, "not of type double"},
		{"decimal(5,2)", `true`, "not of type decimal(5,2)"}, {"decimal(5,2)", `"x"`, "not of type decimal(5,2)"},
		{"decimal(5,2)", `1000`, "not of type decimal(5,2)"},
		{"decimal(5,2)", `"1e999999999"`, "not of type decimal(5,2)"}, {"decimal(5,2)", `"Inf"`, "not of type decimal(5,2)"},
		{"decimal(5,2)", `"NaN"`, "not of type decimal(5,2)"}, {"decimal(5,2)", `""`, "not of type decimal(5,2)"},
		{"decimal(5,2)", `"0x1p3"`, "not of type decimal(5,2)"},
		{"array<int>", `{}`, "not of type array<int>"}, {"array<int>", `1`, "not of type array<int>"},
		{"array<int>", `["a"]`, "a is not of type int"}, {"array<int not null>", `[null]`, "null where int is required"},
		{"map<string,int>", `[]`, "not of type map<string,int>"}, {"map<string,int>", `{"a":"b"}`, "b is not of type int"},
		{"map<int,int>", `{"a":1}`, "a is not of type int"},
		{"map<int,int>", `{"1":1,"01":2}`, "01 is not of type int"}, {"map<int,int>", `{"+1":2}`, "+1 is not of type int"},
		{"struct<a:int>", `[]`, "not of type struct<a:int>"}, {"struct<a:int>", `{"a":"b"}`, "member a: b is not of type int"},
		{"struct<a:int not null>", `{}`, "member a: null where int is required"},
		{"struct<a:array<struct<b:int>>>", `{"a":[{"b":{}}]}`, "member a: member b: map[] is not of type int"},
		{"int!", `null`, "column c1 is null but required"},
	} {
		cols := columns("string", c.typ, "array<int>")
		b := NewBatch(cols)
		if !cols[1].NotNull {
			b.EndRow()
		}
		err := b.AppendJSONRow(row(t, `{"c0":"half","c1":`+c.in+`,"c2":[1,2]}`))
		if err == nil || !strings.Contains(err.Error(), c.why) || !strings.Contains(err.Error(), "column c1") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s from %s: %v, want %q", c.typ, c.in, err, c.why)
			continue
		}
		if cols[1].NotNull {
			continue
		}
		require.NoError(t, b.AppendJSONRow(row(t, `{"c0":"whole","c2":[3]}`)))
		if got, want := rendered(b), `{"c0":null,"c1":null,"c2":null}`+"\n"+`{"c0":"whole","c1":null,"c2":[3]}`+"\n"; got != want {
			t.Errorf("after %s from %s: got\n%swant\n%s", c.typ, c.in, got, want)
		}
	}
}

// Doubles that JSON has no number for are null.
func TestDoublesOutsideOfJSON(t *testing.T) {
	b := NewBatch(columns("double", "array<double>", "decimal(10,3)"))
	b.SetDouble(0, math.NaN())
	n := b.Start(1)
	for i, v := range []float64{math.Inf(1), math.Inf(-1), 1} {
		b.Double(n.Elem, n.ElemRep(i, 0), v)
	}
	b.SetDecimal(2, Int128Of(-1))
	b.EndRow()
	if got, want := rendered(b), `{"c0":null,"c1":[null,null,1.0],"c2":"-0.001"}`+"\n"; got != want {
		t.Errorf("got %swant %s", got, want)
	}
}

// TestEmbed: texts of the chosen column are written as JSON, nulls and other columns as before.
func TestEmbed(t *testing.T) {
	b := NewBatch([]schema.Column{{Name: "a", Type: schema.MustType("string")}, {Name: "b", Type: schema.MustType("string")}})
	require.NoError(t, b.AppendJSONRow(map[string]any{"a": `{"x":1}`, "b": `{"y":[2]}`}))
	require.NoError(t, b.AppendJSONRow(map[string]any{"a": "c"}))
	w := NewRowWriter(b)
	w.Embed(1)
	require.Equal(t, `{"a":"{\"x\":1}","b":{"y":[2]}}{"a":"c","b":null}`, string(w.AppendRow(w.AppendRow(nil))))
}
