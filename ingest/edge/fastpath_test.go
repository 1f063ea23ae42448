package edge

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest/spool"
)

// witness keeps records and notes which of them were answered on the fast path.
type witness struct {
	mu      sync.Mutex
	records []spool.Record
	fast    []bool
	fail    func(fast bool) error
}

func (w *witness) Append(_ context.Context, r *spool.Record) error {
	fast := bytes.Contains(debug.Stack(), []byte("takeFast"))
	if w.fail != nil {
		if err := w.fail(fast); err != nil {
			return err
		}
	}
	c := spool.Record{URI: bytes.Clone(r.URI), RemoteAddr: bytes.Clone(r.RemoteAddr), Body: bytes.Clone(r.Body)}
	for _, h := range r.Headers {
		c.Headers = append(c.Headers, spool.Header{Name: bytes.Clone(h.Name), Value: bytes.Clone(h.Value)})
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.records, w.fast = append(w.records, c), append(w.fast, fast)
	return nil
}

// talk sends a request on an open connection and gives the response without its date.
func talk(t testing.TB, c net.Conn, r *bufio.Reader, raw string) string {
	t.Helper()
	if _, err := io.WriteString(c, raw); err != nil {
		t.Fatal(err)
	}
	return readResponse(t, r)
}

func readResponse(t testing.TB, r *bufio.Reader) string {
	t.Helper()
	a, err := http.ReadResponse(r, &http.Request{Method: http.MethodPost})
	require.NoError(t, err)
	body, err := io.ReadAll(a.Body)
	require.NoError(t, err)
	if _, err := http.ParseTime(a.Header.Get("Date")); err != nil && a.StatusCode == 200 {
		t.Errorf("the date: %v", err)
	}
	a.Header.Del("Date")
	var out strings.Builder
	_ = a.Header.Write(&out)
	return a.Proto + " " + a.Status + "\n" + out.String() + string(body)
}

// rested waits until net/http waits for the next request on all connections:
// one that comes earlier it may have begun to read.
func (e *running) rested() {
	s := &e.conns
	for busy := -1; busy != 0; runtime.Gosched() {
		s.mu.Lock()
		busy = s.open
		for c := s.list.next; c != &s.list; c = c.next {
			busy--
		}
		s.mu.Unlock()
	}
}

// TestFastPathIsTheSame sends requests first on a connection and later on one:
// responses and records are the same.
func TestFastPathIsTheSame(t *testing.T) {
	large := strings.Repeat("b", 40_000)
	first := post(telemetryPath, "first")
	for _, c := range []struct {
		name, raw string
		fast      bool
	}{
		{"plain", post(telemetryPath+"?v=4", "body", "User-Agent: u", "Date: d", "DNT: 1", "Content-Encoding: gzip", "x-pingsender-version: 1",
			"Accept: */*"), true},
		{"put", strings.Replace(post(genericPath, "body"), "POST", "PUT", 1), true},
		{"large", post(telemetryPath, large), true},
		{"forwarded", post(telemetryPath, "x", "X-Forwarded-For: 1.1.1.1, 2.2.2.2", "Connection: keep-alive"), true},
		{"long value", post(telemetryPath, "x", "User-Agent: "+strings.Repeat("u", 2000), "X-Forwarded-For: "+strings.Repeat("1", 1200)+"2"),
			true},
		{"very large", post(telemetryPath, large+large), false},
		{"empty", post(telemetryPath, ""), false},
		{"escaped", post(strings.Replace(telemetryPath, "Firefox", "Fire%20fox", 1), "x"), false},
		{"twice", post(telemetryPath, "x", "DNT: 1", "DNT: 0"), false},
		{"empty value", post(telemetryPath, "x", "DNT:"), false},
		{"bytes", post(telemetryPath, "x", "User-Agent: caf\xe9"), false},
		{"unknown header", post(telemetryPath, "x", "Cookie: secret"), false},
		{"chunked", request("POST "+telemetryPath+" HTTP/1.1", "1\r\nx\r\n0\r\n\r\n", "Host: edge", "Transfer-Encoding: chunked"), false},
		{"no host", request("POST "+telemetryPath+" HTTP/1.1", "x", "Content-Length: 1"), false},
		{"closing", post(telemetryPath, "x", "Connection: close"), false},
		{"namespace", post("/submit/other/main/4/id", "x"), false},
		{"path", post("/submit/telemetry/id", "x"), false},
		{"too large", request("POST "+telemetryPath+" HTTP/1.1", "", "Host: edge", "Content-Length: 2000000"), false},
		{"page", "GET /status HTTP/1.1\r\nHost: edge\r\n\r\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &witness{}
			e := start(t, func(cfg *Config) {
				cfg.Spool, cfg.TrustedProxies = w, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
			})
			a := e.dial(t)
			want := talk(t, a, bufio.NewReader(a), c.raw)
			n := len(w.records)
			b := e.dial(t)
			r := bufio.NewReader(b)
			talk(t, b, r, first)
			e.rested()
			if got := talk(t, b, r, c.raw); got != want {
				t.Errorf("answered %q, on a new connection %q", got, want)
			}
			e.stop(t)
			if len(w.records) != 2*n+1 || n == 1 &&
				(!reflect.DeepEqual(w.records[0], w.records[2]) || w.fast[0] || w.fast[1] || w.fast[2] != c.fast) {
				t.Errorf("%d records, on the fast path: %v", len(w.records), w.fast)
			}
			if got := e.Stats().Responses[200]; c.name != "page" && got != int64(len(w.records)) {
				t.Errorf("%d responses are counted", got)
			}
		})
	}
}

// afterFirst starts an edge and sends a first submission on a connection, so that
// the next may be answered on the fast path.
func afterFirst(t *testing.T) (*witness, *running, net.Conn, *bufio.Reader) {
	t.Helper()
	w := &witness{}
	e := start(t, func(c *Config) { c.Spool = w })
	c := e.dial(t)
	r := bufio.NewReader(c)
	talk(t, c, r, post(telemetryPath, "first"))
	e.rested()
	return w, e, c, r
}

// TestFastPathAfterSlow sends a body in parts between others.
func TestFastPathAfterSlow(t *testing.T) {
	w, e, c, r := afterFirst(t)
	body := strings.Repeat("0123456789", 3000)
	raw := post(telemetryPath, body)
	for _, n := range []int{10, 200, 6000, 20_000, len(raw) - 1} {
		if _, err := io.WriteString(c, raw[:n]); err != nil {
			t.Fatal(err)
		}
		for n > 200 && e.Stats().Requests == 0 { // until net/http has the head
			runtime.Gosched()
		}
		talk(t, c, r, raw[n:])
		talk(t, c, r, raw)
	}
	e.stop(t)
	if len(w.records) != 11 {
		t.Fatalf("%d records", len(w.records))
	}
	for i, k := range w.records[1:] {
		if string(k.Body) != body {
			t.Errorf("record %d has another body, of %d bytes", i, len(k.Body))
		}
	}
	if s := e.Stats(); s.InFlight != 0 || s.Connections != 0 || s.Requests != 0 {
		t.Errorf("%+v", s)
	}
}

// TestFastPathRefusals lets the spool refuse.
func TestFastPathRefusals(t *testing.T) {
	for want, fail := range map[int]func(bool) error{
		200: func(fast bool) error {
			if fast {
				return errors.New("broken")
			}
			return nil
		},
		507: func(bool) error { return spool.ErrFull },
		503: func(bool) error { return spool.ErrOverloaded },
	} {
		w, e, c, r := afterFirst(t)
		w.fail = fail
		if got := talk(t, c, r, post(telemetryPath, strings.Repeat("x", 30_000))); !strings.HasPrefix(got, fmt.Sprintf("HTTP/1.1 %d ", want)) {
			t.Errorf("%q, want %d", got, want)
		}
		if s := e.Stats(); s.Responses[want] == 0 || s.InFlight != 0 {
			t.Errorf("%+v", s)
		}
	}
}

// TestFastPathShutdown ends the edge while a submission waits for the spool.
func TestFastPathShutdown(t *testing.T) {
	w, e, c, r := afterFirst(t)
	waits, release := make(chan bool), make(chan struct{})
	w.fail = func(fast bool) error { waits <- fast; <-release; return nil }
	if _, err := io.WriteString(c, post(telemetryPath, "second")); err != nil {
		t.Fatal(err)
	}
	if !<-waits {
		t.Error("not answered on the fast path")
	}
	ended := make(chan error)
	go func() { ended <- e.Shutdown(t.Context()) }()
	for !e.draining.Load() {
		runtime.Gosched()
	}
	close(release)
	if got := readResponse(t, r); !strings.Contains(got, "200 OK") {
		t.Errorf("%q", got)
	}
	assert.NoError(t, <-ended)
}

// TestFastPathThenIdle waits for the end of an idle connection.
func TestFastPathThenIdle(t *testing.T) {
	e := start(t, func(c *Config) { c.Spool, c.IdleTimeout = &witness{}, 50*time.Millisecond })
	c := e.dial(t)
	r := bufio.NewReader(c)
	raw := post(telemetryPath, "x")
	if _, err := io.WriteString(c, raw); err != nil {
		t.Fatal(err)
	}
	readResponse(t, r)
	_, _ = io.WriteString(c, raw) // it may be late on a busy machine
	if _, err := io.Copy(io.Discard, r); err != nil && !errors.Is(err, io.EOF) {
		t.Logf("the connection ended: %v", err)
	}
}

// FuzzFastPathHead compares with net/http: what is taken on the fast path means the same there.
func FuzzFastPathHead(f *testing.F) {
	for _, s := range []string{
		post(telemetryPath, "x", "DNT: 1", "User-Agent:\tu ", "X-Forwarded-For: 1", "Connection: Keep-Alive"),
		post(genericPath+"?a=b", "x", "Host : b"),
		"PUT /a HTTP/1.1\r\nHost: [::1]:80\r\nContent-Length: 01\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n",
		"POST / HTTP/1.1\nHost: a\r\nContent-Length: 5\r\n\r\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var h plainHead
		if !h.parse(b) {
			return
		}
		var guard framing
		guard.maxLine = 1 << 20
		if n, err := guard.scan(b[:h.size]); err != nil || n != h.size || guard.skip != h.length || guard.state != atRequest {
			t.Fatalf("the guard: %d, %v, a body of %d; %q", n, err, guard.skip, b)
		}
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(b[:h.size])))
		if err != nil {
			t.Fatalf("%v: %q", err, b)
		}
		if r.RequestURI != string(h.uri) || r.Host != string(h.host) || r.ContentLength != h.length || r.ProtoMinor != 1 ||
			r.Close || len(r.TransferEncoding) > 0 || r.Method != http.MethodPost && r.Method != http.MethodPut {
			t.Fatalf("%+v of %q", r, b)
		}
		for i, k := range storedHeaders {
			if v := r.Header[k.key]; len(v) > 1 || len(v) == 1 != (h.headers[i] != nil) || len(v) == 1 && v[0] != string(h.headers[i]) {
				t.Fatalf("%s is %q, read %q", k.key, v, h.headers[i])
			}
		}
		if v := r.Header["X-Forwarded-For"]; strings.Join(v, "|") != string(h.forwarded) {
			t.Fatalf("forwarded for %q, read %q", v, h.forwarded)
		}
	})
}
