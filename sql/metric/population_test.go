package metric_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/catalog"
	"github.com/pingmill/pingmill/sql/query"
)

// The days of the population.
const first8, last8 = "20261101", "20261103"

const definitions = `$schema: moz://mozilla.org/schemas/glean/metrics/2-0-0
t:
  flag: {type: boolean, description: A boolean}
  word: {type: string, description: A string}
  count: {type: counter, description: A counter}
  size: {type: quantity, description: A quantity}
  span: {type: timespan, description: A timespan}
  time: {type: timing_distribution, description: Times}
  mem: {type: memory_distribution, description: Sizes}
  ratio: {type: rate, description: A rate}
  list: {type: string_list, description: A list}
  id: {type: uuid, description: An id}
  labeled_flag: {type: labeled_boolean, description: Booleans}
  labeled_count: {type: labeled_counter, description: Counters}
  labeled_size: {type: labeled_quantity, description: Quantities}
  labeled_time: {type: labeled_timing_distribution, description: Times}
  dual: {type: dual_labeled_counter, description: Counters}
  press: {type: event, description: A press, send_in_pings: [metrics], extra_keys: {key: {description: Which, type: string}}}
`

// sent is a ping of the population.
type sent struct {
	client, day, channel string
	metrics              map[string]map[string]any // by type and id, as in the ping
	presses              []string                  // extra key of each event; "": none
}

// at returns the value of a metric, nil without one.
func (s *sent) at(typ, id string) any { return s.metrics[typ][id] }

type labels = map[string]any

// population returns pings of 25 clients on three days. Four clients are of channel beta.
func population() (all []*sent) {
	r := rand.New(rand.NewPCG(1, 2))
	buckets := func() labels {
		values, sum := labels{}, 0
		for range 1 + r.IntN(5) {
			at, n := 1<<r.IntN(12), r.IntN(20)
			sum, values[strconv.Itoa(at)] = sum+at*n, n
		}
		return labels{"sum": sum, "values": values}
	}
	units := []string{"millisecond", "second", "minute"}
	for c := range 25 {
		for d := range 3 {
			for range r.IntN(4) {
				s := &sent{client: fmt.Sprintf("%08d-aaaa-4bbb-8ccc-dddddddddddd", c), day: "2026110" + strconv.Itoa(d+1), channel: "release"}
				if c < 4 {
					s.channel = "beta"
				}
				some := func(v any) any {
					if r.IntN(5) == 0 {
						return nil
					}
					return v
				}
				word := func() string { return "word" + strconv.Itoa(r.IntN(20)*r.IntN(20)/20) }
				s.metrics = map[string]map[string]any{
					"boolean": {"t.flag": some(r.IntN(3) == 0)}, "string": {"t.word": some(word())},
					"counter": {"t.count": some(r.IntN(100))}, "quantity": {"t.size": some(r.IntN(1000))},
					"timespan":            {"t.span": some(labels{"time_unit": units[r.IntN(3)], "value": r.IntN(500)})},
					"timing_distribution": {"t.time": some(buckets())}, "memory_distribution": {"t.mem": some(buckets())},
					"rate":                        {"t.ratio": some(labels{"numerator": r.IntN(10), "denominator": 1 + r.IntN(20)})},
					"string_list":                 {"t.list": some([]any{word(), word()})},
					"uuid":                        {"t.id": some("00000000-0000-4000-8000-000000000000")},
					"labeled_boolean":             {"t.labeled_flag": some(labels{"a": r.IntN(2) == 0, "b": true})},
					"labeled_counter":             {"t.labeled_count": some(labels{"a": r.IntN(9), word(): 1})},
					"labeled_quantity":            {"t.labeled_size": some(labels{"a": r.IntN(90)})},
					"labeled_timing_distribution": {"t.labeled_time": some(labels{"a": buckets(), "b": buckets()})},
					"dual_labeled_counter":        {"t.dual": some(labels{"k": labels{"x": r.IntN(9), "y": 2}})},
				}
				for _, byID := range s.metrics {
					for id, v := range byID {
						if v == nil {
							delete(byID, id)
						}
					}
				}
				for range r.IntN(4) {
					s.presses = append(s.presses, []string{"", "enter", "space"}[r.IntN(3)])
				}
				all = append(all, s)
			}
		}
	}
	return all
}

// line returns the ping as a line of a file.
func (s *sent) line(t *testing.T, n int) string {
	day, err := job.ParseDay(s.day)
	require.NoError(t, err)
	var events []any
	for i, key := range s.presses {
		e := map[string]any{"timestamp": i, "category": "t", "name": "press"}
		if key != "" {
			e["extra"] = map[string]string{"key": key}
		}
		events = append(events, e, map[string]any{"timestamp": i, "category": "t", "name": "other"})
	}
	body := map[string]any{
		"ping_info": map[string]any{"seq": n, "start_time": "2026-11-01T10:00+00:00", "end_time": "2026-11-01T11:00+00:00"},
		"client_info": map[string]any{"client_id": s.client, "app_build": "1", "app_channel": s.channel, "app_display_version": "1.0",
			"architecture":   "x",
			"first_run_date": "2026-01-01+00:00", "os": "Linux", "os_version": "1", "telemetry_sdk_build": "1"},
		"metrics": s.metrics,
	}
	if events != nil {
		body["events"] = events
	}
	meta := map[string]any{
		"documentId": fmt.Sprintf("00000000-0000-4000-8000-%012d", n), "docType": "metrics", "sourceName": "app", "sourceVersion": "1",
		"clientId": s.client,
		"sampleId": ping.SampleOf([]byte(s.client)), "submissionDate": s.day, "timestamp": day.Add(time.Hour).UnixNano(),
		"appUpdateChannel": s.channel, "normalizedChannel": s.channel,
		"os": "Linux", "geoCountry": "DE",
	}
	b, err := json.Marshal(map[string]any{"meta": meta, "ping": body})
	require.NoError(t, err)
	return string(b)
}

// loaded returns an installation with the tables of a population.
func loaded(t *testing.T, all []*sent) (*site.Site, *query.DB) {
	dir := t.TempDir()
	app := filepath.Join(dir, "definitions", "app")
	require.NoError(t, os.MkdirAll(app, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(app, "metrics.yaml"), []byte(definitions), 0o600))
	defs, err := glean.Read(filepath.Dir(app))
	require.NoError(t, err)
	s, err := sitetest.Open(filepath.Join(dir, "data"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	s.Tables = append(s.Tables, defs.Tables()...)
	lines := make([]string, len(all))
	for i, p := range all {
		lines[i] = p.line(t, i)
	}
	file := filepath.Join(dir, "pings.ndjson")
	require.NoError(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600))
	_, err = loader.LoadFile(t.Context(), s, file, nil, loader.LoadOptions{Decode: ingest.DefaultConfig()})
	require.NoError(t, err)
	days, err := job.DayRange(first8, last8)
	require.NoError(t, err)
	etltest.Run(t, s, etl.RunOptions{Tables: []string{"app_metrics"}, Days: days})
	db, err := catalog.Open(t.Context(), s, query.Options{TempDir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return s, db
}
