package etl

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// childRetain, when set, makes the run of childDir a removal.
const childRetain = "PINGMILL_TEST_RUN_RETAIN"

// retainKilled are what the removals of TestKilledRemoval keep, and when.
var retainKilled, retainKilledAt = site.Retention{Archive: 5, Tables: 6, Table: map[string]int{"clients_daily": 0}, Ledger: 1}, at(9)

func retainInChild(s *site.Site) error {
	s.Keep = retainKilled
	_, err := Retain(context.Background(), s, RetainOptions{Now: func() time.Time { return retainKilledAt }})
	return err
}

// TestKilledRemoval kills removals at random moments: days are there whole or
// not at all, and in the end it is as if none had been killed.
func TestKilledRemoval(t *testing.T) {
	base := t.TempDir()
	filled := filepath.Join(base, "filled")
	s, err := openLocal(filled)
	if err != nil {
		t.Fatal(err)
	}
	days := dayRange(t, "20180301", "20180304")
	for seed := range uint64(2) {
		dayPings(t, s.Archive, seed, 6, days...)
	}
	mustRun(t, s, RunOptions{Tables: allTables, Days: days})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	remove := func(dir string) *exec.Cmd {
		cmd := child(dir)
		cmd.Env = append(cmd.Env, childRetain+"=1")
		return cmd
	}
	reference := filepath.Join(base, "reference")
	copyTree(t, filled, reference)
	start := time.Now()
	if out, err := remove(reference).CombinedOutput(); err != nil {
		t.Fatalf("undisturbed: %v: %s", err, out)
	}
	took := time.Since(start)
	want := everything(t, reference)
	killed := 0
	for round := 0; killed < *kills && round < 50; round++ {
		dir := filepath.Join(base, "site")
		copyTree(t, filled, dir)
		for range 5 {
			ended, err := killSoon(remove(dir), took)
			if err != nil {
				t.Fatal(err)
			}
			wholeDays(t, dir, 6*2)
			if ended {
				break
			}
			killed++
		}
		if out, err := remove(dir).CombinedOutput(); err != nil {
			t.Fatalf("the last removal: %v: %s", err, out)
		}
		sameContents(t, everything(t, dir), want)
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d removals killed", killed)
}

// wholeDays looks whether each day has all of its pings, or none, and partitions
// all of their files.
func wholeDays(t *testing.T, dir string, pings int64) {
	t.Helper()
	s, err := openLocal(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	all, err := archive.Days(t.Context(), s.Archive)
	if err != nil {
		t.Fatal(err)
	}
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
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range manifests {
			for _, f := range m.Files {
				if _, err := store.ReadFile(t.Context(), lt.Bucket(), lt.Path(m.Day, f.Name)); err != nil {
					t.Errorf("%s %s: %v", table.Name, m.Day, err)
				}
			}
		}
	}
}

// everything is the contents of the lake and of the archive.
func everything(t *testing.T, dir string) map[string]string {
	t.Helper()
	s, err := openLocal(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	all := contents(t, s)
	s.Roots = map[schema.Root]store.Bucket{0: s.Archive}
	for name, sum := range contents(t, s) {
		all["archive "+name] = sum
	}
	return all
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}
