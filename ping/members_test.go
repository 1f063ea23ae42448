package ping

import (
	"fmt"
	"strings"
	"testing"
)

func membersText(v Value) string {
	var s strings.Builder
	for _, m := range v.Members(nil) {
		fmt.Fprintf(&s, "%s=%s;", m.Key, m.Value.Raw())
	}
	return s.String()
}

func elementsText(v Value) string {
	var s strings.Builder
	for _, e := range v.Elements(nil) {
		fmt.Fprintf(&s, "%s;", e.Raw())
	}
	return s.String()
}

func TestMembers(t *testing.T) {
	many, manyWant := "{", ""
	for i := range 40 {
		many += fmt.Sprintf(`"k%d":0,`, i)
		manyWant += fmt.Sprintf("k%d=0;", i)
	}
	for _, c := range []struct{ doc, want string }{
		{`{}`, ``}, {`{ }`, ``}, {"{\n}", ``},
		{`{"b":1,"a":2}`, `b=1;a=2;`},
		{" {\t\"b\" : 1 ,\n\"a\":{ } , \"c\" : [ ] } ", `b=1;a={ };c=[ ];`},
		{`{"":null,"\"\\":"\"}","\u00e9":"é"}`, `=null;"\="\"}";é="é";`},
		{`{"a":1,"b":2,"a":3}`, `b=2;a=3;`},
		{`{"a":1,"\u0061":2}`, `a=2;`},
		{`{"a":1,"a":{"a":2},"a":null}`, `a=null;`},
		{many + `"z":1}`, manyWant + "z=1;"},
		{many + `"k0":1}`, strings.TrimPrefix(manyWant, "k0=0;") + "k0=1;"},
		{`[{"a":1}]`, ``}, {`"a"`, ``}, {`1`, ``}, {`true`, ``}, {`null`, ``},
	} {
		v := scan(t, `{"v":`+c.doc+`}`, "v")
		if got := membersText(v); got != c.want {
			t.Errorf("members of %.200s: %s, want %s", c.doc, got, c.want)
		}
	}
	if (Value{}).Members(nil) != nil || (Value{}).Elements(nil) != nil || (Value{}).Get("a").Kind() != Missing {
		t.Error("a missing value has members")
	}
}

// What is in dst before stays there, even under the same name.
func TestMembersAppend(t *testing.T) {
	v := scan(t, `{"v":{"a":1,"b":2,"a":3}}`, "v")
	ms := v.Members(v.Members(nil))
	if len(ms) != 4 || string(ms[0].Key)+string(ms[1].Key)+string(ms[2].Key)+string(ms[3].Key) != "baba" {
		t.Errorf("%d members: %v", len(ms), ms)
	}
	list := scan(t, `{"v":[1,2]}`, "v")
	if es := list.Elements(list.Elements(nil)); len(es) != 4 || string(es[2].Raw()) != "1" {
		t.Errorf("%d elements", len(es))
	}
}

func TestElements(t *testing.T) {
	for _, c := range []struct{ doc, want string }{
		{`[]`, ``}, {`[ ]`, ``}, {"[\n\t]", ``},
		{`[1]`, `1;`}, {` [ 1 , "a" ,null,true , -1.5e3 ] `, `1;"a";null;true;-1.5e3;`},
		{`[[],{},[[]],{"a":[1]}]`, `[];{};[[]];{"a":[1]};`},
		{`["]","[,","\"],"]`, `"]";"[,";"\"],";`},
		{`{"a":[1]}`, ``}, {`"[1]"`, ``}, {`1`, ``}, {`null`, ``},
	} {
		if got := elementsText(scan(t, `{"v":`+c.doc+`}`, "v")); got != c.want {
			t.Errorf("elements of %s: %s, want %s", c.doc, got, c.want)
		}
	}
}

// FirstMembers and FirstElements stop after as many as are wanted, however often a name comes again, and report whether
// there were more.
func TestFirst(t *testing.T) {
	for doc, want := range map[string]string{ // of the first two
		`{}`: "true", `{"a":1,"b":2}`: "a=1;b=2;true", `{"a":1,"b":2,"c":3}`: "a=1;b=2;false", `{"a":1,"a":2,"a":3}`: "a=2;false",
		`{"a":1,"a":2}`: "a=2;true",
		`[]`:            "true", `[1,2]`: "1;2;true", `[1,2,3]`: "1;2;false", `[ 1 , 2 , ]`: "1;2;true", `7`: "true",
	} {
		v := scan(t, `{"v":`+doc+`}`, "v")
		ms, wholeObject := v.FirstMembers(nil, 2)
		es, wholeArray := v.FirstElements(nil, 2)
		got := ""
		for _, m := range ms {
			got += fmt.Sprintf("%s=%s;", m.Key, m.Value.Raw())
		}
		for _, e := range es {
			got += string(e.Raw()) + ";"
		}
		if got += fmt.Sprint(wholeObject && wholeArray); got != want {
			t.Errorf("the first two of %s: %s, want %s", doc, got, want)
		}
	}
}

func TestGet(t *testing.T) {
	doc := `{"v":{"a":1,"b":{"a":2},"\u0063":3,"a":4,"":5,"d\\":6}}`
	for name, want := range map[string]string{"a": "4", "b": `{"a":2}`, "c": "3", "": "5", `d\`: "6", "e": "", `\u0063`: "", `d\\`: ""} {
		v := scan(t, doc, "v").Get(name)
		if string(v.Raw()) != want || (v.Kind() == Missing) != (want == "") {
			t.Errorf("%q is %q, want %q", name, v.Raw(), want)
		}
	}
	for _, doc := range []string{`{"v":[{"a":1}]}`, `{"v":"a"}`, `{"v":null}`, `{"v":{}}`, `{}`} {
		if v := scan(t, doc, "v").Get("a"); v.Kind() != Missing {
			t.Errorf("%s has a member %q", doc, v.Raw())
		}
	}
}

// Documents that balance without being JSON: what is found may be anything, but
// lists end and stay inside of the value.
func TestMembersOfNoJSON(t *testing.T) {
	for _, doc := range []string{
		"[\x00]", "[1,\x00]", "[1 \x01 ,2]", "[\x00,\x00]", `[,]`, `[:]`, `[1:2]`, `[1 2]`, `["a""b"]`, `[{]`, `[{]}`, `[}`, `["a":1]`, `[1,,2]`,
		`[a]`, `[\"]`,
		"{\"a\":\x00}", "{\"a\":1\x00}", `{"a":}`, `{"a"}`, `{"a":[}`, `{"a":]}`, `{"a"::1}`, `{"a":1 "b":2}`, `{a:1}`, `{,}`, `{"a":1,}`,
		`{"a":{]}`, `{\"}`,
	} {
		var set PathSet
		slot := set.Add("v")
		var d Doc
		if d.Scan(set.Compile(), []byte(`{"v":`+doc+`}`)) != nil {
			continue
		}
		v := d.Value(slot)
		if n := len(v.Members(nil)) + len(v.Elements(nil)); n > len(doc) {
			t.Errorf("%q has %d members and elements", doc, n)
		}
		v.Get("a").Text(nil)
	}
}

func TestAppendQuoted(t *testing.T) {
	for in, want := range map[string]string{
		"":               `""`,
		"a/é😀\u2028\x7f": `"a/é😀` + "\u2028\x7f" + `"`,
		"\"\\":           `"\"\\"`,
		"\x00\x1f\n\t":   `"\u0000\u001f\u000a\u0009"`,
		"\xff":           `"` + "\ufffd" + `"`,
		"a\xc3(":         `"a` + "\ufffd" + `("`,
		"\xed\xa0\x80":   `"` + "\ufffd\ufffd\ufffd" + `"`,
		"\ufffd":         `"` + "\ufffd" + `"`,
	} {
		if got := string(AppendQuoted([]byte("x"), []byte(in))); got != "x"+want {
			t.Errorf("%q is %s, want %s", in, got, want)
		}
	}
}
