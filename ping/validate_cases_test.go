package ping

import (
	"errors"
	"strings"
	"testing"
)

var validTexts = []string{
	`{}`, `[]`, `0`, `-0`, `true`, `false`, `null`, `""`, `"a"`, ` 1 `, "\t[\n]\r\n", `[[]]`, `[{}]`, `{"":{}}`,
	`[0,1,-1,10,90,1234567890123456789012345678901234567890]`,
	`[0.0,-0.5,1.25,10.01,1e5,1E5,1e+5,1E-5,0e0,-0e-0,1.5e300,1e99999]`,
	`[true,false,null,"true",[false],{"null":null}]`,
	`{"a":1,"a":2}`, `{"a":{"b":[1,{"c":[]}]},"d":"e"}`,
	`{ "a" : [ 1 , "b" , null , { } , [ ] ] , "c" : -1.5e-7 }`,
	`"\"\\\/\b\f\n\r\t"`, `"\u0000\u12aF\uD800\uDFFF\ud83d\uDe00"`, `"\\"`, `"\\\""`, `["\\","\\\\"]`,
	"\"\x7f\"", `"é€😀"`, "\"\u2028\"", `"{[,:]}"`, `{",":":","[":"]"}`,
	"[\n  1,\n  2\n]", "{\n\t\"a\": \"b\",\n\t\"c\": [\n\t\t1,\n\t\t2\n\t]\n}\n",
}

var invalidTexts = []string{
	``, ` `, `,`, `:`, `}`, `]`, `{`, `[`, `"`, `\`, `'a'`, `a`, `"a`, `[}`, `{]`, `[1}`, `{"a":1]`,
	`{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{:}`, `{"a"1}`, `{"a" "b"}`, `{"a":1 "b":2}`, `{"a"::1}`, `{"a":1:2}`, `{"a":"b":"c"}`,
	`{1:2}`, `{a:1}`, `{null:1}`, `{[]:1}`, `{{}:1}`, `{"a",1}`, `{"a":1,"b"}`, `{"a":1,2}`, `{"a":1,[]}`, `{"a":1,:2}`, `{"a":1,,"b":2}`,
	`[1,]`, `[,1]`, `[1,,2]`, `[1 2]`, `["a" "b"]`, `["a""b"]`, `["a"1]`, `[1"a"]`, `[1[]]`, `[[]1]`, `[[][]]`, `[{}{}]`, `["a":1]`, `[1:2]`,
	`[:]`,
	`1 2`, `1,2`, `1,"a"`, `1,"a":2`, `"a":1`, `"a",`, `1,`, `[],`, `[],[]`, `{},{}`, `{}{}`, `[][]`, `[]]`, `{}}`, `[] 1`, `[]"a"`, `"a""b"`,
	`"a" "b"`, `1:`, `{}:`,
	`+1`, `01`, `-01`, `00`, `-`, `--1`, `1-`, `1-2`, `.5`, `-.5`, `1.`, `1.e5`, `1e`, `1e+`, `1e-`, `1ee5`, `1e5.5`, `1.2.3`, `0x10`, `1_000`,
	`1a`, `1true`, `Infinity`, `NaN`, `-a`,
	`tru`, `truee`, `true1`, `True`, `TRUE`, `fals`, `falsey`, `nul`, `nulll`, `nil`, `t`, `true false`, `truefalse`, `[true"a"]`, `[tru e]`,
	`[1 .5]`,
	`"\x"`, `"\u"`, `"\u1"`, `"\u12"`, `"\u123"`, `"\u123g"`, `"\ug123"`, `"\U1234"`, `"\'"`, `"\`, `"\"`, `"\\\"`, `"\u12`, `"\ `, "\"\\\n\"",
	`[\]`, `\"`, `\"a\"`, `[1\]`, `[\"]`,
	"\"\x00\"", "\"\n\"", "\"\t\"", "\"\x1f\"", "[\x00]", "\x00", "[1]\x00", "\x0c[]", "\u00a0[]", "\ufeff[]", "[\x7f]", "[1\x0b]",
	"\"\xff\"", "\"\xc3\"", "\"\xc0\xaf\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "\"\xe2\x82\"", "\xff", "[\xc3\xa9]", "{\"\xfe\":1}",
	`// a`, `[1]//`, `/**/1`, `{"a":1}#`, `{'a':1}`, `{"a":undefined}`, `[1;2]`, `(1)`, `<a>`, `[1,2`, `[1,`, `[`, `{"a":1`, `{"a":`, `{"a"`,
	`{"a`, `[{"a":[`,
}

func TestValidateCases(t *testing.T) {
	for _, list := range []struct {
		texts []string
		valid bool
	}{{validTexts, true}, {invalidTexts, false}} {
		for _, s := range list.texts {
			if oracle([]byte(s)) != list.valid {
				t.Errorf("the case %q should be valid: %t", s, list.valid)
			}
			// At every place relative to the borders of blocks.
			for n := range 70 {
				checkValidate(t, []byte(strings.Repeat(" ", n)+s))
				checkValidate(t, []byte(s+strings.Repeat("\n", n)))
				checkValidate(t, []byte(strings.Repeat("[", n)+s+strings.Repeat("]", n)))
				checkValidate(t, []byte(`{"`+strings.Repeat("k", n)+`":`+s+"}"))
			}
		}
	}
}

func TestValidateError(t *testing.T) {
	for _, c := range []struct {
		text, want string
	}{
		{``, `invalid JSON at byte 0: unexpected end of the document, want a value`},
		{`{"a":1,}`, `invalid JSON at byte 7: unexpected '}', want a name`},
		{`{1:2}`, `invalid JSON at byte 1: unexpected '1', want a name or '}'`},
		{`{"a" 1}`, `invalid JSON at byte 5: unexpected '1', want ':'`},
		{`[1 2]`, `invalid JSON at byte 3: unexpected '2', want ',' or ']'`},
		{`{"a":[1]]`, `invalid JSON at byte 8: unexpected ']', want ',' or '}'`},
		{`[1,]`, `invalid JSON at byte 3: unexpected ']', want a value`},
		{`[1.x]`, `invalid JSON at byte 3: unexpected 'x', want a number, true, false or null`},
		{`[trux]`, `invalid JSON at byte 4: unexpected 'x', want a number, true, false or null`},
		{`[01]`, `invalid JSON at byte 2: unexpected '1', want ',' or ']'`},
		{`[] []`, `invalid JSON at byte 3: unexpected '[', want the end of the document`},
		{`["\q"]`, `invalid JSON at byte 3: unexpected 'q', want an escape sequence`},
		{"[\"a\nb\"]", `invalid JSON at byte 3: control character '\n' in a string`},
		{"[\"a\xff\"]", `invalid JSON at byte 3: invalid UTF-8`},
		{`["a`, `invalid JSON at byte 3: unexpected end of the document, want '"'`},
		{strings.Repeat("[", 513), `invalid JSON at byte 512: more than 512 levels`},
	} {
		err := Validate([]byte(c.text))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || err.Error() != c.want {
			t.Errorf("Validate(%.40q) = %v, want %s", c.text, err, c.want)
		}
	}
}

func TestValidateTruncated(t *testing.T) {
	doc := append([]byte(`[{"a":[1.5e-3,true,null,{}],"b\n":`), append(validDoc(), `}]`...)...)
	if !oracle(doc) {
		t.Fatal("the whole document is not valid")
	}
	for n := range len(doc) + 1 {
		checkValidate(t, doc[:n])
	}
}

func TestValidateDepth(t *testing.T) {
	for _, n := range []int{1, 31, 32, 33, 61, 62, 63, 64, 65, 511, 512, 513, 514, 1023, 1024, 1025, 5000} {
		checkValidate(t, []byte(strings.Repeat("[", n)+strings.Repeat("]", n)))
		checkValidate(t, []byte(strings.Repeat(`{"a":`, n)+"1"+strings.Repeat("}", n)))
		checkValidate(t, []byte(strings.Repeat(`[{"a":`, n)+"1"+strings.Repeat("}]", n)))
		checkValidate(t, []byte(strings.Repeat("[", n)))
		checkValidate(t, []byte(strings.Repeat("]", n)))
		checkValidate(t, []byte(strings.Repeat("[]", n)))
		checkWithin(t, []byte("["+strings.Repeat("[],", n)+"[]]"))
		checkWithin(t, []byte(strings.Repeat(`{"a":[`, n)+"1"+strings.Repeat("]}", n)))
	}
}

// Documents that end near the border between two parts.
func TestValidateParts(t *testing.T) {
	const part = partBlocks * 64
	for n := part - 70; n < part+70; n++ {
		checkValidate(t, []byte(`["`+strings.Repeat("a", n-4)+`"]`))
		checkValidate(t, []byte(`["`+strings.Repeat("a", n-2)+`"`))
		checkValidate(t, []byte(strings.Repeat("1", n)))
		checkValidate(t, []byte(strings.Repeat(" ", n-2)+"-1"))
		checkValidate(t, []byte(strings.Repeat(" ", n-2)+"tru"))
	}
}

func TestValidateHuge(t *testing.T) {
	const n = 3 << 20
	for _, s := range []string{
		"[" + strings.Repeat("1,", n) + "1]",
		`"` + strings.Repeat("abc ", n) + `"`,
		`"` + strings.Repeat(`\\`, n) + `"`,
		strings.Repeat("7", n),
		"1." + strings.Repeat("7", n) + "e1",
		strings.Repeat(" \n", n) + "{}" + strings.Repeat("\t", n),
	} {
		for end := len(s) - 1; end <= len(s); end++ {
			checkValidate(t, []byte(s[:end]))
		}
		checkValidate(t, []byte(s+"]"))
	}
}

func TestValidateAllocates(t *testing.T) {
	docs, _ := pingLike()
	for _, v := range versions() {
		v.run(func() {
			n := testing.AllocsPerRun(10, func() {
				if Validate(docs[0]) != nil {
					t.Error("refused")
				}
			})
			if n != 0 {
				t.Errorf("%s: %v allocations", v.name, n)
			}
		})
	}
}
