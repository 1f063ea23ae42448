package retain

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// retainKilled sets how long the removals of TestKilledRemoval keep data.
var retainKilled, retainKilledAt = site.Retention{Archive: 5, Tables: 6, Table: map[string]int{"clients_daily": 0},
	Ledger: 1}, sitetest.At(9)

// TestMain is the process that TestKilledRemoval kills, where sitetest.Child has started it.
func TestMain(m *testing.M) {
	if dir := os.Getenv(sitetest.ChildDir); dir != "" {
		if err := childRetain(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func childRetain(dir string) error {
	s, err := sitetest.Open(dir)
	if err != nil {
		return err
	}
	defer s.Close()
	s.Keep = retainKilled
	_, err = Apply(context.Background(), s, Options{Now: func() time.Time { return retainKilledAt }})
	return err
}

// TestKilledRemoval kills removals at random moments: days are there whole or
// not at all, and in the end it is as if none had been killed.
func TestKilledRemoval(t *testing.T) {
	base := t.TempDir()
	filled := filepath.Join(base, "filled")
	s, err := sitetest.Open(filled)
	require.NoError(t, err)
	days := sitetest.DayRange(t, "20180301", "20180304")
	for seed := range uint64(2) {
		sitetest.DayPings(t, s.Archive, seed, 6, days...)
	}
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables, Days: days})
	require.NoError(t, s.Close())
	remove := func(dir string) *exec.Cmd {
		cmd := sitetest.Child(dir)
		return cmd
	}
	reference := filepath.Join(base, "reference")
	sitetest.CopyTree(t, filled, reference)
	start := time.Now()
	if out, err := remove(reference).CombinedOutput(); err != nil {
		t.Fatalf("undisturbed: %v: %s", err, out)
	}
	took := time.Since(start)
	want := everything(t, reference)
	killed := 0
	for round := 0; killed < *sitetest.Kills && round < 50; round++ {
		dir := filepath.Join(base, "site")
		sitetest.CopyTree(t, filled, dir)
		for range 5 {
			ended, err := sitetest.KillSoon(remove(dir), took)
			require.NoError(t, err)
			wholeDays(t, dir, 6*2)
			if ended {
				break
			}
			killed++
		}
		if out, err := remove(dir).CombinedOutput(); err != nil {
			t.Fatalf("the last removal: %v: %s", err, out)
		}
		sitetest.SameContents(t, everything(t, dir), want)
		require.NoError(t, os.RemoveAll(dir))
	}
	t.Logf("%d removals killed", killed)
}

// wholeDays looks whether each day has all of its pings, or none, and partitions
// all of their files.
func wholeDays(t *testing.T, dir string, pings int64) {
	t.Helper()
	s, err := sitetest.Open(dir)
	require.NoError(t, err)
	defer s.Close()
	all, err := archive.Days(t.Context(), s.Archive)
	require.NoError(t, err)
	rows := map[string]int64{}
	for _, d := range all {
		rows[string(d.Day)] += d.Rows
	}
	for day, n := range rows {
		if n != pings {
			t.Errorf("%s has %d pings, want %d or none", day, n, pings)
		}
	}
	for _, table := range s.Tables {
		lt := s.TableOf(table)
		manifests, err := lt.Partitions(t.Context())
		require.NoError(t, err)
		for _, m := range manifests {
			for _, f := range m.Files {
				if _, err := store.ReadFile(t.Context(), lt.Bucket(), lt.Path(m.Day, f.Name)); err != nil {
					t.Errorf("%s %s: %v", table.Name, m.Day, err)
				}
			}
		}
	}
}

// everything returns the contents of the lake and of the archive.
func everything(t *testing.T, dir string) map[string]string {
	t.Helper()
	s, err := sitetest.Open(dir)
	require.NoError(t, err)
	defer s.Close()
	all := sitetest.Contents(t, s)
	s.Roots = map[schema.Root]store.Bucket{0: s.Archive}
	for name, sum := range sitetest.Contents(t, s) {
		all["archive "+name] = sum
	}
	return all
}
