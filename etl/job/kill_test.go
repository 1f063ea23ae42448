package job_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
)

// The test binary is also the process that is killed: with this variable set it runs the pipeline in the folder
// that it names.
const childVariable = "PINGMILL_JOB_TEST_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		if err := child(dir, os.Getenv(childVariable+"_FORCE") != "", os.Getenv(childVariable+"_HOLD") != ""); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func pid() int { return os.Getpid() }

var killDays = []string{"20180101", "20180102", "20180103"}

// child runs everything and writes a line at each stage. With hold it stops in the first task until it is killed.
func child(dir string, force, hold bool) error {
	g, err := job.New(theGraph)
	if err != nil {
		return err
	}
	db, err := openDB(filepath.Join(dir, "ledger.db"))
	if err != nil {
		return err
	}
	l, err := job.OpenLedger(context.Background(), db)
	if err != nil {
		return err
	}
	units, err := g.Units(g.Order(), killDays)
	if err != nil {
		return err
	}
	f := newFiles(dir, g)
	f.before = func(_ context.Context, stage string, u job.Unit, t job.Task) error {
		_, err := fmt.Println(stage, u, t)
		if hold && stage == "do" {
			_, err = io.Copy(io.Discard, os.Stdin)
		}
		return err
	}
	report, err := job.Run(context.Background(), g, units, f, l, job.Options{Workers: 3, Force: force, Now: clock()})
	fmt.Println(report)
	return err
}

// process starts a child and gives its output.
func process(t *testing.T, dir string, variables ...string) (cmd *exec.Cmd, lines *bufio.Scanner) {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd = exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), childVariable+"="+dir, "GORACE=atexit_sleep_ms=0")
	cmd.Env = append(cmd.Env, variables...)
	cmd.Stderr = os.Stderr
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	return cmd, bufio.NewScanner(out)
}

// killAfter kills a child with SIGKILL once it has written a number of lines; killed is false if it was done before.
func killAfter(t *testing.T, dir string, lines int, variables ...string) (killed bool) {
	t.Helper()
	cmd, out := process(t, dir, variables...)
	for lines > 0 && out.Scan() {
		lines--
	}
	_ = cmd.Process.Kill()
	for out.Scan() { // what it had written; Wait must come after reading
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != -1) {
		t.Fatalf("the child failed by itself: %v", err)
	}
	return err != nil
}

// TestKilled kills runs at random moments until one gets through, several times over, also while forcing: the
// files equal those of an undisturbed run, no recorded unit ran twice, and the ledger is closed.
func TestKilled(t *testing.T) {
	undisturbed, l0, units := setup(t, killDays...)
	mustRun(t, undisturbed, l0, units, options())
	want := tables(t, undisturbed.dir)

	random := rand.New(rand.NewPCG(1, 2))
	kills := 0
	for range 8 {
		dir := t.TempDir()
		writeSources(t, dir, killDays...)
		for killAfter(t, dir, 1+random.IntN(60)) {
			kills++
		}
		l, db := openLedger(t, dir)
		f := newFiles(dir, newGraph(t))
		if report := mustRun(t, f, l, units, options()); len(f.did) != 0 {
			t.Errorf("after the last kill: %s", report)
		}
		if !maps.Equal(tables(t, dir), want) {
			t.Error("other bytes")
		}
		if twice := doneTwice(t, l); twice != nil {
			t.Errorf("done twice: %v", twice)
		}
		checkClosed(t, l, len(units))

		var runs, lost int
		if err := db.QueryRowContext(t.Context(), `SELECT count(*), count(*) FILTER (WHERE outcome = 'lost') FROM runs`).Scan(&runs,
			&lost); err != nil || lost > runs-2 {
			t.Errorf("%d of %d runs lost, %v", lost, runs, err)
		}

		for killAfter(t, dir, 1+random.IntN(60), childVariable+"_FORCE=1") {
			kills++
		}
		if !maps.Equal(tables(t, dir), want) {
			t.Error("other bytes after forcing")
		}
		if wrong := doneOften(t, db); wrong != "" {
			t.Error(wrong)
		}
	}
	if kills < 16 {
		t.Errorf("only %d kills", kills)
	}
}

// doneOften finds a task that was done more often than once at first and once for each forced run, continued runs
// counted as one. A kill between publishing and recording allows once more: the published files may be from before the
// force.
func doneOften(t *testing.T, db *sql.DB) string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `
		SELECT table_name, day, lo, count(*), (SELECT count(*) FROM units u JOIN runs r ON r.id = u.run
			WHERE u.table_name = a.table_name AND u.day = a.day AND u.outcome = 'lost' AND r.force),
			(SELECT count(DISTINCT since) FROM runs WHERE force)
		FROM attempts a WHERE outcome = 'done' GROUP BY table_name, day, lo`)
	require.NoError(t, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var table, day string
		var lo, done, lost, forced int
		require.NoError(t, rows.Scan(&table, &day, &lo, &done, &lost, &forced))
		if done < 1+forced || done > 1+forced+lost {
			return fmt.Sprintf("%s %s sample %d was done %d times, in %d forced runs with %d attempts lost", table, day, lo, done, forced, lost)
		}
	}
	require.NoError(t, rows.Err())
	return ""
}

// TestOtherProcessRuns: while another process runs a second is refused; once that is killed the ledger is free
// at once, and what it left behind is marked lost.
func TestOtherProcessRuns(t *testing.T) {
	f, l, units := setup(t, killDays...)
	cmd, out := process(t, f.dir, childVariable+"_HOLD=1")
	for out.Scan() && !strings.HasPrefix(out.Text(), "do ") {
	}
	_, err := job.Run(t.Context(), f.graph, units, f, l, options())
	if !errors.Is(err, job.ErrInUse) || !strings.Contains(err.Error(), fmt.Sprintf(": process %d on ", cmd.Process.Pid)) {
		t.Errorf("while process %d runs: %v", cmd.Process.Pid, err)
	}
	_ = cmd.Process.Kill()
	for out.Scan() {
	}
	_ = cmd.Wait()

	without := []job.Unit{{Table: "main_summary", Day: "20180109"}} // has no input: this run only cleans up
	mustRun(t, f, l, without, options())
	attempts, err := l.Attempts(t.Context(), job.Filter{})
	if err != nil || len(attempts) == 0 {
		t.Fatalf("attempts %+v, %v", attempts, err)
	}
	for _, a := range attempts {
		if a.Outcome != job.Lost || a.Ended.IsZero() {
			t.Errorf("attempt %+v", a)
		}
	}
	failures, err := l.Failures(t.Context(), job.Filter{})
	if err != nil || len(failures) == 0 {
		t.Errorf("%d failures, %v", len(failures), err)
	}
	for _, u := range failures {
		if u.Outcome != job.Lost || u.Ended.IsZero() {
			t.Errorf("%s is %s", u.Unit, u.Outcome)
		}
	}
	mustRun(t, f, l, units, options())
	checkClosed(t, l, len(units))
}
