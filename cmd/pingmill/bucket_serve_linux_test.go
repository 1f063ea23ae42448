package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store/blob/blobtest"
	"github.com/pingmill/pingmill/tools/clienttest"
)

// TestServeInABucket is the service whose data folder has the spool only: what was
// acknowledged before it was killed is in the bucket after the next start, once, and
// the schedule makes the tables there.
func TestServeInABucket(t *testing.T) {
	t.Parallel()
	dir, bucket := t.TempDir(), blobtest.S3(t)
	pings := filepath.Join(dir, "pings.ndjson")
	mustCall(t, "generate", "--clients", "5", "--days", "1", "--output", pings)
	mustCall(t, "load", "--data", filepath.Join(dir, "another server"), "--storage", bucket, pings)
	s := newServer(t, filepath.Join(dir, "data"))
	s.args = []string{"--storage", bucket, "--publish-every", "1s", "--lookback", "20000", "--web", clienttest.FreeAddress(t)}
	s.start()
	sub := newProfile(t)
	s.post(string(sub.URI), sub.Body, sub.Headers, 200)
	s.kill()
	s.start()
	s.post("/submit/telemetry/5d8ab2c1-7a55-4a0c-9d8e-6a6a2a9f2f11/main/Firefox/58.0/release/20180101000000", []byte("{"), nil, 200)
	in, err := site.Read(t.Context(), s.data, schema.NewSet(sitetest.Probes(t)), site.At(below(t, bucket)))
	require.NoError(t, err)
	defer in.Close()
	today := time.Now().UTC().Format("20060102")
	direct := in.Direct()[0]
	for _, table := range in.Tables {
		if table.IsSnapshots() {
			continue
		}
		lt, day := in.TableOf(table), "20180301"
		if table.Name == direct {
			day = today
		}
		sitetest.WaitFor(t, "rows of "+table.Name, func() bool {
			m, err := lt.Partition(t.Context(), day)
			return err == nil && (m.Rows > 0 || day != today)
		})
	}
	s.checkPage("/__heartbeat__", 200, `"archive": "ok"`)
	s.checkPage("/metrics", 200, `pingmill_bucket_requests_total{kind="put"}`)
	s.stop()
	require.Equal(t, int64(1), archived(t, in, string(sub.DocType))[today])
	require.Contains(t, everything(t, in), "invalid submission")
	entries, err := os.ReadDir(s.data)
	require.NoError(t, err)
	for _, e := range entries {
		if e.Name() == "archive" || e.Name() == "lake" || e.Name() == "pipeline" || e.Name() == "restricted" {
			t.Errorf("the data folder has %s", e.Name())
		}
	}
	require.Contains(t, mustCall(t, "status", "--data", s.data, "--storage", bucket, "--to", "20180301"), "# published (10)")
}
