package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ping"
)

// equalGleanApp makes the tables of the pings of testdata/gleanapp and compares all values of the ping with every metric type
// with their columns.
func equalGleanApp(t *testing.T, data string, sent *archive.Ping) {
	t.Helper()
	const app = "org-example-app"
	defs := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(defs, app), os.DirFS("testdata/gleanapp")))
	day := string(sent.Meta.Text(ping.SubmissionDate))
	date := day[:4] + "-" + day[4:6] + "-" + day[6:]
	rows := func(table string) (all []map[string]any) {
		mustCall(t, "run", table, "--date", day, "--data", data, "--definitions", defs)
		d := json.NewDecoder(strings.NewReader(
			mustCall(t, "query", "--data", data, "--format", "ndjson", "SELECT * FROM "+table+" WHERE submission_date = '"+date+"'")))
		d.UseNumber()
		for d.More() {
			var row map[string]any
			require.NoError(t, d.Decode(&row))
			all = append(all, row)
		}
		return all
	}
	every := rows("org_example_app_every_type")
	require.Len(t, every, 1)
	row := every[0]
	require.Nil(t, row["additional_properties"])
	require.EqualValues(t, []any{json.Number("1"), json.Number("2"), json.Number("3")},
		[]any{row["app_version_major"], row["app_version_minor"], row["app_version_patch"]})

	var document map[string]any
	d := json.NewDecoder(strings.NewReader(string(sent.Body)))
	d.UseNumber()
	require.NoError(t, d.Decode(&document))
	compared := 0
	metrics, _ := document["metrics"].(map[string]any)
	columns, _ := row["metrics"].(map[string]any)
	for typ, byName := range metrics {
		values, _ := byName.(map[string]any)
		struc, _ := columns[typ].(map[string]any)
		for id, want := range values {
			name := strings.ReplaceAll(id, ".", "_")
			got := struc[name]
			switch typ {
			case "object":
				text, _ := got.(string)
				encoded, err := json.Marshal(want)
				require.NoError(t, err)
				require.JSONEq(t, string(encoded), text, id)
			case "datetime":
				require.Equal(t, want, struc["raw_"+name])
				require.Equal(t, "2026-11-21 07:30:00.123000", known(fmt.Sprint(got)))
			default:
				require.Equal(t, known(want), known(got), "%s %s", typ, id)
			}
			compared++
		}
	}
	require.Equal(t, 23, compared)
	info := func(name string, skip ...string) {
		values, _ := document[name].(map[string]any)
		got, _ := row[name].(map[string]any)
		for member, want := range values {
			if !slices.Contains(skip, member) {
				require.Equal(t, known(want), known(got[member]), "%s.%s", name, member)
			}
		}
		require.NotEmpty(t, values)
	}
	info("client_info")
	info("ping_info")
	require.Equal(t, known(document["events"]), known(row["events"]))
	require.Len(t, row["events"], 2)

	require.Len(t, rows("org_example_app_baseline"), 2)
	require.Len(t, rows("org_example_app_events"), 1)
	require.Len(t, rows("org_example_app_health"), 1)
	without := rows("org_example_app_without_info")
	require.Len(t, without, 1)
	require.NotContains(t, without[0], "client_info")
	require.Nil(t, without[0]["client_id"])
}
