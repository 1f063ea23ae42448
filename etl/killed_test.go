package etl

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/site/sitetest"
)

// childDays, when set, are the first and the last day of that run, which then
// makes the tables of childTables with what they need, and writes a line for each
// task that ended.
const (
	childDays   = "PINGMILL_TEST_RUN_DAYS"
	childTables = "PINGMILL_TEST_RUN_TABLES"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(sitetest.ChildDir); dir != "" {
		if err := childRun(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// childRun makes all tables of the installation in dir.
func childRun(dir string) error {
	s, err := sitetest.Open(dir)
	if err != nil {
		return err
	}
	defer s.Close()
	if name := os.Getenv(childServer); name != "" {
		return childServe(s, name)
	}
	o := RunOptions{Tables: sitetest.AllTables, Days: []string{sitetest.Day}, Now: time.Now}
	if from, to, ok := strings.Cut(os.Getenv(childDays), "-"); ok {
		o.Tables = strings.Split(os.Getenv(childTables), ",")
		if o.Days, err = job.DayRange(from, to); err != nil {
			return err
		}
		o.Progress = func(e job.Event) {
			if e.Kind == job.TaskEnded {
				fmt.Println(e.Task)
			}
		}
	}
	_, err = Run(context.Background(), s, o)
	return err
}

// TestKilledRuns kills runs at random moments. After the last one the same
// command ends with the bytes of an undisturbed run.
func TestKilledRuns(t *testing.T) {
	base := t.TempDir()
	want := undisturbed(t, filepath.Join(base, "reference"))
	killed := 0
	for round := 0; killed < *sitetest.Kills; round++ {
		dir := filepath.Join(base, fmt.Sprint("site", round))
		s, err := sitetest.Open(dir)
		require.NoError(t, err)
		sitetest.Pings(t, s.Archive, 7, 600)
		s.Close()
		for range 10 { // several kills on the way to the same end
			ended, err := runAndKill(dir, want.took)
			require.NoError(t, err)
			if ended {
				break
			}
			killed++
		}
		finish(t, dir, want.contents)
		require.NoError(t, os.RemoveAll(dir))
	}
	t.Logf("%d runs killed", killed)
}

type reference struct {
	contents map[string]string
	took     time.Duration
}

// undisturbed makes the tables in one run and returns its duration.
func undisturbed(t *testing.T, dir string) reference {
	t.Helper()
	s, err := sitetest.Open(dir)
	require.NoError(t, err)
	sitetest.Pings(t, s.Archive, 7, 600)
	s.Close()
	start := time.Now()
	if out, err := sitetest.Child(dir).CombinedOutput(); err != nil {
		t.Fatalf("undisturbed run: %v: %s", err, out)
	}
	took := time.Since(start)
	if s, err = sitetest.Open(dir); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	return reference{sitetest.Contents(t, s), took}
}

// runAndKill starts a run and kills it at a random moment of its usual time.
// It says true when the run had ended by itself.
func runAndKill(dir string, usual time.Duration) (ended bool, err error) {
	return sitetest.KillSoon(sitetest.Child(dir), usual)
}

// finish runs once more, undisturbed, and compares.
func finish(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	if out, err := sitetest.Child(dir).CombinedOutput(); err != nil {
		t.Fatalf("last run: %v: %s", err, out)
	}
	s, err := sitetest.Open(dir)
	require.NoError(t, err)
	defer s.Close()
	sitetest.SameContents(t, sitetest.Contents(t, s), want)
	r, err := Run(context.Background(), s, RunOptions{Tables: sitetest.AllTables, Days: []string{sitetest.Day}, Now: time.Now})
	if err != nil || !r.Unchanged() {
		t.Errorf("after the last run: %v, %v", r, err)
	}
	failures, err := s.Ledger.Failures(context.Background(), job.Filter{})
	if err != nil || len(failures) > 0 {
		t.Errorf("the ledger still has failures: %v, %v", failures, err)
	}
}
