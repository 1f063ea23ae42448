package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pingmill/pingmill/tools/generate/send"
)

// collector acknowledges submissions and keeps them as lines that load reads.
type collector struct {
	*httptest.Server
	mu    sync.Mutex
	lines bytes.Buffer
	seen  map[string]bool
	lose  func(n int) bool // whether the n-th acknowledged submission is not kept
	took  int
	began func()
}

// newCollector starts one that drops the connection of each third submission
// after it has kept it, for the first time.
func newCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{seen: map[string]bool{}, lose: func(int) bool { return false }, began: func() {}}
	c.Server = httptest.NewServer(http.HandlerFunc(c.take))
	t.Cleanup(c.Close)
	return c
}

func (c *collector) take(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || send.DocumentID([]byte(r.RequestURI)) == nil {
		http.Error(w, "no such path", http.StatusNotFound)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.began()
	first := !c.seen[r.RequestURI]
	c.seen[r.RequestURI] = true
	headers := map[string]string{}
	for name := range r.Header {
		headers[name] = r.Header.Get(name)
	}
	if c.took++; !c.lose(c.took) {
		_ = json.NewEncoder(&c.lines).Encode(map[string]any{ // into memory
			"uri": r.RequestURI, "timestamp": time.Now().UnixNano(), "headers": headers, "remoteAddr": r.RemoteAddr, "body": body,
		})
	}
	if first && c.took%3 == 0 {
		panic(http.ErrAbortHandler)
	}
}

// load loads what was kept.
func (c *collector) load(t *testing.T, data string) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	name := filepath.Join(t.TempDir(), "kept.ndjson")
	if err := os.WriteFile(name, c.lines.Bytes(), 0o600); err != nil {
		t.Error(err)
		return
	}
	if code, _, errs := call(nil, "load", "--data", data, name); code != 0 {
		t.Errorf("load: exit %d: %s", code, errs)
	}
}

// installation returns an empty one.
func installation(t *testing.T) string {
	t.Helper()
	data, empty := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "empty.ndjson")
	mustCall(t, "generate", "--clients", "1", "--days", "1", "--output", empty)
	mustCall(t, "load", "--data", data, empty)
	return data
}

// when calls a function once a text was written.
type when struct {
	bytes.Buffer
	text string
	then func()
}

func (w *when) Write(p []byte) (int, error) {
	n, err := w.Buffer.Write(p)
	if w.then != nil && strings.Contains(w.String(), w.text) {
		then := w.then
		w.then = nil
		then()
	}
	return n, err
}

var sentPopulation = []string{"generate", "--clients", "60", "--days", "1", "--damaged", "0.2", "--duplicates", "0.1", "--mean-bytes",
	"16000"}

// TestSendAndVerify sends a population, which is loaded while the archive is
// looked at.
func TestSendAndVerify(t *testing.T) {
	c, data := newCollector(t), installation(t)
	acked := filepath.Join(t.TempDir(), "acked")
	var errs bytes.Buffer
	out := &when{text: "latency:", then: func() { c.load(t, data) }}
	args := append(sentPopulation, "--to", c.URL, "--concurrency", "4", "--acked", acked, "--verify", data)
	if code := run(context.Background(), args, strings.NewReader(""), out, &errs); code != 0 {
		t.Fatalf("exit %d: %s%s", code, out, &errs)
	}
	for _, want := range []string{" acknowledged, ", "answers: 200 ", "404 ", "p99 ", " 0 missing, 0 more than once",
		"errors by class: json "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("nothing of %q in %s", want, out)
		}
	}
	if strings.Contains(out.String(), "sent again 0 times") || strings.Contains(out.String(), "duplicates: 0") {
		t.Errorf("nothing was sent again: %s", out)
	}
	if again := mustCall(t, "generate", "--verify", data, "--acked", acked); !strings.HasSuffix(out.String(), again) {
		t.Errorf("verified later: %s, first: %s", again, out)
	}
}

// TestLostSubmissions verifies an archive that lacks some acknowledged submissions, and has others twice.
func TestLostSubmissions(t *testing.T) {
	c, data := newCollector(t), installation(t)
	lost := map[int]bool{}
	c.lose = func(n int) bool {
		lost[n] = n%3 == 1 && len(lost) < 5 // not those that are sent again
		return lost[n]
	}
	acked := filepath.Join(t.TempDir(), "acked")
	args := append(sentPopulation, "--duplicates", "-1", "--to", c.URL, "--acked", acked, "--limit", "60", "--gzip=false")
	out := mustCall(t, args...)
	if !strings.HasPrefix(out, "60 submissions in ") {
		t.Errorf("sent: %s", out)
	}
	c.load(t, data)
	c.lines.WriteString("\n") // another file, so another load, of the same pings
	c.load(t, data)
	code, out, errs := call(nil, "generate", "--verify", data, "--acked", acked, "--wait", "0s")
	if code != 1 || !strings.Contains(out, "\nmissing: ") || !strings.Contains(out, "\nmore than once: ") ||
		!strings.Contains(errs, "missing, 0 with only") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}

// TestSendingIsCutOff ends the program while it sends.
func TestSendingIsCutOff(t *testing.T) {
	c := newCollector(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c.began = cancel
	var out, errs bytes.Buffer
	args := append(sentPopulation, "--to", c.URL, "--rate", "1000", "--retries", "-1")
	if code := run(ctx, args, strings.NewReader(""), &out, &errs); code != 1 || !strings.Contains(out.String(), "latency: ") ||
		!strings.Contains(errs.String(), "context canceled") {
		t.Errorf("exit %d: %s%s", code, &out, &errs)
	}
}
