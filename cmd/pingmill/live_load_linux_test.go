package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/pingmill/pingmill/tools/generate"
)

// The cores of a machine with two: on the first are the server and its clients, on the other the job. Queries are on
// both.
const (
	edgeCore = 0
	daysCore = 1
	anyCore  = -1
)

// allCores is the processor set at the start of the test.
var allCores = func() (set unix.CPUSet) {
	_ = unix.SchedGetaffinity(0, &set) // Linux always says
	return set
}()

// cores returns a core of those that may be used, or all.
func cores(n int) (set unix.CPUSet) {
	if n == anyCore || allCores.Count() < 2 {
		return allCores
	}
	for i := range 1024 {
		if allCores.IsSet(i) {
			if n--; n < 0 {
				set.Set(i)
				break
			}
		}
	}
	return set
}

// startOn starts a command on a core.
func startOn(core int, cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return err
	}
	set := cores(core)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return err
	}
	err := cmd.Start() // it has the core of this thread
	return errors.Join(err, unix.SchedSetaffinity(0, &before))
}

// bind has the test run on a core until it ends.
func bind(t *testing.T, core int) {
	t.Helper()
	all := func(set unix.CPUSet) {
		threads, err := os.ReadDir("/proc/self/task")
		require.NoError(t, err)
		for _, e := range threads {
			id, err := strconv.Atoi(e.Name())
			require.NoError(t, err)
			if err := unix.SchedSetaffinity(id, &set); err != nil && !errors.Is(err, unix.ESRCH) {
				t.Error(err)
			}
		}
	}
	all(cores(core))
	t.Cleanup(func() { all(allCores) })
}

// liveLoad sends submissions to a server that were made before, again and again, each time with other document ids.
type liveLoad struct {
	to     string
	server *server
	all    []prepared
	sent   atomic.Int64 // that were acknowledged
	last   atomic.Int64 // request
	began  time.Time
	own    time.Duration // processor time of the test at the beginning
}

// prepared is a request: the document id is between the two parts of its head.
type prepared struct{ before, after, body []byte }

// distinctBodies is the number of submissions that are made before sending begins.
const distinctBodies = 4000

func newLiveLoad(t *testing.T) *liveLoad {
	t.Helper()
	l := &liveLoad{}
	size := 0
	for _, s := range submissions(t, distinctBodies, 60_000, "") {
		l.all = append(l.all, prepare(s))
		size += len(s.Body)
	}
	t.Logf("%d different submissions of %d bytes in the mean", len(l.all), size/len(l.all))
	return l
}

func prepare(s *generate.Submission) prepared {
	parts := strings.Split(string(s.URI), "/")
	var after bytes.Buffer
	fmt.Fprintf(&after, "/%s HTTP/1.1\r\nContent-Length: %d\r\n", strings.Join(parts[4:], "/"), len(s.Body))
	for _, h := range s.Headers {
		fmt.Fprintf(&after, "%s: %s\r\n", h.Name, h.Value)
	}
	after.WriteString("\r\n")
	return prepared{[]byte("POST " + strings.Join(parts[:3], "/") + "/"), after.Bytes(), s.Body}
}

// write writes the request with a document id of its own.
func (p *prepared) write(w *bufio.Writer) error {
	_, err1 := w.Write(p.before)
	_, err2 := fmt.Fprintf(w, "%08x-1111-4111-8111-%012x", rand.Uint32(), rand.Uint64()>>16)
	_, err3 := w.Write(p.after)
	_, err4 := w.Write(p.body)
	return errors.Join(err1, err2, err3, err4, w.Flush())
}

// connections limits the submissions in flight.
const connections = 32

// send sends submissions at the rate until the context ends. What could not be sent in time is sent as soon as it can be.
func (l *liveLoad) send(ctx context.Context) error {
	l.began, l.own = time.Now(), cpuOf("self")
	errs := make([]error, connections)
	var all sync.WaitGroup
	for i := range connections {
		all.Go(func() { errs[i] = l.connection(ctx) })
	}
	all.Wait()
	return errors.Join(errs...)
}

func (l *liveLoad) connection(ctx context.Context) error {
	c, err := net.Dial("tcp", l.to)
	if err != nil {
		return err
	}
	defer c.Close()
	w, r := bufio.NewWriterSize(c, 64<<10), bufio.NewReader(c)
	for {
		n := l.last.Add(1) - 1
		due := l.began.Add(time.Duration(float64(n) / *liveRate * float64(time.Second)))
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Until(due)):
		}
		if err := l.all[int(n)%len(l.all)].write(w); err != nil {
			return err
		}
		answer, err := http.ReadResponse(r, nil)
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, answer.Body); err != nil {
			return err
		}
		if answer.StatusCode != http.StatusOK {
			return fmt.Errorf("a submission was answered by %s", answer.Status)
		}
		l.sent.Add(1)
	}
}

// cpuOf returns the processor time of a process, 0 if it has ended.
func cpuOf(pid string) time.Duration {
	b, _ := os.ReadFile("/proc/" + pid + "/stat")
	_, rest, _ := strings.Cut(string(b), ") ")
	f := strings.Fields(rest)
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(f[11]) // the kernel writes numbers
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * time.Second / 100
}

func (s *server) cpu() time.Duration { return cpuOf(strconv.Itoa(s.cmd.Process.Pid)) }

// liveMetrics holds the server's metrics of live rows.
var liveMetrics = regexp.MustCompile(`(?m)^pingmill_((?:direct_rows_total\{table="main_summary"|spool_segments|spool_bytes).*)$`)

// watch logs what becomes visible, and what waits, until the context ends.
func (l *liveLoad) watch(ctx context.Context, logf func(string, ...any)) error {
	last := ""
	for every := time.NewTicker(2 * time.Second); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-every.C:
		}
		r, err := http.Get("http://" + l.server.private + "/metrics")
		if err != nil {
			return err
		}
		text, err := io.ReadAll(r.Body)
		if err = errors.Join(err, r.Body.Close()); err != nil {
			return err
		}
		now := ""
		for _, m := range liveMetrics.FindAllStringSubmatch(string(text), -1) {
			now += ", " + strings.Replace(m[1], " ", ": ", 1)
		}
		if now != last {
			logf("after %.0f s: %d acknowledged, server %.1f s%s", time.Since(l.began).Seconds(), l.sent.Load(), l.server.cpu().Seconds(), now)
			last = now
		}
	}
}

// used returns the processor time of the processes.
func (l *liveLoad) used(d *days) string {
	took, sent := time.Since(l.began).Seconds(), l.sent.Load()
	server := l.server.cpu().Seconds()
	return fmt.Sprintf("%d submissions in %.0f s: the server took %.1f s of processor time, %.0f µs each, the clients %.1f s, %d jobs %.1f s",
		sent, took, server, server/float64(sent)*1e6, (cpuOf("self") - l.own).Seconds(), d.done, d.took.Seconds())
}

// days is a job that makes the tables of a day.
type days struct {
	bin, data string
	done      int
	took      time.Duration // processor time
}

// newDays loads a day.
func newDays(t *testing.T, bin string) *days {
	t.Helper()
	dir := t.TempDir()
	d := &days{bin: bin, data: filepath.Join(dir, "data")}
	file := filepath.Join(dir, "pings")
	require.NoError(t, d.program(t.Context(), "generate", "--clients", "5000", "--days", "1", "--output", file))
	require.NoError(t, d.program(t.Context(), "load", "--data", d.data, file))
	return d
}

// run makes the tables again and again until the context ends.
func (d *days) run(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := d.program(ctx, "run", "all", "--data", d.data, "--date", "20180301", "--force"); err != nil {
			return err
		}
		d.done++
	}
	return nil
}

// program runs a command on the job's core.
func (d *days) program(ctx context.Context, args ...string) error {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, d.bin, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	err := startOn(daysCore, cmd)
	if err == nil {
		err = cmd.Wait()
		d.took += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("%v: %w: %s", args, err, out.String())
	}
	return nil
}
