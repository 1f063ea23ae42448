package glean

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/table/column"
)

// streamOf returns the rows of the events of a document.
func streamOf(t testing.TB, document string) *column.Batch {
	t.Helper()
	defs := glean.Definitions{"app": {ID: "app", Pings: []*glean.Ping{{Name: "one"}},
		Metrics: []*glean.Metric{{ID: "c.n", Type: glean.Event, Pings: []string{"one"}, Extra: map[string]string{"k": "quantity string"}}}}}
	table, err := schema.Find(defs.Tables(), "app_events_stream")
	require.NoError(t, err)
	var meta ping.Meta
	meta.SetText(ping.DocumentID, []byte("00000000-0000-4000-8000-000000000001"))
	out := column.NewBatch(table.Columns)
	_, err = NewStream(table).Append(out, &meta, []byte(document))
	require.NoError(t, err)
	out.Finish()
	return out
}

// TestStreamBounds: rows repeat parts of their ping, up to a bound; events beyond it are counted. Events that are large themselves
// are all there.
func TestStreamBounds(t *testing.T) {
	events := `"events":[` + many(9_000, `{"timestamp":%d,"category":"c","name":"n"}`) + `]`
	out := streamOf(t, `{"metrics":{"text":{"a.x":"`+strings.Repeat("x", 1<<20)+`"}},`+events+`}`)
	require.Equal(t, 63, out.Rows)
	require.Equal(t, map[string]int64{"event_name": 9_000 - 63, "metrics": 63}, out.LeftOut())
	out = streamOf(t, `{"metrics":{"counter":{"a.x":1}},`+events+`}`)
	require.Equal(t, 9_000, out.Rows)
	require.Empty(t, out.LeftOut())
	large := `{"timestamp":%d,"category":"c","name":"n","extra":{"k":"7",` + many(50, `"k%d":"v"`) + `}}`
	large = strings.ReplaceAll(large, `"k%d"`, `"k"`)
	out = streamOf(t, `{"events":[`+many(500, large)+`],"ping_info":{"reason":"r"}}`)
	require.Equal(t, 500, out.Rows)
	require.Equal(t, "r", rowsOf(t, out)[499]["reason"])
}

// TestStreamShapes makes rows of the events of documents with odd values: each well-formed event has its number and its extras.
func TestStreamShapes(t *testing.T) {
	made := 0
	for seed := range uint64(1000) {
		s := shapes{rand.New(rand.NewPCG(seed, 2))}
		extra := s.object(s.IntN(3), []string{"k", "l", "glean_timestamp"}, func() string { return s.pick(`"1"`, `"x"`, `"1.5"`, s.odd(1)) })
		event := `{"timestamp":` + s.pick("0", "5", "9223372036854775807", s.odd(0)) + `,"category":` + s.pick(`""`, `"c.d"`, s.odd(0)) +
			`,"name":"n","extra":` + extra + `}`
		document := `{"ping_info":` + s.pingInfo() + `,"client_info":` + s.clientInfo() + `,"metrics":` + s.metrics() + `,"events":[` + event +
			`]}`
		var doc map[string]any
		decode(t, document, &doc)
		events, _ := doc["events"].([]any)
		for _, row := range rowsOf(t, streamOf(t, document)) {
			require.Len(t, events, 1)
			event := asObject(events[0])
			require.Equal(t, event["name"], row["event_name"], document)
			require.Empty(t, differ("extra", event["extra"], row["event_extra"], false), document)
			made++
		}
	}
	require.Greater(t, made, 20)
}
