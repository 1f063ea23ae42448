package ping

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// fuzzPaths are wanted by FuzzScan. They nest, share starts and hold every kind
// of character that a document may escape.
var fuzzPaths = [][]string{
	{}, {"a"}, {"b"}, {"a", "a"}, {"a", "b"}, {"b", "a"}, {"a", "a", "a"}, {"a", "b", "c", "d"}, {"c"},
	{""}, {"", ""}, {"a", ""}, {"\""}, {"\\"}, {"a\\b"}, {`\u0061`}, {"a/b"}, {"a.b"}, {"a", "a.b"}, {"é"}, {"é", "a"}, {"😀"},
	{"\x00"}, {"\n", "\t"}, {"\ufffd"}, {"{", "}"}, {"[", ","}, {":"},
	{"payload", "histograms", "H", "values"}, {"payload", "keyedHistograms"}, {"payload", "info", "reason"},
	{strings.Repeat("n", 63)}, {strings.Repeat("n", 64), strings.Repeat("m", 65)},
}

// checkScan scans any bytes; where they are valid, all wanted values equal those
// of encoding/json.
func checkScan(t *testing.T, doc []byte, paths [][]string) {
	var set PathSet
	var slots []Slot
	for _, p := range paths {
		slots = append(slots, set.Add(p...))
	}
	var d Doc
	err := d.Scan(set.Compile(), doc)
	valid := Validate(doc) == nil
	if object := valid && strings.TrimLeft(string(doc), " \t\r\n")[0] == '{'; object != (err == nil) && valid {
		t.Fatalf("scan says %v of valid %.300q", err, doc)
	}
	if err != nil {
		return
	}
	if valid {
		checkValidated(t, &d)
		root := decode(t, doc)
		for i, p := range paths {
			checkValue(t, d.Value(slots[i]), lookUp(root, p...), strings.Join(p, "/"))
		}
		return
	}
	for _, s := range slots {
		useAll(t, d.Value(s), 4)
	}
}

// useAll reads a value of no JSON in every way, some levels deep; nothing may
// reach past the value.
func useAll(t *testing.T, v Value, depth int) {
	rules(v)
	v.Get("a")
	ms, es := v.Members(nil), v.Elements(nil)
	if len(ms)+len(es) > len(v.Raw()) {
		t.Fatalf("%d members and %d elements in %.300q", len(ms), len(es), v.Raw())
	}
	for _, m := range ms {
		es = append(es, m.Value)
	}
	for _, e := range es {
		if e.start < v.start || e.end > v.end || e.end <= e.start {
			t.Fatalf("%d-%d inside of %d-%d", e.start, e.end, v.start, v.end)
		}
		if depth > 0 {
			useAll(t, e, depth-1)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, doc := range []string{
		`{}`, `{"a":{"a":{"a":1,"b":2},"b":{"c":{"d":3}}},"b":{"a":[{},[],"x",null,true,-1.5e3]},"c":""}`,
		`{"\u0061":{"\u0062":1},"a\\b":2,"a\/b":3,"\"":4,"\\":5,"\\u0061":6,"\ud83d\ude00":7,"\ud83d":8,"é":{"a":9},"\n":{"\t":10},"\u0000":11}`,
		`{"payload":{"histograms":{"H":{"values":{"0":1}}}},"payload":{"info":{"reason":"daily"},"histograms":{"H":{}}}}`,
		` { "a" : { "a" : 1 , "b" : [ 1 , 2 ] } , "a" : { "a.b" : { } } } `, "{\"a\":[\x00]}", `{"a":[1 2]}`, `{"a":{"b":]}`, `{"a":[}`,
		`{"a":1}}`,
		`{"` + strings.Repeat("n", 63) + `":1,"` + strings.Repeat("n", 64) + `":{"` + strings.Repeat("m", 65) + `":2}}`, `[]`, `"\`,
		"{\"a\"\x00:1}",
		`{"{":{"}":1},"[":{",":2},":":"\\"}`, `{"a":tru,"b":fals,"c":nul}`, `{"a":"\u12","b":"\`, `{"":{"":""}}`,
	} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) { checkScan(t, doc, fuzzPaths) })
}

// TestScanRandom is FuzzScan over documents of the validator's generator, some
// with a small change, whose paths are taken from the documents themselves.
func TestScanRandom(t *testing.T) {
	for seed := range uint64(3000) {
		g := generator{r: rand.New(rand.NewPCG(17, seed)), space: 1 + int(seed%20)}
		g.list("{", "}", func() { g.string(); g.token(":"); g.value(1) })
		doc := []byte(g.s.String())
		paths := append(pathsOf(decode(t, doc), nil, nil), fuzzPaths...)
		checkScan(t, doc, paths)
		for range 5 {
			at := g.r.IntN(len(doc))
			changed := append([]byte(nil), doc...)
			changed[at] = "{}[],:\"\\ 0a\x00"[g.r.IntN(12)]
			checkScan(t, changed, paths)
		}
	}
}

// pathsOf lists the paths of a decoded document.
func pathsOf(v any, path []string, all [][]string) [][]string {
	all = append(all, append([]string(nil), path...))
	m, _ := v.(map[string]any)
	for name, v := range m {
		all = pathsOf(v, append(path, name), all)
	}
	return all
}
