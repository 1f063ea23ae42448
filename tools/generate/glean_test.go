package generate_test

import (
	"bufio"
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/tools/generate"
)

// TestGlean decodes a population that sends by Glean, too: ingestion makes the expected rows of each ping, and all
// other submissions equal the population's without.
func TestGlean(t *testing.T) {
	c := generate.Config{Seed: 7, Clients: 400, Days: 2, MeanBytes: 16_000, Gzip: true, NullClients: 0.05}
	without, err := generate.New(c)
	require.NoError(t, err)
	var telemetry bytes.Buffer
	_, err = without.WriteSubmissions(&telemetry, generate.Options{})
	require.NoError(t, err)

	c.Glean = true
	g, err := generate.New(c)
	require.NoError(t, err)
	var all, rest bytes.Buffer
	_, err = g.WriteSubmissions(&all, generate.Options{Place: true})
	require.NoError(t, err)
	config := ingest.DefaultConfig()
	config.Glean.Applications = append(config.Glean.Applications, "org-example-browser")
	d, err := ingest.New(config)
	require.NoError(t, err)
	var sub ingest.Submission
	var out ingest.Outcome
	kinds, fates := map[ping.DocType]int{}, map[generate.Fate]int{}
	in := bufio.NewReader(&all)
	var sum generate.Summary
	last := int64(0)
	for s := range g.Submissions() {
		sum.Add(s)
		line, err := in.ReadBytes('\n')
		require.NoError(t, err)
		require.GreaterOrEqual(t, s.Timestamp, last)
		last = s.Timestamp
		if _, glean := s.Header("X-Telemetry-Agent"); !glean {
			continue
		}
		kinds[s.DocType]++
		fates[s.Fate]++
		d.DecodeLine(line, &sub, &out)
		switch s.Fate {
		case generate.Duplicate:
			require.Equal(t, ingest.Duplicate, out.Kind)
		case generate.Request:
			require.Equal(t, ingest.Ping, out.Kind, out.Message)
		default:
			require.Equal(t, ingest.Ping, out.Kind, out.Message)
			require.Equal(t, string(s.Meta.AppendJSON(nil)), string(out.Meta.AppendJSON(nil)))
			require.Equal(t, string(s.Document), string(out.Body))
		}
	}
	for _, application := range []string{"firefox-desktop", "org-example-browser"} {
		for _, docType := range []string{"baseline", "events", "metrics", "usage-reporting", "crash"} {
			require.NotZero(t, kinds[ping.KindOf(application, docType)], "%s %s: %v", application, docType, kinds)
		}
	}
	require.NotZero(t, fates[generate.Duplicate])
	require.NotZero(t, fates[generate.Request], "%v", kinds)
	require.Equal(t, g.Expect().Groups, sum.Groups)

	_, err = g.WriteSubmissions(&rest, generate.Options{})
	require.NoError(t, err)
	var own bytes.Buffer
	for line := range bytes.Lines(rest.Bytes()) {
		if !bytes.Contains(line, []byte(`"X-Telemetry-Agent"`)) {
			own.Write(line)
		}
	}
	require.True(t, bytes.Equal(telemetry.Bytes(), own.Bytes()))
}
