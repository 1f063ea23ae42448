package main

import (
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/blob"
	"github.com/pingmill/pingmill/store/blob/blobtest"
	"github.com/pingmill/pingmill/tools/generate"
)

// TestEverythingInABucket gives the same commands to an installation on the disk
// and to one whose archive and tables are in a bucket: they say the same, and the
// files of all tables are the same, byte for byte, after each.
func TestEverythingInABucket(t *testing.T) {
	dir, bucket := t.TempDir(), blobtest.S3(t)
	pings := filepath.Join(dir, "pings.ndjson")
	mustCall(t, "generate", "--clients", "12", "--days", "2", "--damaged", "0.1", "--glean", "--output", pings)
	definitions := filepath.Join(dir, "definitions") // of one of the two applications
	require.NoError(t, generate.WriteDefinitions(definitions))
	require.NoError(t, os.RemoveAll(filepath.Join(definitions, "org-example-browser")))
	t.Setenv("PINGMILL_GLEAN_DEFINITIONS", definitions)
	t.Setenv("PINGMILL_PUBLISH_GRACE", "0s") // what is replaced stays by other means in a bucket
	local := []string{"--data", filepath.Join(dir, "local")}
	remote := []string{"--data", filepath.Join(dir, "remote"), "--storage", bucket}
	timed := false // a name of the archive has the time: those of tables depend on it
	both := func(args ...string) {
		t.Helper()
		want := mustCall(t, append(args, local...)...)
		got := mustCall(t, append(args, remote...)...)
		require.Equal(t, steady(want), steady(got), "pingmill %s", strings.Join(args, " "))
		files := tableFiles(t, filepath.Join(dir, "local"), site.Roots{}, timed)
		require.Equal(t, files, tableFiles(t, filepath.Join(dir, "remote"), below(t, bucket), timed), "after pingmill %s",
			strings.Join(args, " "))
	}
	days := []string{"--from", "20180301", "--to", "20180302"}
	both("load", "--max-body", "60KiB", pings)
	both("load", pings)
	both(append([]string{"run", "all"}, days...)...)
	both("run", "clients_daily", "--date", "20180301", "--force", "--downstream")
	both("run", "main_summary", "--date", "20180301", "--force", "--samples", "0-9")
	both("replay")
	both("run", "all", "--date", "20180301", "--plan")
	both("errors", "--from", "20180301")
	both(append([]string{"run", "all"}, days...)...)
	both("check", "all", "--date", "20180301")
	both("check", "--files")
	both("quality", "clients_daily", "--date", "20180301")
	client := mustCall(t, append([]string{"query", "--format", "csv", "SELECT min(client_id) FROM main_summary"}, local...)...)
	_, client, _ = strings.Cut(strings.TrimSpace(client), "\n")
	both("tables", "--files", "clients_daily")
	both("check", "firefox_desktop_baseline", "--date", "20180301")
	both("query", "--format", "csv",
		"SELECT submission_date, count(*), max(event_timestamp) FROM firefox_desktop.events_stream GROUP BY 1 ORDER BY 1")
	timed = true
	both("delete", "--client-id", client, "--now")
	both("delete", "--status")
	both("status", "--to", "20180302")
	both("expire", "--keep-archive", "7", "--keep-tables", "7", "--keep-table", "clients_daily=0")
	both("status", "--to", "20180302")
	both("tables")
}

var demoInBucket = flag.Bool("bucket.demo", false, "TestDemoInABucket compares the demonstration's tables")

// TestDemoInABucket: the tables of the demonstration are the same in a bucket, byte for byte.
func TestDemoInABucket(t *testing.T) {
	if !*demoInBucket {
		t.Skip("takes a minute: make object-storage")
	}
	dir, bucket := t.TempDir(), blobtest.S3(t)
	mustCall(t, "demo", "--once", "--dir", filepath.Join(dir, "demo"))
	data := filepath.Join(dir, "demo", "data")
	want := tableFiles(t, data, site.Roots{}, false)
	definitions := "firefox," + filepath.Join(dir, "demo", "definitions")
	mustCall(t, "load", "--data", filepath.Join(dir, "data"), "--storage", bucket, "--definitions", definitions,
		filepath.Join(dir, "demo", "pings.ndjson"))
	mustCall(t, "run", "all", "--definitions", definitions, "--data", filepath.Join(dir, "data"), "--storage", bucket, "--from", "20180301",
		"--to", "20180303")
	require.Equal(t, want, tableFiles(t, filepath.Join(dir, "data"), below(t, bucket), false))
	t.Logf("%d files of tables are the same", len(want))
}

// TestCopiedToABucket: files of an installation that were copied to a bucket as they are are an installation there.
func TestCopiedToABucket(t *testing.T) {
	t.Parallel()
	data := loadedData(t, "--clients", "8", "--days", "2")
	mustCall(t, "run", "all", "--data", data, "--from", "20180301", "--to", "20180302")
	bucket := blobtest.S3(t)
	for _, name := range []string{"archive", "lake", "pipeline", "restricted"} {
		root, err := blob.Join(bucket, name)
		require.NoError(t, err)
		b, err := blob.Open(t.Context(), root, blob.Options{})
		require.NoError(t, err)
		from := os.DirFS(filepath.Join(data, name))
		require.NoError(t, fs.WalkDir(from, ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || path.Base(name)[0] == '.' {
				return err
			}
			content, err := fs.ReadFile(from, name)
			if err != nil {
				return err
			}
			return store.WriteFile(t.Context(), b, name, content)
		}))
	}
	at := []string{"--data", filepath.Join(t.TempDir(), "new"), "--storage", bucket}
	require.Equal(t, tableFiles(t, data, site.Roots{}, false), tableFiles(t, at[1], below(t, bucket), false))
	require.Contains(t, mustCall(t, append([]string{"run", "all", "--from", "20180301", "--to", "20180302"}, at...)...), "nothing to do")
	require.Contains(t, mustCall(t, append([]string{"check", "--files"}, at...)...), ": 0 damaged")
	mustCall(t, append([]string{"run", "all", "--date", "20180301", "--force"}, at...)...)
	require.Equal(t, tableFiles(t, data, site.Roots{}, false), tableFiles(t, at[1], below(t, bucket), false))
	require.Contains(t, mustCall(t, append([]string{"status", "--to", "20180302"}, at...)...), "# published (20)")
}

// below returns the roots of an installation in a bucket.
func below(t *testing.T, bucket string) site.Roots {
	t.Helper()
	roots, err := site.Roots{}.Below(bucket)
	require.NoError(t, err)
	return roots
}

// tableFiles returns the hashes of the parquet files of all tables, by root and name, or name without generation.
func tableFiles(t *testing.T, data string, roots site.Roots, timed bool) map[string]string {
	t.Helper()
	s, err := site.Read(t.Context(), data, schema.NewSet(sitetest.Probes(t)), site.At(roots))
	require.NoError(t, err)
	defer s.Close()
	files := map[string]string{}
	for name, hash := range sitetest.Contents(t, s) {
		if strings.HasSuffix(name, ".parquet") && !strings.Contains(name, "/_generations/") {
			if timed {
				name = name[:strings.LastIndexByte(name, '-')]
			}
			files[name] = hash
		}
	}
	return files
}

// moments matches text that differs between runs: durations, times, and file paths.
var moments = regexp.MustCompile(`\b\d+(\.\d+)?(µs|ms|s)\b|\d{4}-\d\d-\d\d[T ]\d\d:\d\d[:.\dZ]*|\S+/submission_date_obj=|\d+ ago`)

// counted matches the row count that the delete command prints.
var counted = regexp.MustCompile(`published of .*\n`)

func steady(text string) string {
	return moments.ReplaceAllString(counted.ReplaceAllString(text, ""), "…")
}
