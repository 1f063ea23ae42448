package glean

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

const (
	metricsHead = "$schema: moz://mozilla.org/schemas/glean/metrics/2-0-0\n"
	pingsHead   = "$schema: moz://mozilla.org/schemas/glean/pings/2-0-0\n"
)

// files makes the files of a folder.
func files(texts map[string]string) fstest.MapFS {
	all := fstest.MapFS{}
	for name, text := range texts {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return all
}

// TestReadErrors: an error names the file and what in it is wrong.
func TestReadErrors(t *testing.T) {
	for _, tt := range []struct {
		files map[string]string
		want  string
	}{
		{map[string]string{}, "no folder of an application"},
		{map[string]string{"a/metrics.yaml": ""}, "a/metrics.yaml: the file is empty"},
		{map[string]string{"a/metrics.yaml": "a: [b"}, "a/metrics.yaml: "},
		{map[string]string{"a/metrics.yaml": "b: {c: {type: counter}}"}, "no $schema"},
		{map[string]string{"a/metrics.yaml": "$schema: moz://mozilla.org/schemas/glean/metrics/9-0-0"},
			"want moz://mozilla.org/schemas/glean/metrics/2-0-0"},
		{map[string]string{"a/metrics.yaml": metricsHead + "b: {c: {type: counters}}"},
			`a/metrics.yaml: metric b.c: type "counters": no such type`},
		{map[string]string{"a/metrics.yaml": metricsHead + "B: {c: {type: counter}}"}, `category "B"`},
		{map[string]string{"a/metrics.yaml": metricsHead + "b: {c: {type: counter, send_in_pings: x}}"}, "metric b.c: "},
		{map[string]string{"a/metrics.yaml": metricsHead + "b: {c: {type: counter}, c: {type: counter}}"}, "c is there twice"},
		{map[string]string{"a/metrics.yaml": metricsHead + "b: {c_d: {type: counter}}\nb.c: {d: {type: counter}}"},
			"its column b_c_d belongs to counter metric b.c.d, too"},
		{map[string]string{"a/pings.yaml": pingsHead + "p: {description: d}"}, "ping p: include_client_id is missing"},
		{map[string]string{"a/pings.yaml": pingsHead + "all-pings: {include_client_id: true}"}, `ping "all-pings"`},
		{map[string]string{"a/application.yaml": "dependencies: [b]"}, "a/application.yaml: it needs the library b: there is no such folder"},
		{map[string]string{"a/application.yaml": "dependencies: [b]", "b/application.yaml": "dependencies: [c]",
			"c/application.yaml": "dependencies: [b]"}, "the dependencies go in a circle: a → b → c → b"},
	} {
		_, err := read(files(tt.files))
		require.ErrorContains(t, err, tt.want, "%v", tt.files)
	}
}

// TestReadLenient: members that determine no column may be wrong or missing, and there may be others.
func TestReadLenient(t *testing.T) {
	defs, err := read(files(map[string]string{
		"org.Example.App/metrics.yaml": metricsHead +
			"no_lint: [x]\nb: {c: {type: counter, expires: [1], disabled: maybe, labels: null, more: {x: 1}}}",
		"org.Example.App/pings.yaml": pingsHead + "p: {include_client_id: false, metadata: {include_info_sections: false}}",
		"org.Example.App/notes.txt":  "x",
	}))
	require.NoError(t, err)
	app := defs["org-example-app"]
	require.NotNil(t, app)
	tables := app.Tables()
	_, err = schema.Find(tables, "org_example_app_metrics")
	require.NoError(t, err)
	p, err := schema.Find(tables, "org_example_app_p")
	require.NoError(t, err)
	require.Negative(t, p.Index(ClientInfo))
	require.NotContains(t, schema.Names(tables), "org_example_app_deletion_request")
}

// TestReadLibraries: an application has the metrics of its libraries, which have no tables. A metric with two types is two.
func TestReadLibraries(t *testing.T) {
	defs, err := read(files(map[string]string{
		"app/application.yaml": "dependencies: [lib, glean-core]",
		"app/metrics.yaml":     metricsHead + "b: {c: {type: counter, send_in_pings: [baseline]}}",
		"lib/metrics.json": `{"b.c":{"name":"b.c","type":"quantity","history":[{"type":"string","send_in_pings":["baseline"],"dates":{"last":"2020"}},
			{"type":"quantity","send_in_pings":["all-pings"],"dates":{"last":"2021"}}]}}`,
	}))
	require.NoError(t, err)
	require.Len(t, defs, 1)
	var types []string
	for _, m := range defs["app"].Metrics {
		if m.ID == "b.c" {
			types = append(types, m.Type)
		}
	}
	require.Equal(t, []string{"counter", "quantity", "string"}, types)
}

// TestManyMetrics: the size of definitions is bounded, far above that of a large application.
func TestManyMetrics(t *testing.T) {
	many := func(n int) string {
		var b strings.Builder
		b.WriteString(metricsHead + "b:\n")
		for i := range n {
			fmt.Fprintf(&b, "  m%d: {type: counter}\n", i)
		}
		return b.String()
	}
	_, err := read(files(map[string]string{"a/metrics.yaml": many(20_000)}))
	require.NoError(t, err)
	_, err = read(files(map[string]string{"a/metrics.yaml": many(maxMetrics + 1)}))
	require.ErrorContains(t, err, "at most 50000")
}

// TestFirefox: the built-in definitions describe a browser of today.
func TestFirefox(t *testing.T) {
	defs, err := Firefox()
	require.NoError(t, err)
	app := defs["firefox-desktop"]
	require.Contains(t, app.Source, "2026")
	tables := app.Tables()
	require.Greater(t, len(tables), 45)
	metrics, err := schema.Find(tables, "firefox_desktop_metrics")
	require.NoError(t, err)
	n := 0
	for _, f := range metrics.Columns[metrics.Index(Metrics)].Type.Fields {
		n += len(f.Type.Fields)
	}
	require.Greater(t, n, 2500)
	app.Columns = []string{"browser_engagement_max_concurrent_tab_count"}
	few, err := schema.Find(app.Tables(), "firefox_desktop_metrics")
	require.NoError(t, err)
	require.Len(t, few.Columns[few.Index(Metrics)].Type.Fields, 1)
}

// TestUnion: a removed metric keeps its column, and a new one is a member more.
func TestUnion(t *testing.T) {
	version := func(text string) Definitions {
		defs, err := read(files(map[string]string{"a/metrics.yaml": metricsHead + text}))
		require.NoError(t, err)
		return defs
	}
	old := version("b: {gone: {type: counter, description: d}}")
	both := Union(old, version("b: {new: {type: counter}}"))
	before, err := schema.Find(old.Tables(), "a_metrics")
	require.NoError(t, err)
	after, err := schema.Find(both.Tables(), "a_metrics")
	require.NoError(t, err)
	changes := schema.Diff(before.Columns, after.Columns)
	require.Len(t, changes, 1)
	require.Equal(t, "+ metrics.counter.b_new long", changes[0].String())
	require.Empty(t, schema.Retypings(changes))
}

// FuzzRead: no definitions make reading panic.
func FuzzRead(f *testing.F) {
	f.Add(metricsHead + "b: {c: {type: event, extra_keys: {a: {type: quantity}}}}")
	f.Add(`{"b.c":{"type":"counter","history":[{"type":"counter"}]}}`)
	f.Add("a: &a [*a]")
	f.Fuzz(func(t *testing.T, text string) {
		defs, err := read(files(map[string]string{"a/metrics.yaml": text, "a/pings.yaml": pingsHead + "p: {include_client_id: true}"}))
		if err == nil {
			defs.Tables()
		}
	})
}
