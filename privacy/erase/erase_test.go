package erase

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// forgetOptions returns the options of a removal that waits for nothing.
func forgetOptions() Options {
	return Options{Clock: clock.Clock{Now: time.Now, Wait: sitetest.NoWait}}
}

func mustForget(t testing.TB, s *site.Site) Result {
	t.Helper()
	f, err := Run(context.Background(), s, forgetOptions())
	require.NoError(t, err)
	return f
}

// TestForgetLeavesOthersCurrent removes clients from everything that was made of a day.
func TestForgetLeavesOthersCurrent(t *testing.T) {
	for name, archiveOf := range map[string]func() store.Bucket{
		"folders": nil,
		"memory":  func() store.Bucket { return store.NewMemory() },
	} {
		t.Run(name, func(t *testing.T) {
			s := sitetest.Local(t)
			if archiveOf != nil {
				s = sitetest.Memory(t, archiveOf())
			}
			sitetest.Pings(t, s.Archive, 5, 600)
			run := func() (made int) {
				report, err := etl.Run(context.Background(), s,
					etl.RunOptions{Tables: []string{"addons", "clients_daily", "search_clients_daily", "crash_summary"}, Days: []string{sitetest.Day},
						Now: time.Now})
				require.NoError(t, err)
				for _, u := range report.Units {
					made += u.Tasks
				}
				return made
			}
			run()
			before := sitetest.RowsOf(t, s, "main_summary", sitetest.Day)
			forgotten := []string{"client-3", "client-70", "client-111"}
			sitetest.AskToForget(t, s, "a", time.Now(), forgotten...)
			f := mustForget(t, s)
			if f.Rows() == 0 || len(f.Changes) < 5 {
				t.Fatalf("removed %+v", f.Changes)
			}
			want := slices.DeleteFunc(before, func(row map[string]any) bool {
				id, _ := row["client_id"].(string)
				return slices.Contains(forgotten, id)
			})
			if got := sitetest.RowsOf(t, s, "main_summary", sitetest.Day); fmt.Sprint(got) != fmt.Sprint(want) || len(want) == len(before) {
				t.Errorf("%d rows are left, want %d", len(got), len(want))
			}
			for _, table := range []string{"addons", "clients_daily", "search_clients_daily", "crash_summary"} {
				for _, row := range sitetest.RowsOf(t, s, table, sitetest.Day) {
					if id, _ := row["client_id"].(string); slices.Contains(forgotten, id) {
						t.Fatalf("%s has a row of %s", table, id)
					}
				}
			}
			if n := run(); n != 0 {
				t.Errorf("a run after the removal made %d tasks", n)
			}
			if again := mustForget(t, s); again.Cycle != nil || sitetest.Pending(t, s) != 0 {
				t.Errorf("a second removal did %+v", again.Cycle)
			}
		})
	}
}

// TestForgetKeepsStaleStale forgets a client of a day that got more pings after
// its tables were made.
func TestForgetKeepsStaleStale(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	sitetest.Pings(t, s.Archive, 5, 300)
	o := etl.RunOptions{Tables: []string{"clients_daily"}, Days: []string{sitetest.Day}, Now: time.Now}
	if _, err := etl.Run(context.Background(), s, o); err != nil {
		t.Fatal(err)
	}
	sitetest.Pings(t, s.Archive, 6, 300)
	sitetest.AskToForget(t, s, "a", time.Now(), "client-3")
	mustForget(t, s)
	plan, err := etl.PlanRun(context.Background(), s, o)
	if err != nil || plan.Units[0].Action != etl.Make {
		t.Fatalf("%+v, %v: want main_summary to be made, as before", plan.Units, err)
	}
	if _, err := etl.Run(context.Background(), s, o); err != nil {
		t.Fatal(err)
	}
	other := sitetest.Memory(t, store.NewMemory())
	sitetest.AskToForget(t, other, "a", time.Now(), "client-3")
	sitetest.Pings(t, other.Archive, 5, 300)
	sitetest.Pings(t, other.Archive, 6, 300)
	mustForget(t, other)
	if _, err := etl.Run(context.Background(), other, o); err != nil {
		t.Fatal(err)
	}
	if got, want := sitetest.RowsOf(t, s, "clients_daily", sitetest.Day),
		sitetest.RowsOf(t, other, "clients_daily", sitetest.Day); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d rows, another way %d", len(got), len(want))
	}
}

// TestForgetLateLoad commits a load after a removal that it had begun before.
func TestForgetLateLoad(t *testing.T) {
	s := sitetest.Local(t)
	all := sitetest.FromClients(6)
	mustLoad(t, s, sitetest.Lines(t, all[:3]))
	in, out := io.Pipe()
	loaded := make(chan error, 1)
	go func() {
		_, err := loader.Load(context.Background(), s, in, loader.LoadOptions{Decode: ingest.DefaultConfig()})
		loaded <- err
	}()
	if _, err := out.Write(sitetest.Lines(t, all[3:])); err != nil { // it has begun once it reads
		t.Fatal(err)
	}
	sitetest.AskToForget(t, s, "a", time.Now(), sitetest.ClientOf(1), sitetest.ClientOf(4))
	mustForget(t, s)
	require.NoError(t, out.Close())
	require.NoError(t, <-loaded)
	if sitetest.Mentioned(t, s, sitetest.ClientOf(1)) != 0 || sitetest.Mentioned(t, s, sitetest.ClientOf(4)) != 1 {
		t.Fatal("the late load is not what the test wants")
	}
	if f := mustForget(t, s); f.Cycle == nil || f.Rows() != 1 {
		t.Errorf("the second removal did %+v", f.Cycle)
	}
	if sitetest.Mentioned(t, s, sitetest.ClientOf(4)) != 0 || sitetest.Mentioned(t, s, sitetest.ClientOf(5)) != 1 {
		t.Error("the late load's rows are not removed, or others are")
	}
	if late, _, err := lateLoads(context.Background(), s.Archive, s.Forgotten); err != nil || len(late) != 0 {
		t.Errorf("late after all: %v, %v", late, err)
	}
	if l := mustLoad(t, s, append(sitetest.Lines(t, all), '\n')); l.Forgotten != 2 {
		t.Errorf("a load of all again kept out %d, want 2", l.Forgotten)
	}
}

// TestForgetRestored removes again what came back with an older state.
func TestForgetRestored(t *testing.T) {
	dir := t.TempDir()
	s, err := sitetest.Open(dir)
	require.NoError(t, err)
	defer s.Close()
	mustLoad(t, s, sitetest.Lines(t, sitetest.FromClients(3)))
	backup := path.Join(t.TempDir(), "archive")
	require.NoError(t, os.CopyFS(backup, os.DirFS(path.Join(dir, "archive"))))
	sitetest.AskToForget(t, s, "a", time.Now(), sitetest.ClientOf(1))
	mustForget(t, s)
	for _, part := range []string{"pings", "errors", "loads", "index"} {
		require.NoError(t, os.RemoveAll(path.Join(dir, "archive", part)))
		if err := os.CopyFS(path.Join(dir, "archive", part), os.DirFS(path.Join(backup, part))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	if sitetest.Mentioned(t, s, sitetest.ClientOf(1)) != 1 {
		t.Fatal("the backup does not bring the client back")
	}
	o := forgetOptions()
	o.Recheck = true
	f, err := Run(context.Background(), s, o)
	if err != nil || f.Rows() != 1 || f.Clients != 1 {
		t.Errorf("%+v, %v", f.Cycle, err)
	}
	if sitetest.Mentioned(t, s, sitetest.ClientOf(1)) != 0 || sitetest.Mentioned(t, s, sitetest.ClientOf(0)) != 1 {
		t.Error("the client is still there, or another is not")
	}
}

// TestForgetOldVersion removes rows from the location of another version.
func TestForgetOldVersion(t *testing.T) {
	s := sitetest.Memory(t, store.NewMemory())
	sitetest.Pings(t, s.Archive, 5, 200)
	now := s.Tables
	old := *now[0]
	old.Version = "v3"
	s.Tables = append([]*schema.Table{&old}, now[1:]...)
	if _, err := etl.Run(context.Background(), s,
		etl.RunOptions{Tables: []string{"main_summary"}, Days: []string{sitetest.Day}, Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	s.Tables = now
	before, err := lake.Open(s.Roots[old.Root], &old).Partition(context.Background(), sitetest.Day)
	require.NoError(t, err)
	sitetest.AskToForget(t, s, "a", time.Now(), "client-3")
	f := mustForget(t, s)
	after, err := lake.Open(s.Roots[old.Root], &old).Partition(context.Background(), sitetest.Day)
	require.NoError(t, err)
	if after.Rows >= before.Rows ||
		!slices.ContainsFunc(f.Changes, func(c forget.Change) bool { return c.Version == "v3" && c.Rows == before.Rows-after.Rows }) {
		t.Errorf("%d of %d rows are left: %+v", after.Rows, before.Rows, f.Changes)
	}
}

func mustLoad(t testing.TB, s *site.Site, content []byte) loader.Loaded {
	t.Helper()
	l, err := loader.Load(context.Background(), s, bytes.NewReader(content), loader.LoadOptions{Decode: ingest.DefaultConfig()})
	require.NoError(t, err)
	return l
}
