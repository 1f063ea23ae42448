package catalog

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/worker"
	"github.com/pingmill/pingmill/store/blob"
	"github.com/pingmill/pingmill/store/blob/blobtest"
)

func TestMain(m *testing.M) {
	worker.Main()
	os.Exit(m.Run())
}

// TestS3: queries in a process of their own, which has no network, of tables on a real server. How much they ask of it depends
// on what they read, and the second time on the days alone.
func TestS3(t *testing.T) {
	b, err := blob.Open(t.Context(), blobtest.S3(t), blob.Options{})
	require.NoError(t, err)
	s, _ := publishingSite(t)
	for root := range s.Roots {
		s.Roots[root] = b
	}
	var size int64
	for _, day := range []string{"20180301", "20180302", "20180303"} {
		size = publishMain(t, s, day, 10_000).Bytes
	}
	r := &worker.Runner{Temp: t.TempDir()}
	defer r.Close()
	run := func(sql string) (string, worker.Summary) {
		t.Helper()
		var out bytes.Buffer
		var sum worker.Summary
		require.NoError(t, Again(func(avoid []string) error {
			q, err := Request(t.Context(), s, query.Presto, sql, avoid...)
			if err != nil {
				return err
			}
			q.Format = query.FormatCSV
			out.Reset()
			sum, err = r.Run(t.Context(), q, &out, nil)
			return err
		}))
		return strings.TrimSpace(out.String()), sum
	}
	const sql = "SELECT os, sum(subsession_length) AS n FROM main_summary WHERE submission_date_obj >= '20180302' GROUP BY 1 ORDER BY 1"
	want := "os,n\nDarwin,50000000\nLinux,49990000"
	before := b.Counts()
	got, sum := run(sql)
	require.Equal(t, want, got)
	first := b.Counts()
	require.Less(t, sum.Fetched, size) // of two days
	require.Positive(t, sum.Fetched)
	got, sum = run(sql)
	require.Equal(t, want, got)
	require.Zero(t, sum.Fetched)
	second := b.Counts()
	t.Logf("two of three days of %d bytes: %v, %d bytes; again: %v", size, difference(first, before), first.In-before.In,
		difference(second, first))
	require.LessOrEqual(t, sumOf(difference(first, before)), int64(24))
	require.LessOrEqual(t, sumOf(difference(second, first)), int64(8))
}

func difference(a, b blob.Counts) map[string]int64 {
	d := map[string]int64{}
	for kind, n := range a.Requests {
		if n -= b.Requests[kind]; n > 0 {
			d[kind] = n
		}
	}
	return d
}

func sumOf(m map[string]int64) (n int64) {
	for _, v := range m {
		n += v
	}
	return n
}
