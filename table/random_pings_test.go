package table

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pingmill/pingmill/ping"
)

// names are members that mean something somewhere in a ping.
var names = []string{
	"values", "sum", "branch", "id", "name", "version", "", "k", "a.b", "google.urlbar", "spill", "telemetry_process", "0", "1", "2", "5",
	"01", "-1", "150", "2500", "671", "672", "31", "x\n.y",
	"blocklisted", "scope", "isSystem", "isWebExtension", "installDay", "source", "medium", "creationDate", "buildId", "partnerNames",
	"metadata", "processType", "dom.ipc.processCount",
	"ext.one.num", "ext.one.texts", "sec.num", "sec.nums", "sec.text", "Shockwave Flash", "XPI", "2147483648",
}

var scalars = []string{
	`null`, `true`, `false`, `0`, `1`, `-1`, `17`, `2147483648`, `9223372036854775808`, `1.5`, `-0.0`, `1e3`, `1e400`, `""`, `"x"`, `"1"`,
	`"Shockwave Flash"`, `"28.0.0.1"`, `"MISSING"`,
	`"firefox-compact-dark@mozilla.org"`, `"2018-03-01T00:00:00.5Z"`, `"\ud83d\ude00\n"`, `"\ud800"`, `"é"`, `12345678901234567890`,
}

// json is random JSON.
func (r random) json(depth int) string {
	kind := r.IntN(8)
	if depth <= 0 {
		kind = 7
	}
	var parts []string
	switch kind {
	case 0, 1, 2:
		for range r.IntN(5) {
			parts = append(parts, strconv.Quote(names[r.IntN(len(names))])+":"+r.json(depth-1))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case 3:
		for range r.IntN(7) {
			parts = append(parts, r.json(depth-1))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case 4:
		for range 3 { // events, well-formed or nearly so
			e := []string{"1", `"c"`, `"m"`, `"o"`, []string{`"v"`, `null`}[r.IntN(2)], r.json(1), `2`}
			parts = append(parts, "["+strings.Join(e[:3+r.IntN(5)], ",")+"]")
		}
		return "[" + strings.Join(parts, ",") + "]"
	case 5:
		for range r.IntN(6) {
			parts = append(parts, strconv.Quote(strconv.Itoa(r.IntN(700)))+":"+strconv.Itoa(r.IntN(9)))
		}
		return `{"values":{` + strings.Join(parts, ",") + `},"sum":` + strconv.Itoa(r.IntN(99)) + `}`
	}
	return scalars[r.IntN(len(scalars))]
}

// tree is a document being built: members by name, or a value.
type tree map[string]any

func (d tree) put(path []string, value string) {
	for _, name := range path[:len(path)-1] {
		next, ok := d[name].(tree)
		if !ok {
			next = tree{}
			d[name] = next
		}
		d = next
	}
	d[path[len(path)-1]] = value
}

func (d tree) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(d)) {
		v := d[name]
		s, ok := v.(string)
		if !ok {
			s = v.(tree).String()
		}
		parts = append(parts, strconv.Quote(name)+":"+s)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// wantedPaths returns the places of a ping that some column reads.
func wantedPaths(tables []*Pings) (paths [][]string) {
	for _, p := range tables {
		for _, c := range p.Table.Columns {
			for _, source := range strings.Split(c.Source, ", ") {
				if path := strings.Split(source, "/"); path[0] != "meta" && !strings.ContainsAny(source, "{ ") {
					paths = append(paths, path)
					if c.Arg != "" {
						paths = append(paths, append(path[:len(path):len(path)], c.Arg))
					}
				}
			}
		}
	}
	for _, p := range []string{"parent", "content", "gpu", "dynamic"} {
		paths = append(paths, []string{"payload", "processes", p, "events"}, []string{"payload", "processes", p, "keyedScalars"},
			[]string{"payload", "processes", p, "keyedHistograms"})
	}
	return append(paths, []string{"environment", "addons", "theme", "id"}, []string{"environment", "addons", "activeAddons"})
}

// ping returns a document with any values at some of the places.
func (r random) ping(paths [][]string) []byte {
	doc := tree{}
	for range 1 + r.IntN(40) {
		doc.put(paths[r.IntN(len(paths))], r.json(3))
	}
	return []byte(doc.String())
}

// Pings with any values at the places that columns read.
func TestRandomPings(t *testing.T) {
	tables := fuzzedTables(t)
	batches := newBatches(tables)
	paths := wantedPaths(tables)
	for seed := range uint64(400) {
		r := random{rand.New(rand.NewPCG(47, seed))}
		body := r.ping(paths)
		if err := ping.Validate(body); err != nil {
			t.Fatalf("made %s: %v", body, err)
		}
		checkTransforms(t, tables, batches, body, true)
		for range 3 { // and nearly so
			broken := append([]byte(nil), body...)
			broken[r.IntN(len(broken))] = "{}[],:\"\\ 0a\x00\xff"[r.IntN(13)]
			checkTransforms(t, tables, batches, broken, ping.Validate(broken) == nil && broken[0] == '{')
		}
	}
}
