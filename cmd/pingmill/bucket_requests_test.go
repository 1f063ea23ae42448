package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store/blob/blobtest"
)

var agedDays = flag.Int("bucket.days", 3, "TestRequestsOfADay: days by which the lake becomes older")

// TestRequestsOfADay: what is done to one day takes as many requests of a bucket in an old lake as in a young one.
func TestRequestsOfADay(t *testing.T) {
	t.Parallel()
	dir, bucket := t.TempDir(), blobtest.S3(t)
	counted, requests := blobtest.Counted(t, bucket)
	storage := []string{"--data", filepath.Join(dir, "data"), "--storage", counted}
	do := func(args ...string) map[blobtest.Request]int {
		t.Helper()
		before := requests()
		mustCall(t, append(args, storage...)...)
		took := requests()
		for r, n := range before {
			if took[r] -= n; took[r] == 0 {
				delete(took, r)
			}
		}
		return took
	}
	pings := filepath.Join(dir, "pings.ndjson")
	load := func(start string, days int) {
		t.Helper()
		mustCall(t, "generate", "--clients", "10", "--start", start, "--days", fmt.Sprint(days), "--output", pings)
		do("load", pings)
	}
	day := []string{"--from", "20180302", "--to", "20180302"}
	measure := func(another string) map[string]map[blobtest.Request]int {
		t.Helper()
		require.NoError(t, os.WriteFile(pings, sitetest.PingLines(another, 0, 5), 0o600))
		return map[string]map[blobtest.Request]int{
			"load of another day": do("load", pings),
			"run of another day":  do("run", "all", "--date", another),
			"run":                 do(append([]string{"run", "all"}, day...)...),
			"run --force":         do(append([]string{"run", "all", "--force"}, day...)...),
			"status":              do(append([]string{"status"}, day...)...),
			"check":               do(append([]string{"check", "all"}, day...)...),
			"errors":              do(append([]string{"errors"}, day...)...),
		}
	}
	load("20180301", 2)
	do("run", "all", "--from", "20180301", "--to", "20180302")
	young := measure("20180201")
	load("20180303", *agedDays)
	last := time.Date(2018, 3, 2+*agedDays, 0, 0, 0, 0, time.UTC)
	do("run", "all", "--from", "20180303", "--to", last.Format("20060102"))
	old := measure("20180202")
	t.Log("run --force by table:" + byTable(old["run --force"]))
	for _, name := range slices.Sorted(maps.Keys(young)) {
		a, b := kinds(young[name]), kinds(old[name])
		t.Logf("%s: %v in a young lake, %v in an old one", name, a, b)
		for kind := range b {
			if b[kind] > a[kind]+raced[kind] {
				t.Errorf("%s takes %d %s requests in an old lake, %d in a young one:\n%s", name, b[kind], kind, a[kind],
					more(young[name], old[name], kind))
			}
		}
	}
}

// raced is by how many requests equal runs differ: for their common check the table of searches that is made last reads the
// other's file, from the cache or from the bucket.
var raced = map[string]int{"get": 2}

// kinds sums requests up by kind, but for those that depend on how long a command takes: leases are renewed, and the feed of
// changes gathers those of a second.
func kinds(all map[blobtest.Request]int) map[string]int {
	sums := map[string]int{}
	for r, n := range all {
		if !strings.Contains(r.Key, "/_leases/") && !strings.HasSuffix(r.Key, "/_changes.json") {
			sums[r.Kind] += n
		}
	}
	return sums
}

// more lists the requests of a kind that others are not.
func more(young, old map[blobtest.Request]int, kind string) string {
	var b strings.Builder
	for r, n := range old {
		if r.Kind == kind && n != young[r] {
			fmt.Fprintf(&b, "%d instead of %d: %s\n", n, young[r], r.Key)
		}
	}
	return b.String()
}

// byTable returns a table of requests, as docs/object-storage.md has it.
func byTable(all map[blobtest.Request]int) string {
	sums := map[string]map[string]int{}
	for r, n := range all {
		root, path, _ := strings.Cut(r.Key, "/")
		for _, t := range schema.NewSet(&schema.Probes{}).Tables {
			if strings.Contains("/"+path, "/"+t.Prefix()+"/") || strings.Contains("/"+path, "/"+t.Name+"/") {
				root = t.Name
			}
		}
		if sums[root] == nil {
			sums[root] = map[string]int{}
		}
		sums[root][r.Kind] += n
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		s := sums[name]
		fmt.Fprintf(&b, "\n| %s | %d | %d | %d | %d | %d | %d |", name, s["get"], s["head"], s["list"], s["put"], s["copy"], s["delete"])
	}
	return b.String()
}
