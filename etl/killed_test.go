package etl

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/site"
)

var kills = flag.Int("kills", 4, "runs to kill in TestKilledRuns")

// childDir, when set, makes the test binary a run on the installation there.
const childDir = "PINGMILL_TEST_RUN"

// childDays, when set, are the first and the last day of that run, which then
// makes the tables of childTables with what they need, and writes a line for each
// task that ended.
const (
	childDays   = "PINGMILL_TEST_RUN_DAYS"
	childTables = "PINGMILL_TEST_RUN_TABLES"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
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
	s, err := openLocal(dir)
	if err != nil {
		return err
	}
	defer s.Close()
	if os.Getenv(childRetain) != "" {
		return retainInChild(s)
	}
	if name := os.Getenv(childServer); name != "" {
		return childServe(s, name)
	}
	o := RunOptions{Tables: allTables, Days: []string{testDay}, Now: time.Now}
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

func openLocal(dir string) (*site.Site, error) {
	p, err := loadProbes()
	if err != nil {
		return nil, err
	}
	return site.Open(context.Background(), dir, p)
}

// TestKilledRuns kills runs at random moments. After the last one the same
// command ends with the bytes of an undisturbed run.
func TestKilledRuns(t *testing.T) {
	base := t.TempDir()
	want := undisturbed(t, filepath.Join(base, "reference"))
	killed := 0
	for round := 0; killed < *kills; round++ {
		dir := filepath.Join(base, fmt.Sprint("site", round))
		s, err := openLocal(dir)
		if err != nil {
			t.Fatal(err)
		}
		testPings(t, s.Archive, 7, 600)
		s.Close()
		for range 10 { // several kills on the way to the same end
			ended, err := runAndKill(dir, want.took)
			if err != nil {
				t.Fatal(err)
			}
			if ended {
				break
			}
			killed++
		}
		finish(t, dir, want.contents)
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d runs killed", killed)
}

type reference struct {
	contents map[string]string
	took     time.Duration
}

// undisturbed makes the tables in one run and says how long it took.
func undisturbed(t *testing.T, dir string) reference {
	t.Helper()
	s, err := openLocal(dir)
	if err != nil {
		t.Fatal(err)
	}
	testPings(t, s.Archive, 7, 600)
	s.Close()
	start := time.Now()
	if out, err := child(dir).CombinedOutput(); err != nil {
		t.Fatalf("undisturbed run: %v: %s", err, out)
	}
	took := time.Since(start)
	if s, err = openLocal(dir); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	return reference{contents(t, s), took}
}

func child(dir string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childDir+"="+dir)
	return cmd
}

// runAndKill starts a run and kills it at a random moment of its usual time.
// It says true when the run had ended by itself.
func runAndKill(dir string, usual time.Duration) (ended bool, err error) {
	return killSoon(child(dir), usual)
}

// killSoon starts a process and kills it like that.
func killSoon(cmd *exec.Cmd, usual time.Duration) (ended bool, err error) {
	if err := cmd.Start(); err != nil {
		return false, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		return true, err
	case <-time.After(rand.N(usual)):
	}
	if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return false, err
	}
	err = <-done
	return err == nil, nil
}

// finish runs once more, undisturbed, and compares.
func finish(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	if out, err := child(dir).CombinedOutput(); err != nil {
		t.Fatalf("last run: %v: %s", err, out)
	}
	s, err := openLocal(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	sameContents(t, contents(t, s), want)
	r, err := Run(context.Background(), s, RunOptions{Tables: allTables, Days: []string{testDay}, Now: time.Now})
	if err != nil || !r.Unchanged() {
		t.Errorf("after the last run: %v, %v", r, err)
	}
	failures, err := s.Ledger.Failures(context.Background(), job.Filter{})
	if err != nil || len(failures) > 0 {
		t.Errorf("the ledger still has failures: %v, %v", failures, err)
	}
}
