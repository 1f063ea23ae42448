package etl

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/filecheck"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// checkAll returns what a check of all files finds.
func checkAll(t *testing.T, s *site.Site, days ...string) (found []string, c filecheck.Result) {
	t.Helper()
	c, err := filecheck.Check(t.Context(), s,
		filecheck.Options{Tables: sitetest.AllTables, Days: days, Archive: true, Found: func(err error) { found = append(found, err.Error()) }})
	require.NoError(t, err)
	return found, c
}

// spoilFile flips a bit of an object that reading for no query would notice.
func spoilFile(t *testing.T, b store.Bucket, name string) {
	t.Helper()
	root, _ := store.LocalDir(b)
	path := filepath.Join(root, filepath.FromSlash(name))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	data[len(data)/2] ^= 1
	rewrite(t, path, data)
}

// anyFile returns an object whose name has a part.
func anyFile(t *testing.T, b store.Bucket, part string) string {
	t.Helper()
	for e, err := range b.List(t.Context(), "") {
		require.NoError(t, err)
		if strings.Contains(e.Name, part) && strings.HasSuffix(e.Name, ".parquet") && !strings.HasPrefix(e.Name, "_") {
			return e.Name
		}
	}
	t.Fatal("there is no " + part)
	return ""
}

// A check of files reads all files and finds each that is not what was written.
func TestCheckFiles(t *testing.T) {
	s := diskSite(t)
	found, whole := checkAll(t, s)
	if len(found) != 0 || whole.Files == 0 || whole.Bytes == 0 {
		t.Fatalf("at first: %q, %+v", found, whole)
	}
	if found, c := checkAll(t, s, "20170101"); len(found) != 0 || c.Files != 0 {
		t.Errorf("another day: %q, %+v", found, c)
	}
	lt, err := s.Table("addons")
	require.NoError(t, err)
	addons, archived := anyFile(t, lt.Bucket(), "addons/"), anyFile(t, s.Archive, "doc_type=main")
	spoilFile(t, lt.Bucket(), addons)
	spoilFile(t, s.Archive, archived)
	require.NoError(t, store.WriteFile(t.Context(), lt.Bucket(), lt.Path(sitetest.Day, "sample_id=3/extra.parquet"), []byte("x")))
	for round := range 2 {
		found, c := checkAll(t, s)
		all := strings.Join(found, "\n")
		for _, want := range []string{
			"file " + strings.TrimPrefix(addons, lt.Path(sitetest.Day, "")+"/") + " of addons, day " + sitetest.Day + ", is damaged",
			"run `pingmill run addons --date " + sitetest.Day + "`",
			archived + " has other bytes than were written", "sample_id=3/extra.parquet in the folder of addons",
		} {
			if !strings.Contains(all, want) {
				t.Errorf("round %d: no %q in\n%s", round, want, all)
			}
		}
		if len(found) != 3 || c.Bad != 3 || c.Files != whole.Files {
			t.Errorf("round %d: %d findings, %+v", round, len(found), c)
		}
	}
	at, _, st := states(t, s, sitetest.Later, sitetest.Day)
	if at["addons "+sitetest.Day] != stateSpoilt || len(st.Trouble) != 1 || !strings.Contains(st.Trouble[0], archived) {
		t.Errorf("status: %v %q", at, st.Trouble)
	}
	if st := readStates(t, s, sitetest.Later, nil, "20180401"); len(st.Trouble) != 2 {
		t.Errorf("status of other days: %q %v", st.Trouble, err)
	}
	spoilFile(t, s.Archive, archived) // as it was
	mustRun(t, s, RunOptions{Tables: []string{"addons"}})
	if found, err := filecheck.Found(t.Context(), s); err != nil || len(found) != 0 {
		t.Errorf("mended: %v %v", found, err)
	}
	if found, _ := checkAll(t, s); len(found) > 1 { // the extra file may have gone with the folder
		t.Errorf("mended: %q", found)
	}
}

// The service reads every file within the time, goes on after a restart where it
// was, and logs what it finds.
func TestRotateFiles(t *testing.T) {
	s := diskSite(t)
	lt, err := s.Table("main_summary")
	require.NoError(t, err)
	spoilFile(t, lt.Bucket(), anyFile(t, lt.Bucket(), "main_summary/"))
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var log bytes.Buffer
	const every = 30 * 24 * time.Hour
	_, whole := checkAll(t, s)
	run := func(files int) (read int) { // until this number of files is read
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		require.NoError(t, filecheck.Rotate(ctx, s, every, filecheck.RotateOptions{
			Clock: clock.Clock{Now: func() time.Time { return now },
				Wait: func(ctx context.Context, d time.Duration) error { now = now.Add(d); return ctx.Err() }},
			Log: slog.New(slog.NewTextHandler(&log, nil)),

			Checked: func(n int, _ int64) {
				if read += n; read >= files {
					stop()
				}
			},
		}))
		return read
	}
	began := now
	first := run(whole.Files / 2)
	if rest := run(whole.Files - first); first+rest != whole.Files {
		t.Errorf("%d and, after a restart, %d of %d files were read", first, rest, whole.Files)
	}
	if took := now.Sub(began); took > every/2 || took < every/4 {
		t.Errorf("a round took %s", took)
	}
	if n := strings.Count(log.String(), "a file is damaged"); n != 1 || !strings.Contains(log.String(), "of main_summary, day "+sitetest.Day) {
		t.Errorf("the log: %s", log.String())
	}
	if n := run(whole.Files); n != whole.Files {
		t.Errorf("the next round read %d files", n)
	}
	if n := strings.Count(log.String(), "a file is damaged"); n != 2 {
		t.Errorf("it is told %d times in two rounds", n)
	}
	if found, err := filecheck.Found(t.Context(), s); err != nil || len(found) != 1 || found[0].Subject != "main_summary" {
		t.Errorf("found: %v %v", found, err)
	}
}
