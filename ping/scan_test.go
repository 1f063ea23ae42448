package ping

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// scan finds one path in a document.
func scan(t *testing.T, doc string, path ...string) Value {
	t.Helper()
	var set PathSet
	slot := set.Add(path...)
	var d Doc
	if err := d.Scan(set.Compile(), []byte(doc)); err != nil {
		t.Fatalf("scan %.200q: %v", doc, err)
	}
	return d.Value(slot)
}

// checkRaw scans doc for the path a/b and compares the value's bytes; "" wants
// it missing.
func checkRaw(t *testing.T, doc, want string, path ...string) {
	t.Helper()
	if got := string(scan(t, doc, path...).Raw()); got != want {
		t.Errorf("%v in %.200q is %q, want %q", path, doc, got, want)
	}
}

func TestScanFindsPaths(t *testing.T) {
	for _, c := range []struct{ doc, want string }{
		{`{"a":{"b":1}}`, `1`},
		{`{"a":{"b":-1.5e+10}}`, `-1.5e+10`},
		{`{"a":{"b":"x"}}`, `"x"`},
		{`{"a":{"b":true,"c":2}}`, `true`},
		{`{"a":{"b":null}}`, `null`},
		{`{"a":{"b":{}}}`, `{}`},
		{`{"a":{"b":[]}}`, `[]`},
		{`{"a":{"b":{"b":3}}}`, `{"b":3}`},
		{`{"a":{"b":[{"b":[4]}]}}`, `[{"b":[4]}]`},
		{`{"x":{"b":1},"a":{"c":{"b":2},"b":3}}`, `3`},
		{`{"x":[{"a":{"b":1}}],"a":{"b":2}}`, `2`},
		{`{"b":1,"a":{}}`, ``},
		{`{"a":[{"b":1}]}`, ``},
		{`{"a":"b"}`, ``},
		{`{"a":1}`, ``},
		{`{"a":null}`, ``},
		{`{"":{"b":1},"A":{"b":2},"aa":{"b":3}}`, ``},
		{`{}`, ``},
		{" \t\r\n{ \"a\" : \n{\t\"b\"\r:\t 1 \n} } \r\n", `1`},
		{`{"a":{"b"   :true   ,"c":1}}`, `true`},
		{`{"a":{"b":12 }}`, `12`},
		{`{"k":"}{][,:\"","a":{"l":"\\","b":"{\"b\":1}\\"}}`, `"{\"b\":1}\\"`},
	} {
		checkRaw(t, c.doc, c.want, "a", "b")
	}
}

// A path of no names is the whole document; a path may be the start of another.
func TestScanInnerPaths(t *testing.T) {
	doc := ` {"a": {"b": {"c": 1}}} `
	checkRaw(t, doc, `{"a": {"b": {"c": 1}}}`)
	var set PathSet
	paths := [][]string{{"a", "b", "c"}, {"a"}, {"a", "b"}, {"a", "b", "c", "d"}, {}, {"a", "b"}}
	want := []string{`1`, `{"b": {"c": 1}}`, `{"c": 1}`, ``, `{"a": {"b": {"c": 1}}}`, `{"c": 1}`}
	var slots []Slot
	for _, p := range paths {
		slots = append(slots, set.Add(p...))
	}
	if slots[2] != slots[5] {
		t.Error("the same path has two slots")
	}
	var d Doc
	require.NoError(t, d.Scan(set.Compile(), []byte(doc)))
	for i, s := range slots {
		if got := string(d.Value(s).Raw()); got != want[i] {
			t.Errorf("%v is %q, want %q", paths[i], got, want[i])
		}
	}
}

// Of names that stand twice the last one counts, at every depth, and nothing of
// the earlier ones is left.
func TestScanDuplicates(t *testing.T) {
	for _, c := range []struct{ doc, want string }{
		{`{"a":{"b":{"c":1,"c":2}}}`, `2`},
		{`{"a":{"b":{"c":1},"b":{"c":2}}}`, `2`},
		{`{"a":{"b":{"c":1}},"a":{"b":{"c":2}}}`, `2`},
		{`{"a":{"b":{"c":1}},"a":{"b":{"d":2}}}`, ``},
		{`{"a":{"b":{"c":1}},"a":{"d":{"c":2}}}`, ``},
		{`{"a":{"b":{"c":1}},"a":{}}`, ``},
		{`{"a":{"b":{"c":1}},"a":null}`, ``},
		{`{"a":{"b":{"c":1}},"a":[{"b":{"c":2}}]}`, ``},
		{`{"a":{"b":{"c":1},"b":7}}`, ``},
		{`{"a":{"b":{"c":1,"c":null}}}`, `null`},
		{`{"a":{"b":{"c":1}},"a":{"b":{"c":2}},"a":{"b":{"c":3}}}`, `3`},
		{`{"a":7,"a":{"b":{"c":1}}}`, `1`},
		{`{"a":{"b":{"c":1}},"\u0061":{"b":{"c":2}}}`, `2`},
		{`{"a":{"\u0062":{"c":1},"b":{"\u0063":2,"c":3}}}`, `3`},
		{`{"a":{"b":{"c":1},"x":{"b":{"c":2}}},"b":{"c":3},"c":4}`, `1`},
	} {
		checkRaw(t, c.doc, c.want, "a", "b", "c")
	}
}

// Both probes of a section are in a document that has the section twice.
func TestScanDuplicateSections(t *testing.T) {
	var set PathSet
	reason, sum, info := set.Add("payload", "info", "reason"), set.Add("payload", "histograms", "H", "sum"), set.Add("payload", "info")
	p := set.Compile()
	var d Doc
	doc := `{"payload":{"info":{"reason":"daily"},"histograms":{"H":{"sum":1}}},"x":1,"payload":{"histograms":{"H":{"sum":2}}}}`
	require.NoError(t, d.Scan(p, []byte(doc)))
	if d.Value(reason).Kind() != Missing || d.Value(info).Kind() != Missing || string(d.Value(sum).Raw()) != "2" {
		t.Errorf("reason %q, info %q, sum %q", d.Value(reason).Raw(), d.Value(info).Raw(), d.Value(sum).Raw())
	}
}

// A Doc forgets the document before.
func TestScanAgain(t *testing.T) {
	var set PathSet
	slot := set.Add("a", "b")
	p := set.Compile()
	var d Doc
	long := `{"x":"` + strings.Repeat(`\"`, 500) + `","a":{"b":"` + strings.Repeat("y", 200) + `"}}`
	for _, c := range []struct {
		doc  string
		kind ValueKind
	}{{long, String}, {`{"a":{"b":1}}`, Number}, {`{}`, Missing}, {long, String}, {`{"a":1}`, Missing}} {
		require.NoError(t, d.Scan(p, []byte(c.doc)))
		if got := d.Value(slot).Kind(); got != c.kind {
			t.Errorf("%.50q: kind %d, want %d", c.doc, got, c.kind)
		}
	}
	var other PathSet
	more := other.Add("x", "y", "z")
	if err := d.Scan(other.Compile(), []byte(`{"x":{"y":{"z":5}}}`)); err != nil || string(d.Value(more).Raw()) != "5" {
		t.Error("another program:", err)
	}
}

func TestScanErrors(t *testing.T) {
	var set PathSet
	set.Add("a", "b")
	p := set.Compile()
	var d Doc
	for _, doc := range []string{
		"", " ", "\n", "[]", `[{"a":1}]`, "1", `"a"`, "null", "true", "{", "}", `{"`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`,
		`{"a":{"b":1}`, `{"a":{"b":`, `{"a":{"b":"`, `{"a":{"b":"}}`, `{"a":{"b":"\"}}`, `{}}`, `{} {}`, `{}x`, `{"a":1}]`, `{"a":[}`, `{"a":}`,
		`{"a" 1}`, `{"a"}`, `{a:1}`, `{1:2}`, `{"a":{"b":1}} x`, "{\x00}", `{"x":[[[}`, `{"x":{"y":"z}`, `\{}`, `{"a":{"b":{]}`,
	} {
		if err := d.Scan(p, []byte(doc)); !errors.Is(err, ErrUnbalanced) {
			t.Errorf("%q: %v", doc, err)
		}
	}
}

// No start of a document is one itself, wherever it ends.
func TestScanTruncated(t *testing.T) {
	var set PathSet
	set.Add("payload", "histograms", "H", "values")
	set.Add("list")
	p := set.Compile()
	var d Doc
	docs := []string{
		`{"a":"\\\"x\u00e9","list":[1,{"b":[]},"]"],"payload":{"histograms":{"H":{"values":{"0":1,"1":0},"sum":1}},"k":null},"n":-1.5e3}`,
		` { "payload" : { "histograms" : { "H" : { "values" : { } } , "x" : "}" } } }`,
		`{"x":"` + strings.Repeat(`\\`, 64) + `","payload":{"y":[` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `]}}`,
	}
	for _, doc := range docs {
		require.NoError(t, d.Scan(p, []byte(doc)))
		for n := range len(doc) {
			if err := d.Scan(p, []byte(doc[:n])); !errors.Is(err, ErrUnbalanced) {
				t.Errorf("%q: %v", doc[:n], err)
			}
		}
	}
}

// BenchmarkScan looks for some values at the start of a document, in it and absent ones.
func BenchmarkScan(b *testing.B) {
	docs, size := pingLike()
	var set PathSet
	for _, path := range [][]string{
		{"type"}, {"version"}, {"environment", "addons", "activeAddons"}, {"environment", "system", "os", "name"},
		{"payload", "histograms"}, {"payload", "info", "reason"},
	} {
		set.Add(path...)
	}
	program := set.Compile()
	var d Doc
	for _, v := range versions() {
		b.Run(v.name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			v.run(func() {
				for b.Loop() {
					for _, doc := range docs {
						if err := d.Scan(program, doc); err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		})
	}
}
