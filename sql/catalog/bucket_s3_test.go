package catalog

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/worker"
	"github.com/pingmill/pingmill/store/blob/blobtest"
)

func TestMain(m *testing.M) {
	worker.Main()
	os.Exit(m.Run())
}

// s3Process is one of the processes of an installation in a bucket.
type s3Process struct {
	t        *testing.T
	site     *site.Site
	runner   *worker.Runner
	requests func() map[blobtest.Request]int
}

func newS3Process(t *testing.T, bucket string) *s3Process {
	t.Helper()
	p := &s3Process{t: t, runner: &worker.Runner{Temp: t.TempDir()}}
	t.Cleanup(p.runner.Close)
	counted, requests := blobtest.Counted(t, bucket)
	p.requests = requests
	roots, err := site.Roots{}.Below(counted)
	require.NoError(t, err)
	p.site, err = site.Open(t.Context(), t.TempDir(), schema.NewSet(sitetest.Probes(t)), site.At(roots))
	require.NoError(t, err)
	t.Cleanup(func() { p.site.Close() })
	time.Sleep(2 * time.Second) // the entry of its opening in the feed
	return p
}

// query returns the rows as CSV, what was fetched of files, and the number of requests by kind.
func (p *s3Process) query(sql string) (csv string, fetched int64, made map[string]int) {
	p.t.Helper()
	before := p.requests()
	var out bytes.Buffer
	var sum worker.Summary
	require.NoError(p.t, Again(p.t.Context(), func(ctx context.Context, avoid []string) error {
		q, err := Request(ctx, p.site, query.Presto, sql, avoid...)
		if err != nil {
			return err
		}
		q.Format = query.FormatCSV
		out.Reset()
		sum, err = p.runner.Run(ctx, q, &out, nil)
		return err
	}))
	made = map[string]int{}
	for r, n := range p.requests() {
		if n -= before[r]; n > 0 {
			made[r.Kind] += n
		}
	}
	return strings.TrimSpace(out.String()), sum.Fetched, made
}

// TestS3: queries in a process of their own, which has no network, of tables on a real server. The number of requests depends on what
// a query reads. The second time they are three, for any number of days, until another process publishes.
func TestS3(t *testing.T) {
	bucket := blobtest.S3(t)
	p, other := newS3Process(t, bucket), newS3Process(t, bucket)
	var size int64
	for _, day := range []string{"20180301", "20180302", "20180303"} {
		size = publishMain(t, other.site, day, 10_000).Bytes
	}
	const sql = "SELECT os, sum(subsession_length) AS n FROM main_summary WHERE submission_date_obj >= '20180302' GROUP BY 1 ORDER BY 1"
	want := "os,n\nDarwin,50000000\nLinux,49990000"
	got, fetched, first := p.query(sql)
	require.Equal(t, want, got)
	require.Less(t, fetched, size) // of two days
	require.Positive(t, fetched)
	require.LessOrEqual(t, first["get"]+first["list"], 24)
	time.Sleep(2 * time.Second) // the entry of the days in the feed
	_, _, _ = p.query(sql)
	got, fetched, again := p.query(sql)
	require.Equal(t, want, got)
	require.Zero(t, fetched)
	t.Logf("two of three days of %d bytes: %v; again: %v", size, first, again)
	require.Equal(t, map[string]int{"get": 1, "list": 2}, again, "the feed of changes and the deletion requests")

	const clients = "SELECT count(*), min(client_id) FROM main_summary WHERE submission_date_obj = '20180303'"
	got, _, _ = p.query(clients)
	count, client, _ := strings.Cut(strings.TrimSpace(got[strings.Index(got, "\n"):]), ",")
	require.Equal(t, "10000", count)
	require.NoError(t, other.site.Forgotten.RecordOperator(t.Context(), time.Now(), []string{client}))
	got, _, _ = p.query(clients)
	require.Contains(t, got, "9999,", "a request counts at once")
	// A removal that ends is known before its files are in the feed: no manifest from before is used.
	publishMain(t, other.site, "20180303", 5_000)
	pending, err := other.site.Forgotten.Pending(t.Context())
	require.NoError(t, err)
	require.NoError(t, other.site.Forgotten.Finish(t.Context(), pending, time.Now()))
	got, _, _ = p.query(clients)
	require.Contains(t, got, "5000,")

	publishMain(t, other.site, "20180304", 10_000)
	require.NoError(t, other.site.Close())
	got, _, _ = p.query("SELECT count(*) FROM main_summary")
	require.Equal(t, "count(*)\n35000", got)
}
