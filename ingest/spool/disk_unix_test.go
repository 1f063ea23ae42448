//go:build unix

package spool

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func init() {
	hands["append"] = appendForEver
	hands["limited"] = appendWithLimit
}

// acknowledge appends from several goroutines and prints the ids that were
// acknowledged, until stop says so of an error or a count.
func acknowledge(dir, prefix string, o Options, stop func(n int, err error) bool) error {
	o.Now = time.Now
	s, err := Open(dir, o)
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	for a := range 8 {
		wg.Go(func() {
			for i := 0; ; i++ {
				r := record(fmt.Sprintf("%s-%d-%d", prefix, a, i), 1+i*37%20000)
				err := s.Append(context.Background(), r)
				if err == nil {
					mu.Lock()
					fmt.Printf("%s %d\n", idOf(r), r.Timestamp) // one write: not cut by a kill
					mu.Unlock()
				}
				if stop(i, err) {
					return
				}
			}
		})
	}
	wg.Wait()
	return s.Close()
}

func appendForEver(args []string) error {
	o := Options{SegmentBytes: 512 << 10, SegmentAge: 20 * time.Millisecond}
	return acknowledge(args[0], args[1], o, func(int, error) bool { return false })
}

// appendWithLimit appends with a limit on the size of files, which makes writes
// in the middle of a segment fail.
func appendWithLimit(args []string) error {
	const limit = 200 << 10
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
		return err
	}
	return acknowledge(args[0], args[1], Options{SegmentBytes: 1 << 20}, func(n int, err error) bool {
		if err != nil && !errors.Is(err, unix.EFBIG) {
			fmt.Fprintln(os.Stderr, err)
			return true
		}
		return n == 100
	})
}

func hand(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "SPOOL_TEST_HAND="+name)
	cmd.Stderr = os.Stderr
	return cmd
}

// addAcknowledged adds the submission in a line of a child.
func addAcknowledged(t *testing.T, line string, acked map[string]int64) {
	t.Helper()
	id, ts, ok := strings.Cut(line, " ")
	n, err := strconv.ParseInt(ts, 10, 64)
	if !ok || err != nil {
		t.Fatalf("the child printed %q", line)
	}
	acked[id] = n
}

// killAfter runs a child that never ends, kills it at a random moment, after a number of lines, and yields every line
// that it printed.
func killAfter(t *testing.T, child *exec.Cmd, lines int, hear func(line string)) {
	t.Helper()
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	n := 0
	for scanner := bufio.NewScanner(out); scanner.Scan(); {
		hear(scanner.Text())
		if n++; n == lines {
			require.NoError(t, child.Process.Kill())
		}
	}
	if err := child.Wait(); err == nil || n < lines {
		t.Fatal("the child ended by itself")
	}
}

func TestKilled(t *testing.T) {
	dir := t.TempDir()
	acked := map[string]int64{}
	for round := range 20 {
		killAfter(t, hand("append", dir, fmt.Sprint(round)), 1+rand.IntN(400), func(line string) { addAcknowledged(t, line, acked) })
	}
	open(t, dir, Options{})
	checkAcknowledged(t, dir, acked)
}

func TestWritesFail(t *testing.T) {
	dir := t.TempDir()
	cmd := hand("limited", dir, "x")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	acked := map[string]int64{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		addAcknowledged(t, lines.Text(), acked)
	}
	require.NoError(t, cmd.Wait())
	if len(acked) < 100 || len(acked) == 808 {
		t.Errorf("%d of 808 were acknowledged", len(acked))
	}
	all := contents(t, dir)
	if len(all) != len(acked) {
		t.Errorf("%d records are there, %d were acknowledged", len(all), len(acked))
	}
	checkAcknowledged(t, dir, acked)
}
