package glean

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/table/column"
)

const definitionsHead = "$schema: moz://mozilla.org/schemas/glean/metrics/2-0-0\n"

// types are all types of metrics.
var types = strings.Fields(`boolean counter quantity string text url uuid jwe string_list datetime timespan timing_distribution
	memory_distribution custom_distribution rate object labeled_boolean labeled_counter labeled_quantity labeled_string
	labeled_timing_distribution labeled_memory_distribution labeled_custom_distribution labeled_rate dual_labeled_counter`)

// everyType returns the table of a ping with a metric a.x of every type.
func everyType(t testing.TB) *schema.Table {
	t.Helper()
	dir := t.TempDir()
	app := filepath.Join(dir, "app")
	require.NoError(t, os.Mkdir(app, 0o700))
	for _, typ := range append(types, "event") {
		text := definitionsHead + "a: {x: {type: " + typ + ", description: d, send_in_pings: [one]}}\n"
		if typ == "event" {
			text = strings.Replace(text, "\na:", "\ne:", 1)
		}
		require.NoError(t, os.WriteFile(filepath.Join(app, typ+".metrics.yaml"), []byte(text), 0o600))
	}
	defs, err := glean.Read(dir)
	require.NoError(t, err)
	table, err := schema.Find(defs.Tables(), "app_one")
	require.NoError(t, err)
	return table
}

// rowOf returns the row of a document, and how many values a bound left out.
func rowOf(t testing.TB, table *schema.Table, document string) (row map[string]any, leftOut map[string]int64, err error) {
	t.Helper()
	var meta ping.Meta
	meta.SetText(ping.DocumentID, []byte("00000000-0000-4000-8000-000000000001"))
	meta.SetInt(ping.Timestamp, 1_795_255_200_000_000_000)
	out := column.NewBatch(table.Columns)
	ok, err := NewPings(table).Append(out, &meta, []byte(document))
	if err != nil {
		require.Zero(t, out.Rows)
		return nil, nil, err
	}
	require.True(t, ok)
	out.Finish()
	return rowsOf(t, out)[0], out.LeftOut(), nil
}

// whole checks that each part of a document is in its column or in additional_properties, and not in both.
func whole(t testing.TB, document string, row map[string]any) {
	t.Helper()
	var doc map[string]any
	decode(t, document, &doc)
	rest, _ := row[glean.Rest].(map[string]any)
	for name, value := range doc {
		left, isLeft := rest[name]
		section, isObject := value.(map[string]any)
		switch columns, _ := row[name].(map[string]any); {
		case name == glean.Metrics && isObject:
			wholeMetrics(t, section, asObject(left), columns)
		case (name == glean.ClientInfo || name == glean.PingInfo) && isObject:
			for member, want := range section {
				got := columns[member]
				if text, is := want.(string); is && member == "client_id" {
					want = strings.ToLower(text)
				}
				if member == "server_knobs_config" && got != nil {
					got = parsed(t, got)
				}
				require.Empty(t, differ(name+"."+member, want, joined(got, asObject(left)[member]), false))
			}
		case isLeft:
			require.Empty(t, differ(name, value, left, false))
		default:
			require.Equal(t, glean.Events, name, "%s is nowhere", document)
			require.Empty(t, differ(name, value, row[name], false))
		}
	}
}

func wholeMetrics(t testing.TB, section, left, columns map[string]any) {
	t.Helper()
	for typ, metrics := range section {
		if _, is := metrics.(map[string]any); !is {
			require.Empty(t, differ(typ, metrics, left[typ], false))
			continue
		}
		for id, want := range asObject(metrics) {
			name, at := glean.ColumnName(id), asObject(columns[typ])
			got := at[name]
			switch {
			case id != "a.x":
				got = nil
			case typ == "datetime":
				got = at["raw_"+name]
			case typ == "object" && got != nil:
				got = parsed(t, got)
			}
			require.Empty(t, differ(fmt.Sprint(typ, " ", id), want, joined(got, asObject(left[typ])[id]), false))
		}
	}
}

func asObject(v any) map[string]any { m, _ := v.(map[string]any); return m }

func parsed(t testing.TB, text any) (v any) {
	t.Helper()
	s, _ := text.(string)
	decode(t, s, &v)
	return v
}

// joined returns a value of which a part is in a column and the rest is not.
func joined(column, rest any) any {
	a, b := asObject(column), asObject(rest)
	if column == nil || a == nil || b == nil {
		if column == nil {
			return rest
		}
		return column
	}
	all := map[string]any{}
	for name, v := range a {
		all[name] = v
	}
	for name, v := range b {
		all[name] = joined(all[name], v)
	}
	return all
}

// FuzzPing makes a row of any document: no part of it is lost or in two places.
func FuzzPing(f *testing.F) {
	f.Add(`{"client_info":{"client_id":"A","os":1,"attribution":{"source":"s","x":2}},"ping_info":{"seq":1,"server_knobs_config":{"a":[ ]}}}`)
	f.Add(`{"metrics":{"counter":{"a.x":9223372036854775808,"a_x":1},"datetime":{"a.x":"2026-11-21+00:00"},"object":{"a.x":[1, {"b":null}]}}}`)
	f.Add(`{"metrics":{"timing_distribution":{"a.x":{"values":{"1":2},"sum":3,"count":4}},"labeled_rate":{"a.x":{"l":{"numerator":1,` +
		`"denominator":2,"z":[]}}}}}`)
	f.Add(`{"metrics":{"string_list":{"a.x":["",null]},"dual_labeled_counter":{"a.x":{"k":{"c":1,"d":1.5}}},"labeled_boolean":{"a.x":{}},` +
		`"none":[]},"x":{}}`)
	f.Add(`{"events":[{"timestamp":0,"category":"c","name":"n","extra":{"k":"v"},"session":{"session_id":"s","event_seq":1}},` +
		`{"timestamp":"x"}]}`)
	table := everyType(f)
	f.Fuzz(func(t *testing.T, document string) {
		if ping.Validate([]byte(document)) != nil {
			return
		}
		row, leftOut, err := rowOf(t, table, document)
		if err == nil && len(leftOut) == 0 && strings.HasPrefix(strings.TrimSpace(document), "{") {
			whole(t, document, row)
		}
	})
}
