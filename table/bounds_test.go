package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

var (
	longText = strings.Repeat("x", MaxText+1)
	lastText = strings.Repeat("x", MaxText) // the longest that is taken
)

// wide returns a number of members or elements, made from their numbers.
func wide(n int, format string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// appendPing adds the row of one ping to a new batch.
func appendPing(t testing.TB, p *Pings, body string) *column.Batch {
	t.Helper()
	var m ping.Meta
	require.NoError(t, m.ParseJSON([]byte(usualMeta)))
	out := column.NewBatch(p.Table.Columns)
	if ok, err := p.Append(out, &m, []byte(body)); err != nil || !ok {
		t.Fatalf("append %.200s: %v, %v", body, ok, err)
	}
	return out
}

func checkLeftOut(t *testing.T, out *column.Batch, want map[string]int64, about string) {
	t.Helper()
	if got := out.LeftOut(); !maps.Equal(got, want) {
		t.Errorf("%.100s: left out %v, want %v", about, got, want)
	}
}

func TestLongTexts(t *testing.T) {
	main, crash, direct := probedTable(t), pingTable(t, "crash_summary", defaultProbes(t)),
		pingTable(t, "telemetry_update_parquet", defaultProbes(t))
	type left = map[string]int64
	event := func(parts string) string { return wrap("payload/processes/parent/events", "["+parts+"]") }
	for _, c := range []struct {
		p          *Pings
		body, want string // L is a text that is too long, l the longest
		left       left
	}{
		{main, wrap("environment/settings/locale", `"L"`), `{"locale":null}`, left{"locale": 1}},
		{main, wrap("environment/settings/locale", `"l"`), `{"locale":"l"}`, nil},
		{main, wrap("environment/experiments", `{"L":{"branch":"b"},"a":{"branch":"L"},"b":{"branch":"l"}}`),
			`{"experiments":{"a":null,"b":"l"}}`, left{"experiments": 2}},
		{main, wrap("environment/experiments", `{"L":{"branch":"b"}}`), `{"experiments":null}`, left{"experiments": 1}},
		{main, wrap("environment/system/sec/antivirus", `["a","L","b"]`), `{"antivirus":["a","b"]}`, left{"antivirus": 1}},
		{main, wrap("environment/settings/attribution", `{"source":"L"}`), `{"attribution":null}`, left{"attribution": 1}},
		{main, wrap("payload/keyedHistograms/SEARCH_COUNTS", `{"L.urlbar":{"sum":1},"a.b":{"sum":2}}`),
			`{"search_counts":[{"engine":null,"source":null,"count":1},{"engine":"a","source":"b","count":2}]}`, left{"search_counts": 1}},
		{main, wrap("payload/keyedHistograms/POPUP_NOTIFICATION_STATS", `{"L":{"values":{}}}`), `{"popup_notification_stats":null}`,
			left{"popup_notification_stats": 1}},
		{main, event(`[1,"a","b","c","L"],[1,"L","b","c"],[1,"a","b","c",null,{"L":"x","y":"L"}]`),
			`{"events":[{"timestamp":1,"category":"a","method":"b","object":"c","string_value":null,"map_values":{"telemetry_process":"parent"}},` +
				`{"timestamp":1,"category":"a","method":"b","object":"c","string_value":null,"map_values":{"telemetry_process":"parent",` +
				`"y":null}}]}`, left{"events": 4}},
		{main, wrap("environment/addons",
			`{"activeAddons":{"L":{},"a":{"name":"L"}},"activePlugins":[{"name":"Shockwave Flash","version":"L"}]}`),
			`{"active_addons_count":2,"flash_version":null}`, left{"active_addons": 2, "flash_version": 1}},
		{main, wrap("payload/addonDetails/XPI", `{"L":{},"a":{}}`), `{"disabled_addons_ids":["a"]}`, left{"disabled_addons_ids": 1}},
		{crash, wrap("payload", `{"processType":"L","metadata":{"L":"a","b":"L"}}`),
			`{"payload":{"crashDate":null,"processType":null,"hasCrashEnvironment":null,"metadata":{"b":null},"version":null}}`, left{"payload": 3}},
		{direct, wrap("environment/partner/partnerNames", `["a","L"]`), `{}`, left{"environment": 1}},
	} {
		long := strings.NewReplacer(`L`, longText, `l"`, lastText+`"`)
		out := appendPing(t, c.p, long.Replace(c.body))
		checkColumns(t, rowsOf(t, out)[0], strings.ReplaceAll(c.want, `"l"`, `"`+lastText+`"`), c.body)
		checkLeftOut(t, out, c.left, c.body)
	}
}

// Rows that could not be found again are none.
func TestLongIDs(t *testing.T) {
	for _, field := range []ping.MetaField{ping.ClientID, ping.DocumentID} {
		p := mainTable(t)
		var m ping.Meta
		require.NoError(t, m.ParseJSON([]byte(usualMeta)))
		m.SetString(field, longText)
		out := column.NewBatch(p.Table.Columns)
		if ok, err := p.Append(out, &m, []byte(`{}`)); ok || err != nil || out.Rows != 0 {
			t.Errorf("%s too long: a row: %v, %v", field.Name(), ok, err)
		}
	}
}

// Every list and map of a ping is bounded, and what needs all of it is null.
func TestWidePings(t *testing.T) {
	const n = 10 * MaxElements
	type left = map[string]int64
	for _, c := range []struct {
		body, want string
		lists      map[string]int // the number of elements
		left       left
	}{
		{wrap("environment/experiments", "{"+wide(n, `"e%d":{"branch":"b"}`)+"}"), `{}`, map[string]int{"experiments": MaxElements},
			left{"experiments": 1}},
		{wrap("environment/experiments", "{"+wide(n, `"e":{"branch":"%d"}`)+"}"), `{}`, map[string]int{"experiments": 1}, left{"experiments": 1}},
		{wrap("environment/addons/activeAddons", "{"+wide(n, `"a%d":{}`)+"}"), `{"active_addons_count":null}`,
			map[string]int{"active_addons": MaxElements}, left{"active_addons": 1, "active_addons_count": 1, "quantum_ready": 1}},
		{wrap("payload/addonDetails/XPI", "{"+wide(n, `"a%d":{}`)+"}"), `{}`, map[string]int{"disabled_addons_ids": MaxElements},
			left{"disabled_addons_ids": 1}},
		{wrap("environment/addons/activePlugins", "["+wide(n, `{"name":"Shockwave Flash","version":"%d"}`)+"]"), `{"flash_version":null}`, nil,
			left{"flash_version": 1}},
		{wrap("environment/system/sec/firewall", "["+wide(n, `"f%d"`)+"]"), `{}`, map[string]int{"firewall": MaxElements}, left{"firewall": 1}},
		{wrap("payload/keyedHistograms/SEARCH_COUNTS", "{"+wide(n, `"e%d.s":{"sum":1}`)+"}"), `{}`, map[string]int{"search_counts": MaxElements},
			left{"search_counts": 1}},
		{wrap("payload/keyedHistograms/POPUP_NOTIFICATION_STATS", "{"+wide(n, `"e%d":{"values":{"1":1}}`)+"}"), `{}`,
			map[string]int{"popup_notification_stats": MaxElements}, left{"popup_notification_stats": 1}},
		{wrap("payload/processes/parent/events", "["+wide(n, `[%d,"a","b","c"]`)+"]"), `{}`, map[string]int{"events": MaxElements},
			left{"events": 1}},
		{wrap("payload/histograms", `{"GC_MAX_PAUSE_MS_2":{"values":{`+wide(n, `"%d":1`)+`}},"SSL_HANDSHAKE_RESULT":{"values":{`+
			wide(n, `"%d":1`)+`}}}`),
			`{"gc_max_pause_ms_main_above_150":0,"ssl_handshake_result_success":1,"ssl_handshake_result_failure":0,"ssl_handshake_result":{}}`, nil,
			left{"gc_max_pause_ms_main_above_150": 1, "gc_max_pause_ms_main_above_250": 1, "gc_max_pause_ms_main_above_2500": 1,
				"histogram_parent_gc_max_pause_ms_2": 1, "histogram_parent_ssl_handshake_result": 1, "ssl_handshake_result": 1,
				"ssl_handshake_result_failure": 1}},
	} {
		out := appendPing(t, mainTable(t), c.body)
		row := rowsOf(t, out)[0]
		checkColumns(t, row, c.want, fmt.Sprintf("%.100s", c.body))
		for name, want := range c.lists {
			if got := elementsIn(row[name]); got != want {
				t.Errorf("%.100s: %d elements of %s, want %d", c.body, got, name, want)
			}
		}
		checkLeftOut(t, out, c.left, c.body)
	}
}

func elementsIn(v any) int {
	if m, ok := v.(map[string]any); ok {
		return len(m)
	}
	l, _ := v.([]any)
	return len(l)
}

// wideDay returns a row of main_summary of a client with many experiments and searches, as earlier versions have
// published them.
func wideDay(t testing.TB, inputs []schema.Column, times, n int) *column.Batch {
	t.Helper()
	in := column.NewBatch(inputs)
	for k := range times {
		row := map[string]any{"client_id": "c", "locale": longText, "submission_date": "20180301"}
		experiments, searches := map[string]any{}, []any{}
		for i := range n {
			name := fmt.Sprintf("%d %d", k, i)
			experiments[name] = "b"
			searches = append(searches, map[string]any{"engine": name, "source": "urlbar", "count": json.Number("1")})
		}
		row["experiments"], row["search_counts"] = experiments, searches
		require.NoError(t, in.AppendJSONRow(row))
	}
	return in
}

// What a client has in a day is bounded whatever main_summary says, and finding
// an experiment again does not take longer the more there are.
func TestWideClients(t *testing.T) {
	tables := schema.NewSet(defaultProbes(t)).Tables
	const most = MaxClientBytes / entryBytes
	for name, list := range map[string]string{"clients_daily": "experiments", "search_clients_daily": "engine"} {
		table, err := schema.Find(tables, name)
		require.NoError(t, err)
		inputs := schema.Nullable(schema.Inputs(table, tables[0]))
		rows, err := NewRows(table, inputs)
		require.NoError(t, err)
		out := column.NewBatch(table.Columns)
		addRows(rows, out, wideDay(t, inputs, 2, 40_000))
		flushRows(rows, out)
		all := rowsOf(t, out)
		n := len(all)
		if name == "clients_daily" {
			n = elementsIn(all[0]["experiments"])
		}
		if n > most || n < most/2 {
			t.Errorf("%s: %d of at most %d", name, n, most)
		}
		if out.LeftOut()[list] == 0 {
			t.Errorf("%s: left out %v", name, out.LeftOut())
		}
		if all[0]["locale"] != nil {
			t.Errorf("%s: a text of %d bytes", name, len(all[0]["locale"].(string)))
		}
	}
}

// derived returns the transform of a table that is made from main_summary, with batches for what it takes and gives.
func derived(t *testing.T, name string) (rows Rows, in, out *column.Batch) {
	t.Helper()
	tables := schema.NewSet(defaultProbes(t)).Tables
	table, err := schema.Find(tables, name)
	require.NoError(t, err)
	inputs := schema.Nullable(schema.Inputs(table, tables[0]))
	if rows, err = NewRows(table, inputs); err != nil {
		t.Fatal(err)
	}
	return rows, column.NewBatch(inputs), column.NewBatch(table.Columns)
}

// A text that a client's pings have stands in each of its rows: their number
// follows from its length.
func TestLongTextsOfManyRows(t *testing.T) {
	rows, in, out := derived(t, "search_clients_daily")
	row := fromJSON(t, `{"client_id":"c","locale":"`+lastText+`","search_counts":[`+wide(1000, `{"engine":"e%d","source":"s","count":1}`)+`]}`)
	require.NoError(t, in.AppendJSONRow(row.(map[string]any)))
	addRows(rows, out, in)
	flushRows(rows, out)
	if size := out.Size(); size > 2*MaxClientBytes || out.Rows < 50 {
		t.Errorf("%d rows of %d bytes", out.Rows, size)
	}
}

// A text of a ping stands in the row of each of its add-ons.
func TestLongTextsOfManyAddons(t *testing.T) {
	rows, in, out := derived(t, "addons")
	for _, start := range []string{lastText, "2018-03-01T00:00:00.0+00:00"} {
		row := fromJSON(t, `{"client_id":"c","subsession_start_date":"`+start+`","active_addons":[`+wide(MaxElements, `{"addon_id":"a%d"}`)+`]}`)
		require.NoError(t, in.AppendJSONRow(row.(map[string]any)))
	}
	addRows(rows, out, in)
	most := MaxClientBytes / MaxText
	if out.Rows > MaxElements+most || out.Rows < MaxElements+most/2 || out.LeftOut()["addon_id"] != 1 {
		t.Errorf("%d rows, left out %v", out.Rows, out.LeftOut())
	}
}

// A caller can empty the output after each row.
func TestRowsInPieces(t *testing.T) {
	tables := schema.NewSet(defaultProbes(t)).Tables
	for _, name := range []string{"addons", "clients_daily", "search_clients_daily", "search_aggregates"} {
		table, err := schema.Find(tables, name)
		require.NoError(t, err)
		inputs := schema.Nullable(schema.Inputs(table, tables[0]))
		in := column.NewBatch(inputs)
		for i := range 20 {
			row := fromJSON(t, fmt.Sprintf(
				`{"client_id":"c%d","document_id":"d%d","locale":"l%d","search_counts":[{"engine":"e","source":"s","count":1}],`+
					`"active_addons":[{"addon_id":"a%d"},{"addon_id":"b"}]}`, i%7, i, i, i))
			require.NoError(t, in.AppendJSONRow(row.(map[string]any)))
		}
		var got [2][]map[string]any
		for pieces := range got {
			rows, err := NewRows(table, inputs)
			require.NoError(t, err)
			out := column.NewBatch(table.Columns)
			take := func() error {
				got[pieces] = append(got[pieces], rowsOf(t, out)...)
				out.Reset()
				return nil
			}
			each := []func() error{everyRow, take}[pieces]
			require.NoError(t, errors.Join(rows.Add(out, in, each), rows.Flush(out, each), take()))
		}
		if len(got[0]) == 0 || !reflect.DeepEqual(got[0], got[1]) {
			t.Errorf("%s: at once\n%.300s\nin pieces\n%.300s", name, toJSON(got[0]), toJSON(got[1]))
		}
	}
}
