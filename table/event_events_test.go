package table

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/table/column"
)

// eventPing returns the rows of an event ping with some events of the parent process, and what was left out.
func eventPing(t *testing.T, document string) (int, map[string]int64) {
	t.Helper()
	p := pingTable(t, "event_events", defaultProbes(t))
	var meta ping.Meta
	require.NoError(t, meta.ParseJSON(
		[]byte(`{"documentId":"d","sourceName":"telemetry","sourceVersion":"4","docType":"event","submissionDate":"20261121"}`)))
	out := column.NewBatch(p.Table.Columns)
	_, err := p.Append(out, &meta, []byte(document))
	require.NoError(t, err)
	out.Finish()
	return out.Rows, out.LeftOut()
}

// TestEventBounds limits the rows of one ping, whose size is the size of a row times the number of events.
func TestEventBounds(t *testing.T) {
	events := strings.TrimSuffix(strings.Repeat(`[1,"c","m","o"],`, 20_000), ",")
	rows, left := eventPing(t, `{"payload":{"events":{"parent":[`+events+`]}}}`)
	require.Equal(t, MaxElements, rows)
	require.Equal(t, map[string]int64{"event_process": 1}, left)

	locale := strings.Repeat("x", MaxText)
	rows, left = eventPing(t, `{"environment":{"settings":{"locale":"`+locale+`"}},"payload":{"events":{"parent":[`+events+`]}}}`)
	require.Equal(t, MaxClientBytes/(MaxText+2+len(`parent[1,"c","m","o"]`)+entryBytes), rows)
	require.Equal(t, map[string]int64{"event_process": 2}, left)

	long := `"` + locale + `x"`
	rows, left = eventPing(t, `{"payload":{"events":{"parent":[[1,`+long+`,"m","o"],[1,"c","m","o",`+long+`],[1,"c","m","o",null,{`+long+
		`:"v","k":`+long+`}]],`+long+`:[[1,"c","m","o"]]}}}`)
	require.Equal(t, 2, rows)
	require.Equal(t, map[string]int64{"event_process": 2, "event_string_value": 1, "event_map_values": 2}, left)
}

// FuzzEvents makes the rows of any body: each is valid JSON and is read again as it was written.
func FuzzEvents(f *testing.F) {
	paths, err := filepath.Glob("testdata/conformance/event_events/*")
	require.NoError(f, err)
	require.NotEmpty(f, paths)
	for _, path := range paths {
		f.Add([]byte(readCase(f, path).Input.Ping))
	}
	f.Add([]byte(`{"payload":{"events":{"parent":[[1,"c","m","o",null,{"k":[1,{"a":null}],"k":2}],[1,"c","m","o","v",{"k":"\ud800"}]],` +
		`"parent":[[2,"c","m","o"]]}}}`))
	f.Add([]byte(`{"payload":{"events":[["parent"]],"processStartTimestamp":9223372036854775807}}`))
	p := pingTable(f, "event_events", defaultProbes(f))
	b := column.NewBatch(p.Table.Columns)
	var meta ping.Meta
	require.NoError(f, meta.ParseJSON([]byte(usualMeta)))
	f.Fuzz(func(t *testing.T, body []byte) {
		b.Reset()
		some, err := p.Append(b, &meta, body)
		if some != (b.Rows > 0) || some && err != nil {
			t.Fatalf("%v, %v with %d rows", some, err, b.Rows)
		}
		checkLevels(t, b)
		w := column.NewRowWriter(b)
		for range b.Rows {
			row := w.AppendRow(nil)
			require.NoError(t, ping.Validate(row))
			require.NoError(t, uniqueNames(row))
			if again := appendRows(t, b.Columns, row); toJSON(fromJSON(t, string(again))) != toJSON(fromJSON(t, string(row))) {
				t.Fatalf("row\n%s\nis read as\n%s", row, again)
			}
		}
	})
}
