package main

import (
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store/blob/blobtest"
	"github.com/pingmill/pingmill/tools/clienttest"
)

var idleFor = flag.Duration("bucket.idle", 0, "TestIdleRequests: how long to count the requests of a service in which nothing arrives")

// idleRequests limits the requests of a day in which nothing arrives.
const idleRequests = 5_000

// TestIdleRequests counts the requests of a service in which nothing arrives, with 35 days to look back to.
func TestIdleRequests(t *testing.T) {
	if *idleFor == 0 {
		t.Skip("make idle-requests does this")
	}
	dir, bucket := t.TempDir(), blobtest.S3(t)
	counted, requests := blobtest.Counted(t, bucket)
	pings := filepath.Join(dir, "pings.ndjson")
	now := time.Now().UTC()
	from, to := now.AddDate(0, 0, -35).Format("20060102"), now.AddDate(0, 0, -1).Format("20060102")
	mustCall(t, "generate", "--clients", "10", "--start", from, "--days", "35", "--output", pings)
	another := []string{"--data", filepath.Join(dir, "another"), "--storage", bucket}
	mustCall(t, append([]string{"load", pings}, another...)...)
	mustCall(t, append([]string{"run", "all", "--from", from, "--to", to}, another...)...)
	s := newServer(t, filepath.Join(dir, "data"))
	s.args = []string{"--storage", counted, "--web", clienttest.FreeAddress(t)}
	s.start()
	time.Sleep(*idleFor) // it makes profiles
	before, began := requests(), time.Now()
	time.Sleep(*idleFor)
	after, daily := requests(), 24*float64(time.Hour)/float64(time.Since(began))
	late := filepath.Join(dir, "late.ndjson") // the service finds it by the feed
	mustCall(t, "generate", "--clients", "10", "--seed", "2", "--start", to, "--days", "1", "--output", late)
	mustCall(t, append([]string{"load", late}, another...)...)
	loaded := time.Now()
	for !allCurrent(t, s, bucket, to) {
		require.Less(t, time.Since(loaded), 5*time.Minute, "a load of another process stays unseen")
		time.Sleep(time.Second)
	}
	t.Logf("the tables have the rows of another process's load after %v", time.Since(loaded).Round(time.Second))
	s.stop()

	kinds, names := map[string]float64{}, map[string]float64{}
	numbers := regexp.MustCompile(`[0-9a-f]{16,}|\d{4}-?\d\d-?\d\d`)
	for r, n := range after {
		if n -= before[r]; n > 0 {
			kinds[r.Kind] += float64(n) * daily
			names[r.Kind+" "+numbers.ReplaceAllString(r.Key, "*")] += float64(n) * daily
		}
	}
	var b strings.Builder
	for _, all := range []map[string]float64{kinds, names} {
		for _, name := range slices.SortedFunc(maps.Keys(all), func(a, b string) int { return int(all[b] - all[a]) }) {
			fmt.Fprintf(&b, "%8.0f %s\n", all[name], name)
		}
	}
	t.Logf("requests of a day:\n%s", b.String())
	sum := 0.0
	for _, n := range kinds {
		sum += n
	}
	require.Less(t, sum, float64(idleRequests))
}

// allCurrent reports whether all tables of a day are current.
func allCurrent(t *testing.T, s *server, bucket, day string) bool {
	t.Helper()
	code, _, _ := call(nil, "status", "--data", s.data, "--storage", bucket, "--from", day, "--to", day)
	return code == 0
}
