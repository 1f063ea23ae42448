package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/tools/clienttest"
)

// blocked is a way in which a command waits for somebody.
type blocked struct {
	name  string
	input string // what comes on standard input before nothing does
	args  []string
	wait  func(t *testing.T, c *child) // until it waits
}

// child is a command that runs.
type child struct {
	*exec.Cmd

	dir    string
	in     *os.File // our end of its standard input
	out    *os.File // of its standard output
	errors bytes.Buffer
}

// TestSignals: whatever a command waits for, a signal ends it with the status
// that shells give, and nothing half-written stays.
func TestSignals(t *testing.T) {
	t.Parallel()
	data := loadedData(t, "--clients", "20", "--days", "1")
	mustCall(t, "run", "main_summary", "--data", data, "--date", "20180301")
	const large = "SELECT i, repeat('x', 1000) FROM range(1000000) t(i)"
	cases := []blocked{
		{"query from standard input", "SELECT 1\n", []string{"query", "--data", data, "-"}, readAll},
		{"query into a pipe", "", []string{"query", "--data", data, "--dialect", "duckdb", "--format", "csv", large}, firstOutput},
		{"query into a named pipe that nobody opens", "", []string{"query", "--data", data, "--output", "pipe", "SELECT 1"}, awhile},
		{"query into a file", "", []string{"query", "--data", data, "--dialect", "duckdb", "--format", "csv", "--output", "file",
			"SELECT count(*) FROM range(10000000) a, range(10000000) b"}, awhile},
		{"load from standard input", `{"meta":{},"ping":{}}` + "\n", []string{"load", "--data", data, "-"}, readAll},
		{"load from a named pipe that nobody opens", "", []string{"load", "--data", data, "pipe"}, awhile},
		{"load from a named pipe that nobody writes", "", []string{"load", "--data", data, "pipe"}, openPipe(os.O_RDWR)},
		{"decode", "{}\n", []string{"decode"}, readAll},
		{"transform", `{"meta":{},"ping":{}}` + "\n", []string{"transform", "main_summary"}, readAll},
		{"transform of rows", "{}\n", []string{"transform", "addons"}, readAll},
		{"delete with standard input", "some-client-id\n", []string{"delete", "--data", data, "--file", "-"}, readAll},
		{"delete with a named pipe", "", []string{"delete", "--data", data, "--file", "pipe"}, awhile},
		{"generate into a pipe", "", []string{"generate", "--clients", "100000"}, firstOutput},
		{"generate into a file", "", []string{"generate", "--clients", "1000000", "--output", "file"}, awhile},
		{"generate into a named pipe that nobody opens", "", []string{"generate", "--output", "pipe"}, awhile},
		{"generate into a named pipe that nobody reads", "", []string{"generate", "--clients", "100000", "--output", "pipe"},
			openPipe(os.O_RDWR)},
	}
	before := names(t, data)
	for _, c := range cases {
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(c.name+"/"+signal.String(), func(t *testing.T) {
				t.Parallel()
				p := startBlocked(t, &c)
				require.NoError(t, p.Process.Signal(signal))
				_ = p.Wait() // the status says it
				if got, want := p.ProcessState.ExitCode(), 128+int(signal); got != want {
					t.Errorf("%v, want exit status %d; it says %s", p.ProcessState, want, p.errors.String())
				}
				if prints := p.errors.String(); strings.Count(prints, "\n") != 1 || !strings.Contains(prints, (cli.Signalled{Signal: signal}).Error()) {
					t.Errorf("it says %q", prints)
				}
				if left := names(t, p.dir); !slices.Equal(left, []string{"pipe"}) {
					t.Errorf("there are %v", left)
				}
			})
		}
	}
	t.Cleanup(func() {
		if after := names(t, data); !slices.Equal(before, after) {
			t.Errorf("there were %v, there are %v", before, after)
		}
		if out := mustCall(t, "delete", "--data", data, "--status"); !strings.Contains(out, "0 clients") {
			t.Errorf("half a list counts: %s", out)
		}
	})
}

// startBlocked starts a command and returns once it waits.
func startBlocked(t *testing.T, b *blocked) *child {
	t.Helper()
	c := &child{Cmd: program(t, b.args...), dir: t.TempDir()}
	require.NoError(t, syscall.Mkfifo(filepath.Join(c.dir, "pipe"), 0o600))
	in, input, err := os.Pipe()
	require.NoError(t, err)
	output, out, err := os.Pipe()
	require.NoError(t, err)
	c.Dir, c.in, c.out = c.dir, input, output
	c.Stdin, c.Stdout, c.Stderr = in, out, &c.errors
	require.NoError(t, c.Start())
	watchdog := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() })
	t.Cleanup(func() {
		watchdog.Stop()
		_ = errors.Join(input.Close(), output.Close())
	})
	if _, err := io.WriteString(input, b.input); err != nil {
		t.Fatal(err)
	}
	b.wait(t, c)
	require.NoError(t, errors.Join(in.Close(), out.Close()))
	return c
}

// readAll waits until the command has read its standard input.
func readAll(t *testing.T, c *child) {
	for {
		n, err := unix.IoctlGetInt(int(c.in.Fd()), unix.TIOCINQ)
		require.NoError(t, err)
		if n == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// firstOutput waits for the first byte of the command's output; it will soon
// wait for room for the others.
func firstOutput(t *testing.T, c *child) {
	if _, err := c.out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
}

// openPipe opens the other end of the named pipe, and leaves it at that.
func openPipe(flag int) func(*testing.T, *child) {
	return func(t *testing.T, c *child) {
		f, err := os.OpenFile(filepath.Join(c.dir, "pipe"), flag, 0)
		require.NoError(t, err)
		t.Cleanup(func() { _ = f.Close() })
		awhile(t, c)
	}
}

// awhile waits until the command sleeps, or works on what takes for ever.
func awhile(t *testing.T, c *child) {
	for before := -1; ; {
		time.Sleep(200 * time.Millisecond)
		used, asleep := c.used(t)
		if asleep && used == before || slices.Contains(c.Args, "file") && used > 50 {
			return
		}
		before = used
	}
}

// used returns the processor time of the command so far, in ticks, and whether all of its threads sleep.
func (c *child) used(t *testing.T) (ticks int, asleep bool) {
	t.Helper()
	stats, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", c.Process.Pid))
	require.NoError(t, err)
	asleep = len(stats) > 0
	for _, name := range stats {
		b, err := os.ReadFile(name)
		if err != nil { // it has ended
			return ticks, false
		}
		_, b, _ = bytes.Cut(b, []byte(") ")) // the name of the program
		f := strings.Fields(string(b))
		user, err := strconv.Atoi(f[11])
		require.NoError(t, err)
		system, err := strconv.Atoi(f[12])
		require.NoError(t, err)
		ticks += user + system
		asleep = asleep && f[0] == "S"
	}
	return ticks, asleep
}

// names returns the files and folders in a folder, at any depth, without those of locks and of the ledger in use.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if rel, _ := filepath.Rel(dir, path); err == nil && rel != "." && !strings.HasPrefix(rel, "tmp") &&
			!strings.HasPrefix(rel, "ledger.db-") {
			all = append(all, rel)
		}
		return err
	})
	require.NoError(t, err)
	return all
}

// TestSecondSignal: a service that waits for a client to send the rest of a
// request ends at the second signal.
func TestSecondSignal(t *testing.T) {
	t.Parallel()
	address := clienttest.FreeAddress(t)
	cmd := program(t, "serve", "--data", t.TempDir(), "--listen", address, "--private", clienttest.FreeAddress(t), "--min-free", "0")
	log, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(log)
	await := func(text string) {
		for lines.Scan() {
			if strings.Contains(lines.Text(), text) {
				return
			}
		}
		t.Fatalf("it ended without %s", text)
	}
	await(`"serving"`)
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer conn.Close()
	if _, err := io.WriteString(conn,
		"POST /submit/telemetry/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(make([]byte, 1)); err != nil { // it reads the request
		t.Fatal(err)
	}
	for _, awaited := range []string{`"ending`, ""} {
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		if awaited != "" {
			await(awaited)
		}
	}
	_, _ = io.Copy(io.Discard, log)
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 143 {
		t.Errorf("%v", err)
	}
}
