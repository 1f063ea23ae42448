package glean

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// bomb returns a file whose aliases stand for 10^9 names.
func bomb() string {
	var b strings.Builder
	b.WriteString(metricsHead + "a0: &a0 {x: {type: counter}}\n")
	for i := 1; i <= 9; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	return b.String()
}

// TestWrongFiles: files of any content have an error that names the file, in little time.
func TestWrongFiles(t *testing.T) {
	long := strings.Repeat("a", 120)
	for name, text := range map[string]string{
		"a list":           "- a\n- b\n",
		"a number":         "7",
		"a text":           "metrics",
		"null":             "null",
		"an alias":         "&a a",
		"a cycle":          metricsHead + "a: &a {b: *a}",
		"a bomb":           bomb(),
		"deep flow":        metricsHead + "a: " + strings.Repeat("[", 20_000),
		"deep mapping":     metricsHead + "a: " + strings.Repeat("{a: ", 20_000),
		"tabs":             metricsHead + "a:\n\tb:\n\t\ttype: counter\n",
		"two documents":    metricsHead + "a: {b: {type: counter}}\n---\nc: {d: {type: counter}}\n",
		"binary":           metricsHead + "a: \x00\x01\xff",
		"not UTF-8":        metricsHead + "a: {b: {type: counter, description: \"\xff\xfe\"}}",
		"an unknown alias": metricsHead + "a: *b",
		"metric a list":    metricsHead + "a: {b: [1]}",
		"metric a text":    metricsHead + "a: {b: counter}",
		"no type":          metricsHead + "a: {b: {description: d}}",
		"type a list":      metricsHead + "a: {b: {type: [counter]}}",
		"a long name":      metricsHead + "a: {" + long + ": {type: counter}}",
		"upper case":       metricsHead + "a: {bC: {type: counter}}",
		"a blank":          metricsHead + "'a b': {c: {type: counter}}",
		"a reserved name":  metricsHead + "pings: {c: {type: counter}}",
		"pings a mapping":  metricsHead + "a: {b: {type: counter, send_in_pings: {one: 1}}}",
		"a wrong ping":     metricsHead + "a: {b: {type: counter, send_in_pings: ['../x']}}",
		"an extra's type":  metricsHead + "a: {b: {type: event, extra_keys: {k: {type: float}}}}",
		"extras a list":    metricsHead + "a: {b: {type: event, extra_keys: [k]}}",
		"no name":          metricsHead + "_: {_: {type: counter}}",
		"history":          `{"a.b":{"type":"counter","history":[{"type":"nothing"}]}}`,
		"history's name":   `{"ab":{"type":"counter","history":[{"type":"counter"}]}}`,
		"half JSON":        `{"$schema":"moz://mozilla.org/schemas/glean/metrics/2-0-0","a":{"b":`,
	} {
		began := time.Now()
		_, err := read(files(map[string]string{"app/metrics.yaml": text}))
		require.ErrorContains(t, err, "app/metrics.yaml: ", name)
		require.NotContains(t, err.Error(), "\n", name)
		require.Less(t, len(err.Error()), 400, name)
		require.Less(t, time.Since(began), 30*time.Second, name)
	}
	for name, text := range map[string]string{
		"a list":       "- a",
		"the metrics":  metricsHead + "a: {b: {type: counter}}",
		"a long name":  pingsHead + long + ": {include_client_id: true}",
		"no mapping":   pingsHead + "one: true",
		"id a text":    pingsHead + "one: {include_client_id: perhaps}",
		"metadata":     pingsHead + "one: {include_client_id: true, metadata: [1]}",
		"twice":        pingsHead + "one: {include_client_id: true}\none: {include_client_id: false}",
		"a wrong name": pingsHead + "../one: {include_client_id: true}",
	} {
		_, err := read(files(map[string]string{"app/pings.yaml": text}))
		require.ErrorContains(t, err, "app/pings.yaml: ", name)
	}
	_, err := read(files(map[string]string{"app/metrics.yaml": metricsHead + "a: {b: {type: counter}}",
		"app/application.yaml": "dependencies: {a: 1}"}))
	require.ErrorContains(t, err, "app/application.yaml: ")
}

// TestTableNames: no two pings have one table, and none has a table of another kind.
func TestTableNames(t *testing.T) {
	pings := func(names ...string) string {
		return pingsHead + strings.Join(names, ": {include_client_id: true}\n") + ": {include_client_id: true}\n"
	}
	for want, input := range map[string]map[string]string{
		"pings app/one-two and app/one_two would both have the table app_one_two": {"app/pings.yaml": pings("one-two", "one_two")},
		"a/b-c and a-b/c would both have the table a_b_c":                         {"a/pings.yaml": pings("b-c"), "a-b/pings.yaml": pings("c")},
		"pings app/events-stream would have the table app_events_stream":          {"app/pings.yaml": pings("events-stream")},
		"pings main/summary would have the table main_summary":                    {"main/pings.yaml": pings("summary")},
		"app/crashes would have the table app_crashes": {"app/metrics.yaml": metricsHead +
			"a: {b: {type: counter, send_in_pings: [crashes]}}"},
	} {
		_, err := read(files(input))
		require.ErrorContains(t, err, want)
	}
	_, err := Joined(definitionsOf(t, "loads counter one-two"), definitionsOf(t, "loads counter one_two"))
	require.ErrorContains(t, err, "would both have the table")
}

// TestTwoTypes gives a metric that two files define with two types a column of each, and its pings the pings of both.
func TestTwoTypes(t *testing.T) {
	defs, err := read(files(map[string]string{
		"app/application.yaml": "dependencies: [lib]",
		"app/metrics.yaml": metricsHead +
			"page: {loads: {type: counter, send_in_pings: [one]}, size: {type: quantity, send_in_pings: [one]}}",
		"app/old.metrics.yaml": metricsHead + "page: {loads: {type: quantity, send_in_pings: [one, two]}}",
		"lib/metrics.yaml":     metricsHead + "page: {size: {type: quantity, send_in_pings: [two]}}",
	}))
	require.NoError(t, err)
	require.Equal(t, []string{"counter.page_loads", "quantity.page_loads", "quantity.page_size"}, memberPaths(t, defs, "app_one"))
	require.Equal(t, []string{"quantity.page_loads", "quantity.page_size"}, memberPaths(t, defs, "app_two"))
}

// FuzzFiles reads any text as any file, and joins what it could read with other definitions.
func FuzzFiles(f *testing.F) {
	f.Add("metrics.yaml", metricsHead+"a.b: {c: {type: labeled_counter, send_in_pings: [default, one, all-pings, glean_client_info]}}")
	f.Add("pings.yaml", pingsHead+"two: {include_client_id: true, metadata: {include_info_sections: false}, reasons: {a: b}}")
	f.Add("application.yaml", "dependencies: [app, glean-core, b]\napp_name: x")
	f.Add("metrics.json", `{"a.b":{"type":"counter","history":[{"dates":{"last":"2026"},"type":"datetime","send_in_pings":["one"]},`+
		`{"extra_keys":{"a":{}}}]}}`)
	f.Add("metrics.yaml", "a: &a {<<: *a}")
	f.Fuzz(func(t *testing.T, name, text string) {
		if strings.ContainsAny(name, "/\x00") || name == "" || name == "." || name == ".." {
			return
		}
		older := definitionsOf(t, "loads counter one", "title string two")
		defs, err := read(files(map[string]string{"app/" + name: text}))
		if err != nil {
			return
		}
		all, err := Joined(older, defs)
		if err != nil {
			return
		}
		names := map[string]bool{}
		for _, table := range all.Tables() {
			require.False(t, names[table.Name], table.Name)
			names[table.Name] = true
		}
		_, err = Changes(older, defs)
		require.NoError(t, err)
	})
}
