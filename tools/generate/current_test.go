package generate_test

import (
	"bufio"
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/tools/generate"
)

// TestCurrent makes the main and event pings of a browser of 2026: ingestion makes of each ping what is expected.
func TestCurrent(t *testing.T) {
	p, err := schema.LoadProbes(schema.FirefoxProbes)
	require.NoError(t, err)
	g, err := generate.New(generate.Config{Seed: 9, Clients: 300, Start: "20261118", Days: 2, MeanBytes: 24_000, Gzip: true, Probes: p,
		Glean: true, Damaged: -1})
	require.NoError(t, err)
	var lines bytes.Buffer
	_, err = g.WriteSubmissions(&lines, generate.Options{Place: true})
	require.NoError(t, err)
	d, err := ingest.New(ingest.DefaultConfig())
	require.NoError(t, err)
	in := bufio.NewReader(&lines)
	var sub ingest.Submission
	var out ingest.Outcome
	pings := map[string]int{}
	for s := range g.Submissions() {
		line, err := in.ReadBytes('\n')
		require.NoError(t, err)
		if s.Fate != generate.Accepted || s.DocType != "main" && s.DocType != "event" {
			continue
		}
		pings[string(s.DocType)]++
		d.DecodeLine(line, &sub, &out)
		require.Equal(t, ingest.Ping, out.Kind, "%s", out.Message)
		require.Equal(t, string(s.Meta.AppendJSON(nil)), string(out.Meta.AppendJSON(nil)))
		require.Equal(t, string(s.Document), string(out.Body))
	}
	require.Greater(t, pings["event"], pings["main"]/3, "%v", pings)
	require.Less(t, pings["event"], pings["main"], "%v", pings)
}

// TestNoEventPings makes sure that the browser of 2018 sends none.
func TestNoEventPings(t *testing.T) {
	g, err := generate.New(generate.Config{Seed: 9, Clients: 100, Days: 2, MeanBytes: 16_000})
	require.NoError(t, err)
	require.Zero(t, g.Expect().ByDocType[ping.DocType("event")])
}
