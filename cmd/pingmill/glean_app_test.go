package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/tools/clienttest"
)

// gleanAppMetrics is the member metrics of the ping in which the application has a value of every metric type.
const gleanAppMetrics = `{
	"boolean": {"example.dark": true}, "counter": {"example.clicks": 3}, "quantity": {"example.height": 1080}, "string": {"example.theme": "größer"},
	"text": {"example.note": "A note,\nof two lines."}, "url": {"example.home": "https://example.org/a?b=c"}, "uuid": {"example.install": "5e6c8e3a-2d9a-4b56-8a51-00000000000a"},
	"string_list": {"example.fonts": ["Sans", "Serif"]}, "datetime": {"example.started": "2026-11-21T09:30:00.123+02:00"},
	"timespan": {"example.loading": {"time_unit": "millisecond", "value": 1234}}, "rate": {"example.hits": {"numerator": 2, "denominator": 5}},
	"timing_distribution": {"example.answers": {"sum": 5000, "values": {"939": 1, "1878": 2}}},
	"memory_distribution": {"example.pages": {"sum": 4096, "values": {"4095": 1}}}, "custom_distribution": {"example.tabs": {"sum": 53, "values": {"1": 2, "50": 1}}},
	"object": {"example.layout": {"name": "wide", "columns": 3}}, "dual_labeled_counter": {"example.moves": {"left": {"up": 4}}},
	"labeled_boolean": {"example.open": {"left": true}}, "labeled_counter": {"example.used": {"first": 1, "second": 2}}, "labeled_quantity": {"example.width": {"right": 640}},
	"labeled_string": {"example.title": {"left": "Files"}}, "labeled_custom_distribution": {"example.rows": {"left": {"sum": 7, "values": {"1": 1}}}},
	"labeled_memory_distribution": {"example.sizes": {"right": {"sum": 2048, "values": {"2047": 1}}}},
	"labeled_timing_distribution": {"example.waits": {"left": {"sum": 5000, "values": {"4870": 1}}}}}`

// TestGleanApp runs an application with Mozilla's SDK against a running edge: all its pings are in the archive, with a
// value of every metric type that the SDK sends, and each value is in its column.
func TestGleanApp(t *testing.T) {
	t.Parallel()
	python := clienttest.Python(t, "glean-sdk==71.0.0")
	data := filepath.Join(t.TempDir(), "data")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	logs, w := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{
			"serve", "--data", data, "--listen", "127.0.0.1:0", "--private", "127.0.0.1:0", "--only", "edge,decode",
			"--min-free", "0", "--glean-application", "org-example-app",
		}, strings.NewReader(""), io.Discard, w)
		w.Close()
	}()
	address, lines := "", bufio.NewScanner(logs)
	for address == "" && lines.Scan() {
		var line struct{ Address string }
		require.NoError(t, json.Unmarshal(lines.Bytes(), &line))
		address = line.Address
	}
	go io.Copy(io.Discard, logs)

	limit, stop := context.WithTimeout(ctx, 5*time.Minute)
	defer stop()
	app := exec.CommandContext(limit, python, "testdata/gleanapp/app.py", "http://"+address, filepath.Join(t.TempDir(), "glean"))
	app.Env = append(os.Environ(), "GLEAN_DEBUG_VIEW_TAG=glean-app-test", "GLEAN_SOURCE_TAGS=test,sdk", "PYTHONDONTWRITEBYTECODE=1")
	output, err := app.CombinedOutput()
	require.NoError(t, err, "%s", output)
	cancel()
	require.Equal(t, 0, <-code)

	pings := archivedPings(t, data)
	kinds := map[string]int{}
	for _, p := range pings {
		kinds[string(p.Meta.Kind())]++
		require.Equal(t, "glean-app-test", string(p.Meta.Text(ping.XDebugID)))
		require.Equal(t, "test,sdk", string(p.Meta.Text(ping.XSourceTags)))
		require.Contains(t, string(p.Meta.Text(ping.XTelemetryAgent)), "Glean/71.0.0 (Python on ")
		if p.Meta.Kind() == "org-example-app/without-info" {
			require.False(t, p.Meta.Has(ping.ClientID))
			continue
		}
		require.Len(t, p.Meta.Text(ping.ClientID), 36)
		require.True(t, p.Meta.Has(ping.SampleID))
		require.Equal(t, "1.2.3-beta", string(p.Meta.Text(ping.AppVersion)))
		require.Equal(t, "nightly", string(p.Meta.Text(ping.NormalizedChannel)))
		require.True(t, p.Meta.Has(ping.CreationTimestamp))
	}
	require.Equal(t, map[string]int{
		"org-example-app/every-type": 1, "org-example-app/without-info": 1, "org-example-app/health": 1,
		"org-example-app/baseline": 2, "org-example-app/events": 1,
	}, kinds, mustCall(t, "errors", "--data", data))
	for _, p := range pings {
		if p.Meta.Kind() != "org-example-app/every-type" {
			continue
		}
		require.Equal(t, "tested", string(p.Meta.Text(ping.Reason)))
		var document struct {
			Metrics json.RawMessage
			Events  []struct {
				Category, Name string
				Extra          map[string]string
			}
		}
		require.NoError(t, json.Unmarshal(p.Body, &document))
		require.JSONEq(t, gleanAppMetrics, string(document.Metrics))
		require.Len(t, document.Events, 2)
		require.Equal(t, "left", document.Events[0].Extra["panel"])
		equalGleanApp(t, data, &p)
	}
}

// archivedPings returns all pings of the archive of an installation.
func archivedPings(t *testing.T, data string) (all []archive.Ping) {
	t.Helper()
	b, err := store.OpenLocal(filepath.Join(data, "archive"))
	require.NoError(t, err)
	days, err := archive.Days(context.Background(), b)
	require.NoError(t, err)
	for _, d := range days {
		if d.DocType == "" {
			continue
		}
		day, err := archive.OpenDay(context.Background(), b, d.Day, d.DocType)
		require.NoError(t, err)
		for p, err := range day.Pings(context.Background(), 0, 100) {
			require.NoError(t, err)
			own := archive.Ping{Body: append([]byte{}, p.Body...)}
			require.NoError(t, own.Meta.ParseJSON(p.Meta.AppendJSON(nil)))
			all = append(all, own)
		}
	}
	return all
}
