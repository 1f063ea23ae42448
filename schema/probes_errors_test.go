package schema

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLoadProbesErrors(t *testing.T) {
	const scalars, addon, histograms, list = "Scalars.yaml", "AddonScalars.yaml", "Histograms.json", "main_summary.yaml"
	tests := []struct{ file, content, want string }{
		{scalars, "browser.engagement: {foo: {kind: unit}}",
			`browser.engagement.foo: unknown kind "unit" (want uint, boolean or string)`},
		{scalars, "a: {b: {keyed: true}}", "a.b: kind is missing (want uint, boolean or string)"},
		{scalars, "a: {b: {kind: [uint]}}", "a.b: kind is a list (want uint, boolean or string)"},
		{scalars, "a: {b: {kind: {x: y}}}", "a.b: kind is a mapping (want uint, boolean or string)"},
		{scalars, "a: {b: {kind: uint, keyed: maybe}}", `a.b: keyed is "maybe" (want true or false)`},
		{scalars, "a: {b: {kind: uint, keyed: 1}}", `a.b: keyed is the number 1 (want true or false)`},
		{scalars, "a: {b: {kind: uint, record_in_processes: 3}}",
			`a.b: record_in_processes is the number 3 (want a list of texts)`},
		{scalars, "a: {b: {kind: uint, record_in_processes: main}}",
			`a.b: record_in_processes is "main" (want a list of texts)`},
		{scalars, "a: {b: {kind: uint, record_in_processes: [main, true]}}",
			"a.b: record_in_processes: entry 2 is true (want a text)"},
		{scalars, "a: {b: {kind: uint, record_in_processes: [null]}}",
			"a.b: record_in_processes: entry 1 is null (want a text)"},
		{scalars, "a: {b: {kind: uint}, b: {kind: uint}}", `a: line 1: "b" is written twice`},
		{scalars, "a: {b: {kind: uint, kind: string}}", `a.b: line 1: "kind" is written twice`},
		{scalars, "a: {b: {<<: {kind: uint}, kind: uint}}", "a.b: line 1: merge keys (<<) are not supported"},
		{scalars, "a: {[b]: {kind: uint}}", "a: line 1: a name is not a text"},
		{scalars, "a: {b: }", "a.b: definition is null (want a mapping)"},
		{scalars, "a: {b: uint}", `a.b: definition is "uint" (want a mapping)`},
		{scalars, "a: {\"b\\nc\": {kind: uint}}", `"a.b\nc": name has '\n', which cannot be in a column name`},
		{scalars, "a: [b]", "a: line 1: want a mapping, not a list"},
		{scalars, "- a", "line 1: want a mapping, not a list"},
		{scalars, "a: {b c: {kind: uint}}", `a.b c: name has ' ', which cannot be in a column name`},
		{scalars, "a: {bä: {kind: uint}}", `a.bä: name has 'ä', which cannot be in a column name`},
		{scalars, "a: {b.c: {kind: uint}}\na.b: {c: {kind: uint}}",
			"a.b.c: column scalar_parent_a_b_c is already made by a.b.c"},
		{scalars, "a: {b: {kind: uint}, B: {kind: uint}}", "a.B: column scalar_parent_a_B is already made by a.b"},
		{scalars, "a: {b: {kind: uint}}\n---\nc: {}\n", "more than one document"},
		{scalars, "a: {b: {kind: uint}}\n---\n}\n", "line 2: did not find expected node content"},
		{scalars, "a: {b", "line 1: did not find expected ',' or '}'"},
		{addon, "a: {b_c: {kind: uint, record_in_processes: [dynamic]}}\na.b: {c: {kind: uint, record_in_processes: [dynamic]}}",
			"a.b.c: column a_b_c is already made by a.b_c"},
		{addon, "a: {b: {kind: int, record_in_processes: [dynamic]}}",
			`a.b: unknown kind "int" (want uint, boolean or string)`},
		{histograms, `{"H": {"kind": "expo"}}`,
			`H: unknown kind "expo" (want flag, boolean, count, enumerated, linear, exponential or categorical)`},
		{histograms, `{"H": {"kind": ` + `"` + strings.Repeat("x", 99) + `"}}`,
			`H: unknown kind "` + strings.Repeat("x", 40) + `"… (want flag, boolean, count, enumerated, linear, exponential or categorical)`},
		{histograms, `{"H": {}}`, "H: kind is missing (want flag, boolean, count, enumerated, linear, exponential or categorical)"},
		{histograms, `{"H": {"kind": 5}}`,
			`H: kind is the number 5 (want flag, boolean, count, enumerated, linear, exponential or categorical)`},
		{histograms, `{"H": {"kind": "flag", "keyed": "maybe"}}`, `H: keyed is "maybe" (want true or false)`},
		{histograms, `{"H": {"kind": "categorical"}}`, "H: labels are missing"},
		{histograms, `{"H": {"kind": "categorical", "labels": "a"}}`, `H: labels is "a" (want a list of texts)`},
		{histograms, `{"H": {"kind": "categorical", "labels": ["a", 1]}}`, `H: labels: entry 2 is the number 1 (want a text)`},
		{histograms, `{"H": {"kind": "enumerated", "n_values": true}}`, "H: n_values is true (want an integer)"},
		{histograms, `{"H": {"kind": "linear", "high": [], "n_buckets": 1}}`, "H: high is a list (want an integer)"},
		{histograms, `{"H": {"kind": "flag", "record_in_processes": 1}}`,
			`H: record_in_processes is the number 1 (want a list of texts)`},
		{histograms, `{"H": 1}`, `H: definition is the number 1 (want an object)`},
		{histograms, `{"H": {"kind": "flag"}, "H": {"kind": "flag"}}`, "H: defined twice"},
		{histograms, ``, "line 1: unexpected end of file"},
		{histograms, "[\n]", "line 1: want an object of definitions"},
		{histograms, `7`, "line 1: want an object of definitions"},
		{histograms, "{\n\"H\": {\"kind\": \"flag\"},\n", "line 2: unexpected end of file"},
		{histograms, "{\n\"H\": {\"kind\":\n", "line 2: unexpected end of file"},
		{histograms, "{\n\"H\": {\"kind\"= 1}}", "line 2: invalid character '=' after object key"},
		{histograms, "{\n1: 2}", "line 2: invalid character '1'"},
		{histograms, "{}\n{}", "line 2: more after the object of definitions"},
		{list, "user_pref: []", "user_pref: unknown member (want user_prefs, histogram_whitelist, table_version, search_sources or processes)"},
		{list, "search_sources: urlbar-handoff", `search_sources is "urlbar-handoff" (want a list of texts)`},
		{list, "search_sources: [Urlbar]", `search_sources: "Urlbar" is no part of the browser (want small letters, digits, - and _)`},
		{list, "search_sources: [urlbar]", `search_sources: "urlbar" has a column already`},
		{list, "search_sources: [other]", `search_sources: "other" has a column already`},
		{list, "processes: [parent, net]",
			`processes: unknown process "net" (want parent, content, gpu, socket, utility, extension, rdd, gmplugin or vr)`},
		{list, "processes: [rdd, rdd]", "processes: rdd is there twice"},
		{list, "processes: rdd", `processes is "rdd" (want a list of texts)`},
		{list, "table_version: 5", "table_version: is the number 5 (want a text such as v5)"},
		{list, "table_version: v5/x", `table_version: is "v5/x" (want a text such as v5)`},
		{list, "user_prefs: [{name: p, type: int}]",
			`user_prefs: p: unknown type "int" (want integer, boolean or string)`},
		{list, "user_prefs: [{name: p, tpye: integer}]", "user_prefs: p: type is null (want integer, boolean or string)"},
		{list, "user_prefs: [{type: integer}]", "user_prefs: entry 1: name is null (want a text)"},
		{list, "user_prefs: [{name: '', type: integer}]", "user_prefs: entry 1: name is empty"},
		{list, "user_prefs: [p]", `user_prefs: entry 1: definition is "p" (want a mapping)`},
		{list, "user_prefs: {p: integer}", "user_prefs: is a mapping (want a list of {name, type})"},
		{list, "user_prefs: [{name: a.b, type: integer}, {name: a-b, type: string}]",
			"a-b: column user_pref_a_b is already made by a.b"},
		{list, "histogram_whitelist: GC_MS", `histogram_whitelist is "GC_MS" (want a list of texts)`},
		{list, "histogram_whitelist: [GC_MS, 3]", `histogram_whitelist: entry 2 is the number 3 (want a text)`},
		{list, "user_prefs: [", "line 1: did not find expected node content"},
		{list, "x", `line 1: want a mapping, not "x"`},
	}
	for _, tt := range tests {
		_, err := LoadProbes(probesFolder(t, map[string]string{tt.file: tt.content}))
		want := "probes: " + tt.file + ": " + tt.want
		if err == nil || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", tt.content, err, want)
		}
	}
}

func TestLoadProbesHistogramColumns(t *testing.T) {
	const want = "probes: Histograms.json: h 1: name has ' ', which cannot be in a column name\n" +
		"probes: Histograms.json: h: column histogram_parent_h is already made by H"
	_, err := LoadProbes(probesFolder(t, map[string]string{
		"Histograms.json":   `{"H":{"kind":"flag"},"h":{"kind":"flag"},"h 1":{"kind":"flag"},"not listed":{"kind":"flag"}}`,
		"main_summary.yaml": "histogram_whitelist: [H, h, h 1]",
	}))
	if err == nil || sortedLines(err) != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

func TestLoadProbesReportsAllProblems(t *testing.T) {
	_, err := LoadProbes(probesFolder(t, map[string]string{
		"Scalars.yaml":      "a: {b: {kind: x, keyed: 1, record_in_processes: 2}, c: {}}",
		"AddonScalars.yaml": "{",
		"Histograms.json":   `{"A":{},"B":{"kind":"flag","keyed":7},"C":{"kind":"linear","high":{},"n_buckets":[]},}`,
		"main_summary.yaml": "x: 1\nuser_prefs: 3\nhistogram_whitelist: 4\n",
	}))
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 13 {
		t.Errorf("%d lines, want 13:\n%v", len(lines), err)
	}
	for _, line := range lines {
		if !strings.HasPrefix(line, "probes: ") {
			t.Errorf("line %q does not say where", line)
		}
	}
}

func TestLoadProbesFiles(t *testing.T) {
	fails := func(dir, want string) {
		t.Helper()
		if _, err := LoadProbes(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want an error with %q", dir, err, want)
		}
	}
	dir := probesFolder(t, map[string]string{"file": ""})
	fails(filepath.Join(dir, "absent"), "no such file")
	fails(filepath.Join(dir, "file"), "not a folder")

	require.NoError(t, os.Mkdir(filepath.Join(dir, "AddonScalars.yaml"), 0o700))
	require.NoError(t, os.Symlink("Histograms.json", filepath.Join(dir, "Histograms.json")))
	fails(dir, "probes: AddonScalars.yaml: not a regular file")
	fails(dir, "probes: Histograms.json: stat ")

	for _, name := range []string{"scalars.yaml", "Scalars.yml", "HISTOGRAMS.json", "main_summary.json"} {
		fails(probesFolder(t, map[string]string{name: ""}), "probes: "+name+": file name is not known, want ")
	}
	loadProbes(t, map[string]string{"Events.yaml": "}", "Scalars.txt": "}", "README": "}"})
	loadProbes(t, map[string]string{"Scalars.yaml": "", "scalars.yaml": "}"})

	large := probesFolder(t, map[string]string{"Scalars.yaml": ""})
	require.NoError(t, os.Truncate(filepath.Join(large, "Scalars.yaml"), maxProbesFile+1))
	fails(large, "probes: Scalars.yaml: larger than 64 MiB")
}

// Aliases that multiply have to end in an error, soon.
func TestScalarAliasBomb(t *testing.T) {
	const n = 5000
	var b strings.Builder
	b.WriteString("a: &a {")
	for i := range n {
		fmt.Fprintf(&b, "n%d: {kind: uint}, ", i)
	}
	b.WriteString("}\n")
	for i := range n {
		fmt.Fprintf(&b, "s%d: *a\n", i)
	}
	at := &problems{file: "Scalars.yaml"}
	parseScalars([]byte(b.String()), usualProcesses, at)
	if len(at.errs) != 1 || !strings.Contains(at.errs[0].Error(), "entries, with aliases followed") {
		t.Errorf("problems are %v, want one about aliases", at.errs)
	}
}

func sortedLines(err error) string {
	lines := strings.Split(err.Error(), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
