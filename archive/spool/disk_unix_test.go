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

// readAcknowledged adds the lines that a child printed.
func readAcknowledged(t *testing.T, out *bufio.Scanner, acked map[string]int64) {
	t.Helper()
	for out.Scan() {
		id, ts, ok := strings.Cut(out.Text(), " ")
		n, err := strconv.ParseInt(ts, 10, 64)
		if !ok || err != nil {
			t.Fatalf("the child printed %q", out.Text())
		}
		acked[id] = n
	}
}

// checkAcknowledged checks that each is in the folder once; others may be.
func checkAcknowledged(t *testing.T, dir string, acked map[string]int64) {
	t.Helper()
	times := map[string]int{}
	for _, r := range contents(t, dir) {
		id := idOf(r)
		times[id]++
		if ts, ok := acked[id]; ok && ts != r.Timestamp {
			t.Errorf("record %s has %d, acknowledged with %d", id, r.Timestamp, ts)
		}
	}
	for id := range acked {
		if times[id] != 1 {
			t.Errorf("record %s is there %d times", id, times[id])
		}
	}
}

func TestKilled(t *testing.T) {
	dir := t.TempDir()
	acked := map[string]int64{}
	for round := range 20 {
		cmd := hand("append", dir, fmt.Sprint(round))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for range 1 + rand.IntN(400) { // a random moment: so many lines later
			if !lines.Scan() {
				t.Fatal("the child ended by itself")
			}
			id, ts, _ := strings.Cut(lines.Text(), " ")
			acked[id], _ = strconv.ParseInt(ts, 10, 64)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		readAcknowledged(t, lines, acked)
		_ = cmd.Wait()
	}
	open(t, dir, Options{})
	checkAcknowledged(t, dir, acked)
}

func TestWritesFail(t *testing.T) {
	dir := t.TempDir()
	cmd := hand("limited", dir, "x")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	acked := map[string]int64{}
	readAcknowledged(t, bufio.NewScanner(out), acked)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if len(acked) < 100 || len(acked) == 808 {
		t.Errorf("%d of 808 were acknowledged", len(acked))
	}
	all := contents(t, dir)
	if len(all) != len(acked) {
		t.Errorf("%d records are there, %d were acknowledged", len(all), len(acked))
	}
	checkAcknowledged(t, dir, acked)
}
