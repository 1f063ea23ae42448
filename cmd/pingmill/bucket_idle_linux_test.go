package main

import (
	"context"
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

var (
	idleFor = flag.Duration("bucket.idle", 0, "TestIdleRequests: how long to count the requests of a service in which nothing arrives")
	busyFor = flag.Duration("bucket.busy", 0, "TestBusyRequests: how long to count the requests of a service in which pings arrive")
)

// idleRequests limits the requests of a day in which nothing arrives.
const idleRequests = 5_000

// countedService is a service with a bucket whose requests are counted, and with 35 days of tables that another server has made.
type countedService struct {
	*server
	bucket   string
	last     string   // day
	another  []string // flags of the other server
	requests func() map[blobtest.Request]int
}

func newCountedService(t *testing.T) *countedService {
	t.Helper()
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
	return &countedService{s, bucket, to, another, requests}
}

// count returns the number of requests of a day, from some time of it, by kind and by place, as text, and their sum.
func (s *countedService) count(took time.Duration) (text string, sum float64) {
	before, began := s.requests(), time.Now()
	time.Sleep(took)
	after, daily := s.requests(), 24*float64(time.Hour)/float64(time.Since(began))
	kinds, names := map[string]float64{}, map[string]float64{}
	numbers := regexp.MustCompile(`[0-9a-f]{16,}|\d{4}-?\d\d-?\d\d`)
	for r, n := range after {
		if n -= before[r]; n > 0 {
			sum += float64(n) * daily
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
	return b.String(), sum
}

// TestIdleRequests counts the requests of a service in which nothing arrives, with 35 days to look back to.
func TestIdleRequests(t *testing.T) {
	if *idleFor == 0 {
		t.Skip("make idle-requests does this")
	}
	s := newCountedService(t)
	s.start()
	time.Sleep(*idleFor) // it makes profiles
	text, sum := s.count(*idleFor)
	late := filepath.Join(t.TempDir(), "late.ndjson") // the service finds it by the feed
	mustCall(t, "generate", "--clients", "10", "--seed", "2", "--start", s.last, "--days", "1", "--output", late)
	mustCall(t, append([]string{"load", late}, s.another...)...)
	loaded := time.Now()
	for !allCurrent(t, s.server, s.bucket, s.last) {
		require.Less(t, time.Since(loaded), 5*time.Minute, "a load of another process stays unseen")
		time.Sleep(time.Second)
	}
	t.Logf("the tables have the rows of another process's load after %v", time.Since(loaded).Round(time.Second))
	s.stop()
	t.Logf("requests of a day:\n%s", text)
	require.Less(t, sum, float64(idleRequests))
}

// TestBusyRequests counts the requests of a service in which pings arrive all the time, with 35 days to look back to. Their number
// does not depend on how many arrive, as long as they are one load in five minutes.
func TestBusyRequests(t *testing.T) {
	if *busyFor == 0 {
		t.Skip("make busy-requests does this")
	}
	s := newCountedService(t)
	s.start()
	*liveRate = 5
	load := newLiveLoad(t)
	load.to, load.server = s.address, s.server
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- load.send(ctx) }()
	time.Sleep(*busyFor / 2) // it makes profiles
	text, _ := s.count(*busyFor)
	end()
	require.NoError(t, <-ended)
	s.stop()
	t.Logf("%d submissions; requests of a day:\n%s", load.sent.Load(), text)
}

// allCurrent reports whether all tables of a day are current.
func allCurrent(t *testing.T, s *server, bucket, day string) bool {
	t.Helper()
	code, _, _ := call(nil, "status", "--data", s.data, "--storage", bucket, "--from", day, "--to", day)
	return code == 0
}
