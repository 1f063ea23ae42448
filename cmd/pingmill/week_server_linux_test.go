package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/terminal/report"
	"github.com/pingmill/pingmill/tools/clienttest"
)

// publication is a version of a partition that took its place.
type publication struct {
	server, table, day, generation string

	made bool // by a run, not while pings arrive
	rows int64
	at   time.Time // by the clock of the test
}

// weekly is one of the servers of TestWeek: a process that serves by the clock
// of the test.
type weekly struct {
	t                *testing.T
	week             *week
	name, data       string
	address, private string
	log              *os.File
	cmd              *exec.Cmd // nil: it is down
	in               io.WriteCloser
	ended            chan struct{} // closed when it says no more
	idle, progress   time.Time     // of the last such words
	holding          bool
}

func newWeekly(t *testing.T, w *week, name, data string) *weekly {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), name+".log"))
	require.NoError(t, err)
	s := &weekly{t: t, week: w, name: name, data: data, address: clienttest.FreeAddress(t), private: clienttest.FreeAddress(t), log: log}
	t.Cleanup(func() {
		s.kill()
		if b, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
			t.Logf("end of the log of server %s:\n%s", name, b[max(0, len(b)-30_000):])
		}
		log.Close()
	})
	return s
}

// start starts the server at the time of the test. Days wait for its edge for ever.
func (s *weekly) start() {
	s.t.Helper()
	s.cmd = exec.Command(os.Args[0], "--data", s.data, "--edge", s.name, "--shared-as", s.name,
		"--listen", s.address, "--private", s.private, "--only", "edge,decode,schedule", "--min-free", "0B", "--grace", "5s",
		"--edge-timeout", "0", "--live", "") // it looks at what is made of whole days
	s.cmd.Env = append(os.Environ(), weekServer+"="+s.name)
	s.cmd.Stderr = s.log
	in, err := s.cmd.StdinPipe()
	require.NoError(s.t, err)
	out, err := s.cmd.StdoutPipe()
	require.NoError(s.t, err)
	s.in, s.ended, s.holding, s.idle, s.progress = in, make(chan struct{}), false, time.Time{}, time.Time{}
	require.NoError(s.t, s.cmd.Start())
	go s.listen(out, s.ended)
	s.write("now %d", s.week.now.UnixNano())
	s.week.await("server "+s.name+" waits for work and has decoded", func() bool {
		return s.idle.Equal(s.week.now) && !s.progress.IsZero()
	}, s)
}

// write sends a line to the server.
func (s *weekly) write(format string, args ...any) {
	s.t.Helper()
	if _, err := fmt.Fprintf(s.in, format+"\n", args...); err != nil {
		s.t.Fatalf("tell server %s: %v", s.name, err)
	}
}

// listen notes what the server says.
func (s *weekly) listen(out io.Reader, ended chan struct{}) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		s.hear(strings.Fields(lines.Text()))
	}
	close(ended)
}

func (s *weekly) hear(words []string) {
	w := s.week
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case len(words) == 2 && words[0] == "waiting":
		s.idle = clockTime(words[1])
	case len(words) == 2 && words[0] == "progress":
		s.progress = clockTime(words[1])
	case len(words) == 2 && words[0] == "holding":
		s.holding = true
	case len(words) == 6 && words[0] == "published":
		rows, _ := strconv.ParseInt(words[5], 10, 64)
		w.journal = append(w.journal, publication{
			server: s.name, table: words[1], day: words[2], generation: words[3], made: words[4] != "0", rows: rows, at: w.now,
		})
	}
	close(w.changed)
	w.changed = make(chan struct{})
}

func clockTime(ns string) time.Time {
	n, _ := strconv.ParseInt(ns, 10, 64)
	return time.Unix(0, n).UTC()
}

// kill ends the process as a power cut would, but for the page cache.
func (s *weekly) kill() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill() // it may have ended
	<-s.ended
	_ = s.cmd.Wait()
	s.cmd = nil
}

// stop ends the server as an operator does.
func (s *weekly) stop() {
	s.t.Helper()
	assert.NoError(s.t, s.cmd.Process.Signal(syscall.SIGTERM))
	<-s.ended
	if err := s.cmd.Wait(); err != nil {
		s.t.Errorf("server %s ended with %v", s.name, err)
	}
	s.cmd = nil
}

// client opens a connection for each request: servers come and go.
var weekClient = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}

// post sends a submission, which has to be acknowledged.
func (s *weekly) post(sub *weekSubmission) error {
	r, err := http.NewRequest(http.MethodPost, "http://"+s.address+sub.uri, bytes.NewReader(sub.body))
	if err != nil {
		return err
	}
	for _, h := range sub.headers {
		r.Header.Set(h.Name, h.Value)
	}
	res, err := weekClient.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("server %s answers %s to %s", s.name, res.Status, sub.uri)
	}
	return nil
}

// page is one of the private listener.
func (s *weekly) page(path string) (code int, text string) {
	s.t.Helper()
	return getPage(s.t, weekClient, "http://"+s.private+path)
}

// weekStatus is the page /status.
type weekStatus struct{ report.Status }

func (s *weekly) status() (st weekStatus) {
	s.t.Helper()
	code, text := s.page("/status")
	if err := json.Unmarshal([]byte(text), &st); err != nil || code != http.StatusOK {
		s.t.Fatalf("status of server %s: %d %s: %v", s.name, code, text, err)
	}
	return st
}

// partition returns the state of a partition.
func (st weekStatus) partition(table, day string) report.Partition {
	for _, p := range st.Partitions {
		if p.Table == table && p.Day == day {
			return p
		}
	}
	return report.Partition{State: "not in the status"}
}

// metric returns a value of /metrics, by its name with its labels; ok reports whether it exists.
func (s *weekly) metric(name string) (value float64, ok bool) {
	s.t.Helper()
	_, text := s.page("/metrics")
	for line := range strings.Lines(text) {
		if v, is := strings.CutPrefix(line, name+" "); is {
			value, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
			return value, err == nil
		}
	}
	return 0, false
}

// week holds the state that the servers share, and its history.
type week struct {
	t       *testing.T
	dir     string
	servers []*weekly
	now     time.Time
	began   time.Time // of the real time

	submissions []*weekSubmission // in their order
	sent        int

	mu      sync.Mutex
	changed chan struct{} // closed when a server said something
	journal []publication
	settled []settled
}

// await waits until a condition on servers' output holds, while these servers run.
func (w *week) await(what string, holds func() bool, on ...*weekly) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute) // others finish the commit of a killed server after one
	defer cancel()
	for {
		w.mu.Lock()
		ok, changed := holds(), w.changed
		w.mu.Unlock()
		if ok {
			return
		}
		dead := make(chan struct{})
		if len(on) > 0 {
			dead = on[0].ended
		}
		select {
		case <-changed:
		case <-dead:
			w.t.Fatalf("server %s ended while the test waited until %s", on[0].name, what)
		case <-ctx.Done():
			for _, s := range w.up() {
				_ = s.cmd.Process.Signal(syscall.SIGQUIT) // its log gets what it is doing
				<-s.ended
			}
			w.t.Fatalf("not within three minutes: %s", what)
		}
	}
}
