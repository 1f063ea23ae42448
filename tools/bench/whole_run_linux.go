package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/tools/generate"
)

// wholeRun is one way of the pings of a day through the program.
type wholeRun struct {
	program, sender string // releases
	cores           int
	size            int64 // bytes of JSON, about
	dir             string

	steps   []wholeStep
	pings   int64 // submissions that were acknowledged
	json    int64 // bytes
	archive int64 // bytes
}

// wholeStep holds the resources that a process and its children used.
type wholeStep struct {
	name      string
	cpu, wall float64 // seconds
	peak      float64 // bytes
}

func (r *wholeRun) micros(cpu float64) float64 { return cpu * 1e6 / float64(r.pings) }

func (r *wholeRun) sum(value func(*wholeStep) float64) (all float64) {
	for i := range r.steps {
		all += value(&r.steps[i])
	}
	return all
}

func (r *wholeRun) cpu() float64  { return r.sum(func(s *wholeStep) float64 { return s.cpu }) }
func (r *wholeRun) wall() float64 { return r.sum(func(s *wholeStep) float64 { return s.wall }) }

func (r *wholeRun) peak() (most float64) {
	for i := range r.steps {
		most = max(most, r.steps[i].peak)
	}
	return most
}

// jobTables are the tables that jobs make, in the order of their inputs.
var jobTables = []string{"main_summary", "addons", "clients_daily", "search_clients_daily", "search_aggregates", "crash_summary"}

// all runs the steps, and removes what they made.
func (r *wholeRun) all(ctx context.Context) error {
	if err := os.RemoveAll(r.dir); err != nil {
		return fmt.Errorf("clear the installation: %w", err)
	}
	defer os.RemoveAll(r.dir)
	if err := r.edge(ctx); err != nil {
		return err
	}
	if err := r.decode(ctx); err != nil {
		return err
	}
	for _, t := range jobTables {
		if err := r.step(ctx, t, nil, "run", t, "--date", "today", "--workers", strconv.Itoa(r.cores)); err != nil {
			return err
		}
	}
	var err error
	r.archive, err = treeBytes(filepath.Join(r.dir, "archive"))
	return err
}

// edge takes the submissions of a day from a process of clients.
func (r *wholeRun) edge(ctx context.Context) error {
	public, private, err := twoAddresses()
	if err != nil {
		return err
	}
	const perClient = 95_000 // bytes of JSON a day
	clients := max(100, r.size/perClient)
	if r.json, err = documents(clients); err != nil {
		return err
	}
	return r.step(ctx, "edge", func() error {
		if err := awaitPage(ctx, "http://"+public+"/__lbheartbeat__"); err != nil {
			return err
		}
		send := exec.CommandContext(ctx, r.sender, "generate", "--to", "http://"+public, "--days", "1", "--damaged", "-1", "--duplicates", "-1",
			"--clients", strconv.FormatInt(clients, 10))
		out, err := send.CombinedOutput()
		if err != nil {
			return fmt.Errorf("send: %w: %s", err, out)
		}
		r.pings, err = acknowledged(out)
		return err
	}, "serve", "--only", "edge", "--listen", public, "--private", private)
}

// decode empties the spool. Rows of today that queries see before midnight are left out: an earlier program has none,
// and the jobs make them again.
func (r *wholeRun) decode(ctx context.Context) error {
	_, private, err := twoAddresses()
	if err != nil {
		return err
	}
	args := []string{"serve", "--only", "decode", "--private", private}
	if r.program == r.sender {
		args = append(args, "--live", "")
	}
	return r.step(ctx, "decode", func() error {
		for {
			left, err := filepath.Glob(filepath.Join(r.dir, "spool", "*.seg"))
			if err != nil || len(left) == 0 {
				return err
			}
			if err := clock.Wait(ctx, 50*time.Millisecond); err != nil {
				return err
			}
		}
	}, args...)
}

// step runs a process to its end, or as long as something else works with it and then stops it.
func (r *wholeRun) step(ctx context.Context, name string, beside func() error, args ...string) error {
	cmd := exec.CommandContext(ctx, r.program, append(args, "--data", r.dir)...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(r.cores))
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	peak := watchPeak(cmd.Process.Pid)
	var failed error
	if beside != nil {
		failed = beside()
		failed = errors.Join(failed, cmd.Process.Signal(syscall.SIGTERM))
	}
	err := errors.Join(failed, cmd.Wait())
	most := peak()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, log.Bytes()[max(0, log.Len()-2000):])
	}
	s := cmd.ProcessState
	one := wholeStep{name: name, cpu: (s.UserTime() + s.SystemTime()).Seconds(), wall: time.Since(start).Seconds(), peak: most}
	r.steps = append(r.steps, one)
	fmt.Fprintf(os.Stderr, "%-10s %d cores %-22s %7.2f s cpu %7.2f s wall %5.0f MB\n", filepath.Base(r.program), r.cores, name, one.cpu,
		one.wall, one.peak/1e6)
	return nil
}

// watchPeak looks at a process until the result is asked for: the most memory that it has held, in bytes. What the
// system says of an ended process counts what its parent held.
func watchPeak(pid int) func() float64 {
	stop, most := make(chan struct{}), make(chan float64)
	go func() {
		top := 0.0
		for {
			top = max(top, float64(peakOf(strconv.Itoa(pid)))) // 0 once it has ended
			select {
			case <-stop:
				most <- top
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return func() float64 { close(stop); return <-most }
}

var sent = regexp.MustCompile(`: ([\d,]+) acknowledged, 0 refused, 0 given up`)

// acknowledged parses the number of submissions in the sender's output.
func acknowledged(out []byte) (int64, error) {
	m := sent.FindSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("not all was acknowledged: %s", out)
	}
	return strconv.ParseInt(strings.ReplaceAll(string(m[1]), ",", ""), 10, 64)
}

// documents returns the bytes of JSON in the submissions of a number of clients.
func documents(clients int64) (n int64, err error) {
	g, err := generate.New(generate.Config{Seed: 1, Clients: int(clients), Days: 1, Damaged: -1, Duplicates: -1})
	if err != nil {
		return 0, err
	}
	for s := range g.Submissions() {
		n += int64(len(s.Document))
	}
	return n, nil
}

// twoAddresses returns free at the moment.
func twoAddresses() (public, private string, err error) {
	a, err1 := net.Listen("tcp", "127.0.0.1:0")
	b, err2 := net.Listen("tcp", "127.0.0.1:0")
	if err := errors.Join(err1, err2); err != nil {
		return "", "", err
	}
	return a.Addr().String(), b.Addr().String(), errors.Join(a.Close(), b.Close())
}

func awaitPage(ctx context.Context, url string) error {
	for range 600 {
		if r, err := http.Get(url); err == nil {
			return r.Body.Close()
		}
		if err := clock.Wait(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s does not answer", url)
}

// treeBytes returns the bytes of all files in a folder.
func treeBytes(dir string) (n int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
	return n, err
}
