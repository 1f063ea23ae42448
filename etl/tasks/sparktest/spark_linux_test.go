package sparktest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/blob"
	"github.com/pingmill/pingmill/store/blob/blobtest"
)

var (
	program = flag.String("program", "", "the program that is given to Spark; without it nothing is tested")
	clients = flag.Int("clients", 150, "clients of the day")
)

const day = "20180301"

// fault is a fault of a job; the text is a shell script in the place of the program, in which $REAL is the program and $DIR a
// folder of the test's.
type fault struct {
	name, script string
	conf         []string
	during       func(t *testing.T, c *cluster, dir string) // while the job runs
	dies         bool                                       // the job, the first time
	again        bool                                       // some tasks are done more than once
}

const (
	// once does something at the first task only.
	once = `first() { mkdir "$DIR/first-$1" 2>/dev/null; }
echo "$1 $$" >> "$DIR/calls"
`
	// executor is the JVM above a task: its parents are Python's worker and the daemon of these.
	executor = `above() { ps -o ppid= -p "$1" | tr -d ' '; }
`
)

var faults = []fault{
	{name: "none", script: `exec "$REAL" "$@"`},
	{
		name: "executors killed", // with tasks that go on by themselves, beside the next try
		script: once + `if [ "$1" = task ]; then touch "$DIR/running"; cat > "$DIR/line.$$"; sleep 1; exec "$REAL" "$@" < "$DIR/line.$$"; fi
exec "$REAL" "$@"`,
		during: killExecutors, again: true,
	},
	{
		name: "tasks twice at once",
		script: once +
			`if [ "$1" = task ]; then cat > "$DIR/line.$$"; "$REAL" "$@" < "$DIR/line.$$" > "$DIR/out.$$" & "$REAL" "$@" < "$DIR/line.$$"; wait; exit; fi
exec "$REAL" "$@"`,
	},
	{
		name: "speculation",
		// The first task waits for its copy to begin, and ends when the day is published.
		script: once + `if [ "$1" = task ]; then
	cat > "$DIR/line.$$"; key=$(cksum < "$DIR/line.$$")
	if first slow; then
		trap '' TERM HUP INT; echo "$key" > "$DIR/key"; for i in $(seq 600); do [ -e "$DIR/copy" ] && break; sleep 0.2; done
		sleep 10; "$REAL" "$@" < "$DIR/line.$$"; echo late >> "$DIR/late"; exit
	fi
	[ "$key" != "$(cat "$DIR/key" 2>/dev/null)" ] || touch "$DIR/copy"
	exec "$REAL" "$@" < "$DIR/line.$$"
fi
exec "$REAL" "$@"`,
		conf: []string{"spark.speculation=true", "spark.speculation.quantile=0.2", "spark.speculation.multiplier=1.1",
			"spark.speculation.interval=50ms", "spark.speculation.minTaskRuntime=100ms"},
		again: true,
	},
	{
		name: "a worker vanishes after writing",
		script: once + executor + `if [ "$1" = task ] && first vanish; then "$REAL" "$@" > /dev/null; kill -9 $(above $(above $PPID)); exit 1; fi
exec "$REAL" "$@"`,
		again: true,
	},
	{
		name:   "the driver dies before the commit",
		script: once + `if [ "$1" = commit ] && first died; then kill -9 $PPID; exit 1; fi` + "\nexec \"$REAL\" \"$@\"",
		dies:   true,
	},
	{
		name: "the driver dies during the commit",
		script: once + `if [ "$1" = commit ] && first died; then "$REAL" "$@" & sleep 0.15; kill -9 $! $PPID; exit 1; fi` +
			"\nexec \"$REAL\" \"$@\"",
		dies: true,
	},
}

// TestSpark: under all faults of a job, its tables equal those of one machine, byte for byte.
func TestSpark(t *testing.T) {
	if *program == "" {
		t.Skip("make spark gives the program")
	}
	real, err := filepath.Abs(*program)
	require.NoError(t, err)
	alone := t.TempDir()
	pings := filepath.Join(t.TempDir(), "pings")
	call(t, real, "generate", "--clients", fmt.Sprint(*clients), "--days", "1", "--output", pings)
	call(t, real, "load", "--data", alone, pings)
	call(t, real, "run", "all", "--data", alone, "--date", day)
	want := contents(t, alone)
	blobtest.S3(t) // sets the credentials, which the workers take from here
	c := startCluster(t)
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			storage, data, dir := blobtest.S3(t), t.TempDir(), t.TempDir()
			call(t, real, "load", "--data", data, "--storage", storage, pings)
			fake := filepath.Join(dir, "pingmill")
			script := fmt.Sprintf("#!/bin/sh\nREAL=%s DIR=%s\n%s\n", real, dir, f.script)
			require.NoError(t, os.WriteFile(fake, []byte(script), 0o755))
			out, err := c.run(t, &f, fake, storage, dir)
			if f.dies != (err != nil) {
				t.Fatalf("%v: %s", err, out)
			}
			if f.dies {
				if out, err := c.run(t, &f, fake, storage, dir); err != nil {
					t.Fatalf("the second time: %v: %s", err, out)
				}
			}
			if f.name == "speculation" {
				waitFor(t, "end of the late task", func() bool { _, err := os.Stat(filepath.Join(dir, "late")); return err == nil })
			}
			output := call(t, real, "run", "all", "--data", data, "--storage", storage, "--date", day) // also tidies what late tasks have left
			require.Contains(t, output, "nothing to do")
			same(t, contents(t, storage), want)
			if calls, parts := tasksCalled(dir), strings.Count(string(out), "Finished task "); f.again && calls <= parts {
				t.Errorf("no task was done twice: %d processes for %d tasks of Spark", calls, parts)
			}
		})
	}
}

func (c *cluster) run(t *testing.T, f *fault, fake, storage, dir string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := c.submit(ctx, t, fake, storage, f.conf...)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	require.NoError(t, cmd.Start())
	if f.during != nil {
		f.during(t, c, dir)
	}
	err := cmd.Wait()
	return []byte(out.String()), err
}

// killExecutors kills executors twice while they do tasks.
func killExecutors(t *testing.T, c *cluster, dir string) {
	for i := range 2 {
		waitFor(t, "task", func() bool { _, err := os.Stat(filepath.Join(dir, "running")); return err == nil })
		for _, pid := range executors(c.workers[i]) {
			require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
		}
		require.NoError(t, os.Remove(filepath.Join(dir, "running")))
	}
}

// tasksCalled counts the processes that were started to do tasks.
func tasksCalled(dir string) (n int) {
	b, _ := os.ReadFile(filepath.Join(dir, "calls"))
	return strings.Count("\n"+string(b), "\ntask ")
}

func call(t *testing.T, program string, args ...string) string {
	t.Helper()
	out, err := exec.Command(program, args...).CombinedOutput()
	require.NoError(t, err, "pingmill %s: %s", args, out)
	return string(out)
}

// contents returns the hashes of all objects of the tables' roots.
func contents(t *testing.T, storage string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, root := range []string{"lake", "pipeline", "restricted"} {
		var b store.Bucket
		var err error
		if at, query, is := strings.Cut(storage, "?"); is {
			b, err = blob.Open(t.Context(), at+"/"+root+"?"+query, blob.Options{})
		} else {
			b, err = store.OpenLocal(filepath.Join(storage, root))
		}
		require.NoError(t, err)
		for e, err := range b.List(t.Context(), "") {
			require.NoError(t, err)
			if strings.HasPrefix(e.Name, "_") && !strings.HasPrefix(e.Name, "_staging/") {
				continue // not of the tables
			}
			text, err := store.ReadFile(t.Context(), b, e.Name)
			require.NoError(t, err)
			sum := sha256.Sum256(text)
			all[root+"/"+e.Name] = hex.EncodeToString(sum[:])
		}
	}
	return all
}

func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	if len(want) < 100 {
		t.Errorf("there are %d files to compare", len(want))
	}
	for name, sum := range want {
		if got[name] != sum {
			t.Errorf("%s: %q, want %q", name, got[name], sum)
		}
	}
	for name := range got {
		if want[name] == "" {
			t.Errorf("%s: should not be there", name)
		}
	}
}
