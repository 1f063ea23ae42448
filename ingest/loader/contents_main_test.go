package loader

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// errorsOf returns the rejected submissions as day, class and message, sorted.
func errorsOf(t testing.TB, b store.Bucket) (all []string) {
	t.Helper()
	days, err := archive.ErrorDays(context.Background(), b)
	require.NoError(t, err)
	for _, i := range days {
		e, err := archive.OpenErrors(context.Background(), b, i.Day)
		require.NoError(t, err)
		for r, err := range e.All(context.Background()) {
			require.NoError(t, err)
			all = append(all, fmt.Sprintf("%s %s: %s", i.Day, r.Class, r.Message))
		}
	}
	slices.Sort(all)
	return all
}

// objectsOf returns the names of all objects of a bucket.
func objectsOf(t testing.TB, b store.Bucket) (all []string) {
	t.Helper()
	for e, err := range b.List(context.Background(), "") {
		require.NoError(t, err)
		all = append(all, fmt.Sprint(e.Name, " ", e.Size))
	}
	return all
}

// spoolRecords returns submissions as an edge keeps them.
func spoolRecords(all []sitetest.Sent) (out []*spool.Record) {
	for _, s := range all {
		out = append(out, &spool.Record{
			Timestamp: s.At.UnixNano(), RemoteAddr: []byte("10.1.2.3"), Body: []byte(s.Body),
			URI: []byte("/submit/telemetry/" + s.Id + "/" + s.DocType + "/Firefox/60.0/release/20180301000000"),
		})
	}
	return out
}
