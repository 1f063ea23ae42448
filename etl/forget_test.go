package etl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pingmill/pingmill/forget"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// forgetOptions are those of a removal that waits for nothing.
func forgetOptions() ForgetOptions {
	return ForgetOptions{Now: time.Now, Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}
}

func askToForget(t testing.TB, s *site.Site, name string, at time.Time, clients ...string) {
	t.Helper()
	q := forget.Request{Name: name, Time: at, Source: forget.Operator, Clients: clients}
	if err := s.Forgotten.Record(context.Background(), q); err != nil {
		t.Fatal(err)
	}
}

func mustForget(t testing.TB, s *site.Site) Forgot {
	t.Helper()
	f, err := Forget(context.Background(), s, forgetOptions())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func pendingOf(t testing.TB, s *site.Site) int {
	t.Helper()
	q, err := s.Forgotten.Pending(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return len(q)
}

// clientOf is the id of a client of the tests that send new-profile pings.
func clientOf(n int) string { return fmt.Sprintf("7c9c8e3a-2d9a-4b56-8a51-%012x", n) }

// fromClients are new-profile pings, one of each client.
func fromClients(n int) (all []sent) {
	for i, s := range aFewDays(n) {
		s.body = strings.Replace(s.body, "7c9c8e3a-2d9a-4b56-8a51-3f2c8a1b0c01", clientOf(i), 1)
		all = append(all, s)
	}
	return all
}

func mentioned(t testing.TB, s *site.Site, client string) (n int) {
	t.Helper()
	for _, p := range pingsOf(t, s.Archive) {
		if strings.Contains(p, client) {
			n++
		}
	}
	return n
}

// TestForgetLeavesOthersCurrent removes clients from everything that was made of a day.
func TestForgetLeavesOthersCurrent(t *testing.T) {
	for name, archiveOf := range map[string]func() store.Bucket{
		"folders": nil,
		"memory":  func() store.Bucket { return store.NewMemory() },
	} {
		t.Run(name, func(t *testing.T) {
			s := localSite(t)
			if archiveOf != nil {
				s = memorySite(t, archiveOf())
			}
			testPings(t, s.Archive, 5, 600)
			run := func() (made int) {
				report, err := Run(context.Background(), s, RunOptions{Tables: []string{"addons", "clients_daily", "search_clients_daily", "crash_summary"}, Days: []string{testDay}, Now: time.Now})
				if err != nil {
					t.Fatal(err)
				}
				for _, u := range report.Units {
					made += u.Tasks
				}
				return made
			}
			run()
			before := rowsOf(t, s, "main_summary", testDay)
			gone := []string{"client-3", "client-70", "client-111"}
			askToForget(t, s, "a", time.Now(), gone...)
			f := mustForget(t, s)
			if f.Rows() == 0 || len(f.Changes) < 5 {
				t.Fatalf("removed %+v", f.Changes)
			}
			want := slices.DeleteFunc(before, func(row map[string]any) bool {
				id, _ := row["client_id"].(string)
				return slices.Contains(gone, id)
			})
			if got := rowsOf(t, s, "main_summary", testDay); fmt.Sprint(got) != fmt.Sprint(want) || len(want) == len(before) {
				t.Errorf("%d rows are left, want %d", len(got), len(want))
			}
			for _, table := range []string{"addons", "clients_daily", "search_clients_daily", "crash_summary"} {
				for _, row := range rowsOf(t, s, table, testDay) {
					if id, _ := row["client_id"].(string); slices.Contains(gone, id) {
						t.Fatalf("%s has a row of %s", table, id)
					}
				}
			}
			if n := run(); n != 0 {
				t.Errorf("a run after the removal made %d tasks", n)
			}
			if again := mustForget(t, s); again.Cycle != nil || pendingOf(t, s) != 0 {
				t.Errorf("a second removal did %+v", again.Cycle)
			}
		})
	}
}

// localSite is an installation in folders.
func localSite(t testing.TB) *site.Site {
	t.Helper()
	s, err := openLocal(path.Join(t.TempDir(), "site"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestForgetKeepsStaleStale forgets a client of a day that got more pings after
// its tables were made.
func TestForgetKeepsStaleStale(t *testing.T) {
	s := memorySite(t, store.NewMemory())
	testPings(t, s.Archive, 5, 300)
	o := RunOptions{Tables: []string{"clients_daily"}, Days: []string{testDay}, Now: time.Now}
	if _, err := Run(context.Background(), s, o); err != nil {
		t.Fatal(err)
	}
	testPings(t, s.Archive, 6, 300)
	askToForget(t, s, "a", time.Now(), "client-3")
	mustForget(t, s)
	plan, err := PlanRun(context.Background(), s, o)
	if err != nil || plan.Units[0].Action != Make {
		t.Fatalf("%+v, %v: want main_summary to be made, as before", plan.Units, err)
	}
	if _, err := Run(context.Background(), s, o); err != nil {
		t.Fatal(err)
	}
	other := memorySite(t, store.NewMemory())
	askToForget(t, other, "a", time.Now(), "client-3")
	testPings(t, other.Archive, 5, 300)
	testPings(t, other.Archive, 6, 300)
	mustForget(t, other)
	if _, err := Run(context.Background(), other, o); err != nil {
		t.Fatal(err)
	}
	if got, want := rowsOf(t, s, "clients_daily", testDay), rowsOf(t, other, "clients_daily", testDay); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d rows, another way %d", len(got), len(want))
	}
}

// TestForgetLateLoad commits a load after a removal that it had begun before.
func TestForgetLateLoad(t *testing.T) {
	s := localSite(t)
	all := fromClients(6)
	mustLoad(t, s, submissionLines(t, all[:3]))
	in, out := io.Pipe()
	loaded := make(chan error, 1)
	go func() {
		_, err := Load(context.Background(), s, in, LoadOptions{Decode: ingest.DefaultConfig()})
		loaded <- err
	}()
	if _, err := out.Write(submissionLines(t, all[3:])); err != nil { // it has begun once it reads
		t.Fatal(err)
	}
	askToForget(t, s, "a", time.Now(), clientOf(1), clientOf(4))
	mustForget(t, s)
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-loaded; err != nil {
		t.Fatal(err)
	}
	if mentioned(t, s, clientOf(1)) != 0 || mentioned(t, s, clientOf(4)) != 1 {
		t.Fatal("the late load is not what the test wants")
	}
	if f := mustForget(t, s); f.Cycle == nil || f.Rows() != 1 {
		t.Errorf("the second removal did %+v", f.Cycle)
	}
	if mentioned(t, s, clientOf(4)) != 0 || mentioned(t, s, clientOf(5)) != 1 {
		t.Error("the late load's rows are not removed, or others are")
	}
	if late, err := lateLoads(context.Background(), s); err != nil || len(late) != 0 {
		t.Errorf("late after all: %v, %v", late, err)
	}
	if l := mustLoad(t, s, append(submissionLines(t, all), '\n')); l.Forgotten != 2 {
		t.Errorf("a load of all again kept out %d, want 2", l.Forgotten)
	}
}

// TestForgetRestored removes again what came back with an older state.
func TestForgetRestored(t *testing.T) {
	dir := t.TempDir()
	s, err := openLocal(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustLoad(t, s, submissionLines(t, fromClients(3)))
	backup := path.Join(t.TempDir(), "archive")
	if err := os.CopyFS(backup, os.DirFS(path.Join(dir, "archive"))); err != nil {
		t.Fatal(err)
	}
	askToForget(t, s, "a", time.Now(), clientOf(1))
	mustForget(t, s)
	for _, part := range []string{"pings", "errors", "loads", "index"} {
		if err := os.RemoveAll(path.Join(dir, "archive", part)); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(path.Join(dir, "archive", part), os.DirFS(path.Join(backup, part))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	if mentioned(t, s, clientOf(1)) != 1 {
		t.Fatal("the backup does not bring the client back")
	}
	o := forgetOptions()
	o.Recheck = true
	f, err := Forget(context.Background(), s, o)
	if err != nil || f.Rows() != 1 || f.Clients != 1 {
		t.Errorf("%+v, %v", f.Cycle, err)
	}
	if mentioned(t, s, clientOf(1)) != 0 || mentioned(t, s, clientOf(0)) != 1 {
		t.Error("the client is still there, or another is not")
	}
}

// TestForgetOldVersion removes rows from the location of another version.
func TestForgetOldVersion(t *testing.T) {
	s := memorySite(t, store.NewMemory())
	testPings(t, s.Archive, 5, 200)
	now := s.Tables
	old := *now[0]
	old.Version = "v3"
	s.Tables = append([]*schema.Table{&old}, now[1:]...)
	if _, err := Run(context.Background(), s, RunOptions{Tables: []string{"main_summary"}, Days: []string{testDay}, Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	s.Tables = now
	before, err := lake.Open(s.Roots[old.Root], &old).Partition(context.Background(), testDay)
	if err != nil {
		t.Fatal(err)
	}
	askToForget(t, s, "a", time.Now(), "client-3")
	f := mustForget(t, s)
	after, err := lake.Open(s.Roots[old.Root], &old).Partition(context.Background(), testDay)
	if err != nil {
		t.Fatal(err)
	}
	if after.Rows >= before.Rows || !slices.ContainsFunc(f.Changes, func(c forget.Change) bool { return c.Version == "v3" && c.Rows == before.Rows-after.Rows }) {
		t.Errorf("%d of %d rows are left: %+v", after.Rows, before.Rows, f.Changes)
	}
}
