package query

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/pingmill/pingmill/schema"
)

// longitudinalColumns lists the columns of a table with arrays of a client's pings: the fixed ones of longitudinal, and a
// probe column of each kind.
//
//go:embed testdata/longitudinal_columns.txt
var longitudinalColumns string

// longitudinalRows are the values that are not null, by client: c1 has three pings, c2 two, c3 one.
var longitudinalRows = []row{{
	"client_id": "'c1'", "os": "'Windows_NT'", "normalized_channel": "'release'",
	"submission_date": "['2018-06-30T00:00:00.000Z', '2018-06-29T00:00:00.000Z', '2018-06-01T00:00:00.000Z']",
	"sample_id":       "[42, 42, 42]", "geo_country": "['DE', 'DE', '']", "session_length": "[100, 200, NULL]",
	"reason": "['shutdown', 'daily', 'shutdown']", "profile_subsession_counter": "[9, 8, 7]", "subsession_length": "[10, 20, 30]",
	"build": "[{'build_id': '20180621', 'version': '61.0', 'architecture': 'x86-64'}, {'build_id': '20180621', 'version': '61.0'}, " +
		"{'build_id': '20180501', 'version': '60.0'}]",
	"settings": `[{'e10s_enabled': true, 'locale': 'de', 'default_search_engine': 'google', 'default_search_engine_data': {'name': 'Google'},
		'update': {'channel': 'release', 'enabled': true}, 'user_prefs': MAP{'a': '1', 'browser.x': 'true'}}, {'e10s_enabled': true, 'user_prefs': MAP{'a': '2'}}, NULL]`,
	"system": "[{'memory_mb': 8192}, {'memory_mb': 8192}, {'memory_mb': 4096}]",
	"system_gfx": `[{'d2d_enabled': true, 'adapters': [{'vendor_id': '0x10de', 'ram': 1024, 'gpu_active': true}, {'vendor_id': '0x8086'}],
		'monitors': [{'screen_width': 1920, 'scale': 1.5}]}, NULL, NULL]`,
	"system_os": "[{'name': 'Windows_NT', 'version': '10.0'}, {'name': 'Windows_NT', 'version': '10.0'}, {'name': " +
		"'Windows_NT', 'version': '6.1'}]",
	"active_addons": "[MAP{'id': {'name': 'A', 'version': '1.0', 'is_system': false}, 'x@y': {'name': 'X', 'version': '2'}}, " +
		"MAP{'id': {'name': 'A', 'version': '0.9'}}, NULL]",
	"active_plugins":      "[[{'name': 'Shockwave Flash', 'version': '30'}, {'name': 'P', 'mime_types': ['a/b']}], [], NULL]",
	"simple_measurements": "[{'active_ticks': 5, 'uptime': 7}, {'active_ticks': 6}, {'active_ticks': NULL}]",
	"scalar_parent_browser_engagement_total_uri_count": "[{'value': 12}, {'value': NULL}, {'value': 30}]",
	"scalar_parent_browser_engagement_navigation_searchbar": "MAP{'search_enter': [{'value': 2}, {'value': NULL}, {'value': 3}], " +
		"'search_alias': [{'value': NULL}, {'value': 1}, {'value': NULL}]}",
	"scalar_parent_telemetry_os_shutting_down": "[{'value': true}, {'value': NULL}, {'value': NULL}]",
	"weave_configured":                         "[[1, 0], [0, 1], [0, 0]]",
	"places_pages_count": "[{'values': [0, 3, 1], 'sum': 400}, {'values': [1, 0, 0], 'sum': 0}, {'values': [0, 0, " +
		"0], 'sum': 0}]",
	"process_crash_submit_success":   "MAP{'main-crash': [[1, 2], [0, 0], [3, 0]]}",
	"search_counts":                  "MAP{'google.urlbar': [3, 0, 1], 'bing.searchbar': [0, 2, 0]}",
	"fx_urlbar_selected_result_type": "[[1, 2, 3], [0, 0, 0], [4, 0, 0]]",
	"popup_notification_stats":       "MAP{'(all)': [[1, 2, 3], [4, 5, 6], [0, 0, 0]]}",
	"web_notification_shown":         "[1, 0, 2]", "devtools_toolbox_opened_count_flag": "[true, false, false]",
}, {
	"client_id": "'c2'", "os": "'Linux'", "normalized_channel": "'beta'",
	"submission_date": "['2018-05-02T00:00:00.000Z', '2018-05-01T00:00:00.000Z']",
	"sample_id":       "[42, 42]", "session_length": "[7, 8]", "reason": "['daily', NULL]", "geo_country": "['US', 'FR']",
	"settings":      "[{'e10s_enabled': false, 'user_prefs': MAP{}}, {'e10s_enabled': NULL, 'user_prefs': NULL}]",
	"active_addons": "[MAP{}, MAP{'id': {'name': 'B', 'version': '3'}}]",
	"scalar_parent_browser_engagement_total_uri_count":      "[{'value': 5}, {'value': 6}]",
	"scalar_parent_browser_engagement_navigation_searchbar": "MAP{}", "search_counts": "MAP{'google.urlbar': [1, 1]}",
	"simple_measurements": "[{'active_ticks': 1}, {'active_ticks': 2}]", "places_pages_count": "[{'values': [1, 1, 1], 'sum': 9}, NULL]",
}, {
	"client_id": "'c3'", "normalized_channel": "'release'", "submission_date": "['2018-06-15T00:00:00.000Z']", "sample_id": "[42]",
	"scalar_parent_browser_engagement_total_uri_count": "[{'value': NULL}]", "scalar_parent_browser_engagement_navigation_searchbar": "MAP{}",
}}

// longitudinalLake has a table of snapshots without partitions.
func longitudinalLake(t testing.TB) View {
	l := lakeIn(t, t.TempDir())
	view := View{Name: "longitudinal", Aliases: []string{"longitudinal_v20180630"}}
	var columns []string
	for line := range strings.Lines(longitudinalColumns) {
		name, typ, _ := strings.Cut(strings.TrimSpace(line), " ")
		view.Columns = append(view.Columns, Column{Name: name, Type: DuckDBType(schema.MustType(typ))})
		columns = append(columns, name)
	}
	var selects []string
	for _, r := range longitudinalRows {
		cells := make([]string, len(columns))
		for i, name := range columns {
			value := r[name]
			if value == "" {
				value = "NULL"
			}
			cells[i] = fmt.Sprintf("CAST(%s AS %s) AS %s", value, view.Columns[i].Type, quoteName(name))
		}
		selects = append(selects, "SELECT "+strings.Join(cells, ", "))
	}
	view.Files = []string{l.copy("longitudinal/v20180630/part-0.parquet", strings.Join(selects, " UNION ALL "))}
	return view
}
