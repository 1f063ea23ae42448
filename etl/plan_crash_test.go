package etl

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// Two runs in a row are killed, each after some of its operations. Then the
// partition is the whole one or none, and the next run leaves nothing beside it:
// also not where the first was killed while it published, so that the second
// finds the partition whole and only has to put it in its place.
func TestCrashesInARow(t *testing.T) {
	pings := store.NewMemory()
	sitetest.Pings(t, pings, 1, 40)
	whole := sitetest.Memory(t, pings)
	mustRun(t, whole, RunOptions{Tables: []string{"crash_summary"}})
	want := sitetest.Contents(t, whole)
	ended := false
	for first := 0; !ended; first++ {
		for second := first % 3; ; second += 3 {
			s := sitetest.Memory(t, pings)
			dir := t.TempDir()
			local, err := store.OpenLocal(dir)
			require.NoError(t, err)
			lake := storetest.NewFaults(local)
			s.Roots[schema.StorageRoot] = lake
			ended = runUntil(t, s, lake, first)
			over := runUntil(t, s, lake, second)
			mustRun(t, s, RunOptions{Tables: []string{"crash_summary"}})
			sitetest.SameContents(t, sitetest.Contents(t, s), want)
			wantNoFiles(t, filepath.Join(dir, "_staging"))
			if t.Failed() {
				t.Fatalf("stopped after %d and %d", first, second)
			}
			if over {
				break
			}
		}
	}
}

// runUntil runs crash_summary until n operations have changed something, and reports whether it ended. Readers see the
// whole partition then, or none.
func runUntil(t *testing.T, s *site.Site, lake *storetest.Faults, n int) (ended bool) {
	t.Helper()
	lake.StopAfter(n)
	_, err := Run(context.Background(), s, RunOptions{Tables: []string{"crash_summary"}, Days: []string{sitetest.Day}, Now: time.Now})
	ended = !lake.Stopped()
	lake.Revive()
	if ended != (err == nil) || err != nil && !errors.Is(err, storetest.ErrStopped) {
		t.Errorf("ended %v with %v", ended, err)
	}
	table, err := s.Table("crash_summary")
	require.NoError(t, err)
	m, err := table.Partition(context.Background(), sitetest.Day)
	if errors.Is(err, fs.ErrNotExist) {
		return ended
	}
	require.NoError(t, err)
	for _, f := range m.Files {
		if _, err := lake.Open(context.Background(), table.Path(sitetest.Day, f.Name)); err != nil {
			t.Errorf("the partition lacks a file: %v", err)
		}
	}
	return ended
}

// wantNoFiles checks that a folder has no files, if it is there at all.
func wantNoFiles(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			t.Errorf("left over: %s", path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// A partition that a killed run had made whole is put in its place, not made
// again.
func TestPublicationIsFinished(t *testing.T) {
	pings := store.NewMemory()
	sitetest.Pings(t, pings, 1, 40)
	s := sitetest.Memory(t, pings)
	local, err := store.OpenLocal(t.TempDir())
	require.NoError(t, err)
	lake := storetest.NewFaults(local)
	s.Roots[schema.StorageRoot] = lake
	before := lake.Ops()
	o := RunOptions{Tables: []string{"crash_summary"}}
	mustRun(t, s, o)
	ops := lake.Ops() - before
	table, err := s.Table("crash_summary")
	require.NoError(t, err)
	require.NoError(t, table.Expire(context.Background(), sitetest.Day))
	if runUntil(t, s, lake, ops-1) { // all but the last, which moves the folder
		t.Fatal("the run ended")
	}
	if r := mustRun(t, s, o).Units[0]; r.Outcome != job.Current {
		t.Errorf("the next run: %+v", r)
	}
}
