package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store/blob/blobtest"
	"github.com/pingmill/pingmill/terminal/report"
	"github.com/pingmill/pingmill/tools/clienttest"
)

// TestEdgeWithoutRights: an edge alone needs no rights in the bucket. While the bucket is away it does not know that it has none.
func TestEdgeWithoutRights(t *testing.T) {
	t.Parallel()
	storage, bucket := blobtest.S3Away(t)
	s := newServer(t, filepath.Join(t.TempDir(), "data"))
	s.args = []string{"--only", "edge", "--storage", bucket + "&anonymous=true"}
	const unknown = "/submit/org-example-app/baseline/1/5d8ab2c1-7a55-4a0c-9d8e-6a6a2a9f2f11"
	s.start()
	s.post(unknown, []byte("{}"), nil, 503)
	s.checkPage("/__heartbeat__", 200, `"disk": "ok"`)
	s.checkPage("/status", 200, "the definitions in the lake cannot be read")
	storage.Start()
	s.awaitLog("which applications are taken is known now")
	s.post(unknown, []byte("{}"), nil, 404)
	s.stop()
	s.start()
	s.post(unknown, []byte("{}"), nil, 404)
	sub := newProfile(t)
	s.post(string(sub.URI), sub.Body, sub.Headers, 200)
	s.stop()
}

// TestServeInAnOutage: a service whose object storage and whose geo database are away starts, acknowledges, and says so. The
// other parts join when both are there. Later outages, also with restarts in them, lose nothing and double nothing.
func TestServeInAnOutage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	storage, bucket := blobtest.S3Away(t)
	geo, web := filepath.Join(dir, "city.mmdb"), clienttest.FreeAddress(t)
	s := newServer(t, filepath.Join(dir, "data"))
	require.NoError(t, os.Mkdir(s.data, 0o700)) // in a new folder a database that is missing is a wrong setting
	s.args = []string{"--storage", bucket, "--publish-every", "1s", "--web", web, "--geo", geo}
	sent := 0
	submit := func() {
		t.Helper()
		sub := newProfile(t)
		uri := strings.Replace(string(sub.URI), "/submit/telemetry/", "/submit/telemetry/"+[]string{"a", "b", "c", "d", "e"}[sent], 1)
		s.post(uri, sub.Body, sub.Headers, 200)
		sent++
	}
	s.start()
	submit()
	s.post("/submit/org-example-app/baseline/1/5d8ab2c1-7a55-4a0c-9d8e-6a6a2a9f2f11", []byte("{}"), nil, 503) // the lake may know it
	s.checkPage("/__heartbeat__", 503, `"archive": "the archive and the tables are not open`, `"decoding": "decode.geo`, `"disk": "ok"`,
		`"query tool": "the archive`)
	s.checkPage("/metrics", 200, `pingmill_submissions_total{code="200"} 1`)
	var status report.Status
	sitetest.WaitFor(t, "a sealed segment", func() bool {
		_, text := s.page("/status")
		require.NoError(t, json.Unmarshal([]byte(text), &status))
		return status.Spool != nil && status.Spool.Records == 1
	})
	require.Len(t, status.Trouble, 2, "%s", status.Trouble)
	code, out, errs := call(nil, "status", "--data", s.data, "--storage", bucket)
	require.NotZero(t, code, out+errs)
	s.checkPage("/metrics", 200, "pingmill_spool_oldest_seconds ")
	s.kill()
	s.start()
	submit()

	storage.Start()
	s.awaitLog(`the archive and the tables are open now`)
	s.checkPage("/__heartbeat__", 503, `"archive": "ok"`, `"decoding": "decode.geo`)
	sitetest.WaitFor(t, "query tool", func() bool {
		_, text := s.page("/__heartbeat__")
		return strings.Contains(text, `"query tool": "ok"`)
	})
	s.post("/submit/org-example-app/baseline/1/5d8ab2c1-7a55-4a0c-9d8e-6a6a2a9f2f11", []byte("{}"), nil, 404) // it does not
	require.NoError(t, os.Rename(writeGeo(t), geo))
	in, err := site.Read(t.Context(), s.data, schema.NewSet(sitetest.Probes(t)), site.At(below(t, bucket)))
	require.NoError(t, err)
	defer in.Close()
	table, err := in.Table(in.Direct()[0])
	require.NoError(t, err)
	today := time.Now().UTC().Format("20060102")
	rows := func() {
		t.Helper()
		sitetest.WaitFor(t, "rows of what was acknowledged", func() bool {
			m, err := table.Partition(t.Context(), today)
			return err == nil && m.Rows == int64(sent)
		})
	}
	rows()
	s.checkPage("/__heartbeat__", 200)

	storage.Kill()
	submit()
	s.kill()
	s.start()
	submit()
	storage.Start()
	rows()
	s.stop()
	require.Equal(t, int64(sent), archived(t, in, "new-profile")[today])
	storage.Kill()
	s.start()
	submit()
	s.stop() // in the outage: it stays in the spool
	storage.Start()
	code, out, errs = call(nil, "status", "--data", s.data, "--storage", bucket, "--stalled-after", "1ns")
	require.NotZero(t, code, out)
	require.Contains(t, errs, "1 acknowledged submission waiting in the spool")
	_, out, errs = call(nil, "status", "--data", s.data, "--storage", bucket)
	require.NotContains(t, out+errs, "in the spool, the oldest since")
	s.start()
	rows()
	s.stop()
	require.Equal(t, int64(sent), archived(t, in, "new-profile")[today])
}

// TestServeEndsInAnOutage: a service whose decoding fails because its object storage is away ends with status 0 at a signal. The
// next one decodes what was acknowledged.
func TestServeEndsInAnOutage(t *testing.T) {
	t.Parallel()
	storage, bucket := blobtest.S3Away(t)
	storage.Start()
	s := newServer(t, filepath.Join(t.TempDir(), "data"))
	s.args = []string{"--storage", bucket, "--publish-every", "1s"}
	s.start()
	s.awaitLog(`"decoding"`)
	storage.Kill()
	sub := newProfile(t)
	s.post(string(sub.URI), sub.Body, sub.Headers, 200)
	s.awaitLog("decoding failed: it is tried again")
	began := time.Now()
	s.stop()
	t.Logf("it ended after %v", time.Since(began).Round(time.Second))
	s.awaitLog("stopped while decoding fails: what is not decoded stays in the spool")
	storage.Start()
	s.start()
	s.stop()
	in, err := site.Read(t.Context(), s.data, schema.NewSet(sitetest.Probes(t)), site.At(below(t, bucket)))
	require.NoError(t, err)
	defer in.Close()
	require.Equal(t, int64(1), archived(t, in, "new-profile")[time.Now().UTC().Format("20060102")])
}
