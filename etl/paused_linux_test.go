package etl

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/site/sitetest"
)

var pauses = flag.Int("pauses", 5, "steps at which TestPausedServer stops a server, of all that there are")

// sharedDir makes an installation that shares all but its own with others.
func sharedDir(t *testing.T, shared, dir string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for _, name := range []string{"archive", "lake", "pipeline", "restricted"} {
		require.NoError(t, os.Symlink(filepath.Join(shared, name), filepath.Join(dir, name)))
	}
	return dir
}

// startServer starts a server's run, which stops itself before an operation; 0: not.
func startServer(t *testing.T, dir string, pause int) (cmd *exec.Cmd, out *bytes.Buffer) {
	t.Helper()
	cmd, out = sitetest.Child(dir), &bytes.Buffer{}
	cmd.Env = append(cmd.Env, childServer+"="+filepath.Base(dir))
	if pause > 0 {
		cmd.Env = append(cmd.Env, childPause+"="+strconv.Itoa(pause))
	}
	cmd.Stdout, cmd.Stderr = out, out
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, out
}

// waitStopped waits until a process has stopped itself, or has ended.
func waitStopped(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	sitetest.WaitFor(t, "the server has stopped or ended", func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
		_, state, _ := strings.Cut(string(stat), ") ")
		return err != nil || state[0] == 'T' || state[0] == 'Z'
	})
}

// TestPausedServer stops a server at steps of its run, until another has taken its day over and published it; then it
// goes on. Each ends with an error or leaves a right state: one whole generation, which a next run brings to what an
// undisturbed one makes.
func TestPausedServer(t *testing.T) {
	base := t.TempDir()
	fresh, replaced := filepath.Join(base, "fresh"), filepath.Join(base, "replaced")
	for _, dir := range []string{fresh, replaced} {
		s, err := sitetest.Open(dir)
		require.NoError(t, err)
		sitetest.Pings(t, s.Archive, 7, 200)
		if dir == replaced {
			mustRun(t, s, RunOptions{Tables: []string{pausedTable}})
			sitetest.Pings(t, s.Archive, 8, 200)
		}
		s.Close()
	}
	failed, right := 0, 0
	for _, prepared := range []string{fresh, replaced} {
		reference := prepared + "-reference"
		sitetest.CopyTree(t, prepared, reference)
		cmd, out := startServer(t, sharedDir(t, reference, filepath.Join(reference, "one")), 0)
		if err := cmd.Wait(); err != nil {
			t.Fatalf("undisturbed: %v: %s", err, out)
		}
		steps, err := strconv.Atoi(strings.TrimSpace(out.String()))
		if err != nil || steps < 15 {
			t.Fatalf("undisturbed: %s", out)
		}
		want := publishedFiles(t, reference)
		n := min(steps, (*pauses+1)/2)
		for i := range n {
			step := steps - i*steps/n // the last ones, which publish, for sure
			dir := filepath.Join(base, "shared")
			sitetest.CopyTree(t, prepared, dir)
			if pauseServer(t, dir, step, want) {
				failed++
			} else {
				right++
			}
			require.NoError(t, os.RemoveAll(dir))
		}
	}
	t.Logf("%d servers stopped: %d said that they had lost the day, %d had done it", failed+right, failed, right)
}

// pauseServer stops one server at a step while another makes the day, and reports whether it failed then.
func pauseServer(t *testing.T, dir string, step int, want map[string]string) (failed bool) {
	t.Helper()
	one, two := sharedDir(t, dir, filepath.Join(dir, "one")), sharedDir(t, dir, filepath.Join(dir, "two"))
	paused, output := startServer(t, one, step)
	waitStopped(t, paused)
	other, out := startServer(t, two, 0)
	if err := other.Wait(); err != nil {
		t.Fatalf("stopped at %d: the other server: %v: %s", step, err, out)
	}
	wholeGeneration(t, dir)
	require.NoError(t, paused.Process.Signal(syscall.SIGCONT))
	if err := paused.Wait(); err != nil {
		if failed = true; !strings.Contains(output.String(), "lease") && !strings.Contains(output.String(), "another server") {
			t.Errorf("stopped at %d: it says %s", step, output)
		}
	}
	wholeGeneration(t, dir)
	again, out := startServer(t, one, 0)
	if err := again.Wait(); err != nil {
		t.Fatalf("stopped at %d: the next run: %v: %s", step, err, out)
	}
	wholeGeneration(t, dir)
	sitetest.SameContents(t, publishedFiles(t, dir), want)
	if t.Failed() {
		t.Fatalf("stopped at %d: it said %s", step, output)
	}
	return failed
}

// wholeGeneration checks that what is published is there, and nothing beside it.
func wholeGeneration(t *testing.T, dir string) {
	t.Helper()
	s, err := sitetest.Open(dir)
	require.NoError(t, err)
	defer s.Close()
	lt, err := s.Table(pausedTable)
	require.NoError(t, err)
	m, damage, err := lt.Look(t.Context(), sitetest.Day)
	if err != nil || m == nil || len(damage) > 0 {
		t.Fatalf("what is published: %+v, %v, %v", m, damage, err)
	}
	for _, f := range m.Files {
		if err := lt.Hash(t.Context(), m, f, nil); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	if lt.Paths(t.Context(), m)("x") == lt.Path(sitetest.Day, "x") {
		t.Error("nothing is kept for readers")
	}
}

// publishedFiles returns the content of an installation's lake as other engines see it, and of unfinished generations.
func publishedFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	s, err := sitetest.Open(dir)
	require.NoError(t, err)
	defer s.Close()
	all := sitetest.Contents(t, s)
	for name := range all {
		if strings.Contains(name, "/_generations/") || strings.Contains(name, "/_leases/") {
			delete(all, name)
		}
	}
	return all
}
