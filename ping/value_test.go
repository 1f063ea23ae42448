package ping

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// none is for a rule that does not take a value.
const none = "-"

func int64Text(n int64, ok bool) string {
	switch {
	case !ok && n != 0:
		return "not 0"
	case !ok:
		return none
	}
	return strconv.FormatInt(n, 10)
}

func int32Text(n int32, ok bool) string { return int64Text(int64(n), ok) }

func boolText(b, ok bool) string {
	if !ok {
		return none
	}
	return strconv.FormatBool(b)
}

func textText(b []byte, ok bool) string {
	if !ok {
		return none
	}
	return string(b)
}

// rules returns all readings of one value: S, I, L, J, J of 64 bits, B.
func rules(v Value) [6]string {
	return [6]string{
		textText(v.Text(nil)), int32Text(v.Int32()), int64Text(v.Int64()),
		int32Text(v.Integer32()), int64Text(v.Integer64()), boolText(v.Bool()),
	}
}

func TestRules(t *testing.T) {
	for _, c := range []struct {
		token string
		kind  ValueKind
		want  [6]string
	}{
		{`"abc"`, String, [6]string{"abc", none, none, none, none, none}},
		{`""`, String, [6]string{"", none, none, none, none, none}},
		{`"10"`, String, [6]string{"10", none, none, none, none, none}},
		{`"true"`, String, [6]string{"true", none, none, none, none, none}},
		{`"a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"`, String, [6]string{"a\"\\/\b\f\n\r\té😀", none, none, none, none, none}},
		{`true`, Bool, [6]string{none, none, none, none, none, "true"}},
		{`false`, Bool, [6]string{none, none, none, none, none, "false"}},
		{`null`, Null, [6]string{none, none, none, none, none, none}},
		{`{}`, Object, [6]string{none, none, none, none, none, none}},
		{`[1]`, Array, [6]string{none, none, none, none, none, none}},
		{`0`, Number, [6]string{"0", "0", "0", "0", "0", none}},
		{`-0`, Number, [6]string{"0", "0", "0", "0", "0", none}},
		{`1`, Number, [6]string{"1", "1", "1", "1", "1", none}},
		{`-17`, Number, [6]string{"-17", "-17", "-17", "-17", "-17", none}},
		{`2147483647`, Number, [6]string{"2147483647", "2147483647", "2147483647", "2147483647", "2147483647", none}},
		{`2147483648`, Number, [6]string{"2147483648", none, "2147483648", none, "2147483648", none}},
		{`-2147483648`, Number, [6]string{"-2147483648", "-2147483648", "-2147483648", "-2147483648", "-2147483648", none}},
		{`-2147483649`, Number, [6]string{"-2147483649", none, "-2147483649", none, "-2147483649", none}},
		{`9007199254740993`, Number, [6]string{"9007199254740993", none, "9007199254740993", none, "9007199254740993", none}},
		{`9223372036854775807`, Number, [6]string{"9223372036854775807", none, "9223372036854775807", none, "9223372036854775807", none}},
		{`9223372036854775808`, Number, [6]string{"9223372036854775808", none, none, none, none, none}},
		{`-9223372036854775808`, Number, [6]string{"-9223372036854775808", none, "-9223372036854775808", none, "-9223372036854775808", none}},
		{`-9223372036854775809`, Number, [6]string{"-9223372036854775809", none, none, none, none, none}},
		{`9999999999999999999`, Number, [6]string{"9999999999999999999", none, none, none, none, none}},
		{`18446744073709551617`, Number, [6]string{"18446744073709551617", none, none, none, none, none}},
		{`123456789012345678901234567890`, Number, [6]string{"123456789012345678901234567890", none, none, none, none, none}},
		{`1.0`, Number, [6]string{"1.0", "1", "1", none, none, none}},
		{`1.5`, Number, [6]string{"1.5", "1", "1", none, none, none}},
		{`-1.5`, Number, [6]string{"-1.5", "-1", "-1", none, none, none}},
		{`0.9`, Number, [6]string{"0.9", "0", "0", none, none, none}},
		{`-0.9`, Number, [6]string{"-0.9", "0", "0", none, none, none}},
		{`-0.0`, Number, [6]string{"-0.0", "0", "0", none, none, none}},
		{`1e3`, Number, [6]string{"1000.0", "1000", "1000", none, none, none}},
		{`2.0180601E7`, Number, [6]string{"2.0180601E7", "20180601", "20180601", none, none, none}},
		{`2147483647.9`, Number, [6]string{"2.1474836479E9", "2147483647", "2147483647", none, none, none}},
		{`2147483648.0`, Number, [6]string{"2.147483648E9", none, "2147483648", none, none, none}},
		{`-2147483648.9`, Number, [6]string{"-2.1474836489E9", "-2147483648", "-2147483648", none, none, none}},
		{`9223372036854774784.0`, Number, [6]string{"9.223372036854775E18", none, "9223372036854774784", none, none, none}},
		{`9223372036854775807.0`, Number, [6]string{"9.223372036854776E18", none, none, none, none, none}},
		{`-9223372036854775808.0`, Number, [6]string{"-9.223372036854776E18", none, "-9223372036854775808", none, none, none}},
		{`-9223372036854777856.0`, Number, [6]string{"-9.223372036854778E18", none, none, none, none, none}},
		{`1e-400`, Number, [6]string{"0.0", "0", "0", none, none, none}},
		{`1e400`, Number, [6]string{none, none, none, none, none, none}},
		{`-1e400`, Number, [6]string{none, none, none, none, none, none}},
	} {
		v := scan(t, `{"v":`+c.token+`}`, "v")
		if got := rules(v); got != c.want || v.Kind() != c.kind {
			t.Errorf("%s: kind %d, rules %q, want kind %d, %q", c.token, v.Kind(), got, c.kind, c.want)
		}
	}
	if got := rules(Value{}); got != [6]string{none, none, none, none, none, none} || (Value{}).Kind() != Missing || (Value{}).Raw() != nil {
		t.Errorf("a missing value reads as %q", got)
	}
}

// Java writes a double with the fewest digits that distinguish it, but at least two, one on each side of the point,
// plainly from 10^-3 up to 10^7.
func TestJavaDoubleText(t *testing.T) {
	for token, want := range map[string]string{
		"0.0": "0.0", "0e9": "0.0", "-0e1": "-0.0", "1e0": "1.0", "100.0": "100.0", "0.1": "0.1", "123456.789": "123456.789", "1e-1": "0.1",
		"0.001": "0.001", "1.0e-3": "0.001", "0.00123": "0.00123", "0.00099": "9.9E-4", "0.0001": "1.0E-4", "0.00099999999999999999": "0.001",
		"9999999.0": "9999999.0", "9999999.999": "9999999.999", "1e7": "1.0E7", "10000000.0": "1.0E7", "12345678.9": "1.23456789E7",
		"-1e7": "-1.0E7",
		"1e21": "1.0E21", "1.50e21": "1.5E21", "1e100": "1.0E100", "2e23": "2.0E23", "1.7976931348623157e308": "1.7976931348623157E308",
		"2.2250738585072014e-308": "2.2250738585072014E-308", "5e-324": "4.9E-324", "1e-323": "9.9E-324", "1.5e-323": "1.5E-323",
		"0.30000000000000004": "0.30000000000000004", "3.0000000000000001": "3.0", "1234567890123456789.0": "1.2345678901234568E18",
	} {
		if got, ok := scan(t, `{"v":`+token+`}`, "v").Text(nil); !ok || string(got) != want {
			t.Errorf("%s is %s, want %s", token, got, want)
		}
	}
}

// Texts are appended where they do not stand in the document, and only the new
// part is returned.
func TestTextAppends(t *testing.T) {
	buf := append(make([]byte, 0, 64), "before"...)
	for token, want := range map[string]string{`"a\n"`: "a\n", `"a"`: "a", `1.50`: "1.5", `17`: "17", `-0`: "0"} {
		got, ok := scan(t, `{"v":`+token+`}`, "v").Text(buf)
		if !ok || string(got) != want || string(buf) != "before" {
			t.Errorf("%s is %q after %q", token, got, buf)
		}
	}
	b := []byte(`{"v":"abc"}`)
	var set PathSet
	slot := set.Add("v")
	var d Doc
	require.NoError(t, d.Scan(set.Compile(), b))
	text, _ := d.Value(slot).Text(nil)
	if _ = append(text, 'x'); string(b) != `{"v":"abc"}` {
		t.Errorf("appending to a text changed the document to %s", b)
	}
}

func TestUnescape(t *testing.T) {
	for in, want := range map[string]string{
		`\ud83d\ude00`: "😀", `\uD83D\uDE00!`: "😀!", `\ud83d`: "\ufffd", `\ude00`: "\ufffd", `\ud83dx`: "\ufffdx", `\ud83d\n`: "\ufffd\n",
		`\ud83d\ud83d\ude00`: "\ufffd😀", `\ude00\ud83d`: "\ufffd\ufffd", `\ud83d\u0041`: "\ufffdA", `\u0000`: "\x00", `\uffff`: "\uffff",
		`\u00E9\u00e9`: "éé", `\\u0041`: `\u0041`, `\\\\`: `\\`, `\/`: "/", `é\u0020é`: "é é", `\\\"`: `\"`,
	} {
		if got, ok := scan(t, `{"v":"`+in+`"}`, "v").Str(nil); !ok || string(got) != want {
			t.Errorf("%s is %q, want %q", in, got, want)
		}
	}
	for _, in := range []string{`\`, `\u`, `\u12`, `\ud83d\u`, `\u+123`, `\q`, `\uzzzz`, `\u_123`, `x\`} {
		if got := unescape(nil, []byte(in)); len(got) > 3*len(in) {
			t.Errorf("%s is %q", in, got)
		}
	}
	if _, ok := scan(t, `{"v":17}`, "v").Str(nil); ok {
		t.Error("a number is read as a string")
	}
}

// Literals that are none of JSON's fit no rule.
func TestRulesOfNoJSON(t *testing.T) {
	for _, token := range []string{`tru`, `trueish`, `falsey`, `nul`, `abc`, `-`, `+1`, `1-`, `--1`, `1e`, `.`, `e`, `0x1`, `1_0`, `12a`} {
		v := scan(t, `{"v":`+token+`}`, "v")
		if got := rules(v); got != [6]string{none, none, none, none, none, none} {
			t.Errorf("%s reads as %q", token, got)
		}
	}
}
