package edge

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest/spool"
)

const (
	telemetryPath = "/submit/telemetry/id/main/Firefox/60.0/release/2018"
	genericPath   = "/submit/telemetry/main/4/id"
)

// spoolFunc is a spool that answers what a real one cannot be made to.
type spoolFunc func(context.Context, *spool.Record) error

func (f spoolFunc) Append(ctx context.Context, r *spool.Record) error { return f(ctx, r) }

// running is an edge that takes connections into a real spool.
type running struct {
	*Server
	addr  string
	dir   string
	spool *spool.Spool
	ended chan error
}

// start serves until the test ends.
func start(t testing.TB, set func(*Config)) *running {
	t.Helper()
	e := &running{dir: t.TempDir(), ended: make(chan error, 1)}
	var err error
	e.spool, err = spool.Open(e.dir, spool.Options{Now: time.Now, SegmentBytes: 4 << 20, MinFree: -1})
	require.NoError(t, err)
	t.Cleanup(func() { _ = e.spool.Close() })
	c := Config{Spool: e.spool, Now: time.Now}
	if set != nil {
		set(&c)
	}
	if e.Server, err = New(c); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	e.addr = l.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	go func() { e.ended <- e.Serve(ctx, l) }()
	t.Cleanup(cancel)
	return e
}

// stop ends the edge and returns what is in the spool.
func (e *running) stop(t testing.TB) []spool.Record {
	t.Helper()
	require.NoError(t, e.Shutdown(t.Context()))
	require.NoError(t, <-e.ended)
	require.NoError(t, e.spool.Close())
	return e.records(t)
}

func (e *running) records(t testing.TB) (all []spool.Record) {
	t.Helper()
	segments, err := spool.List(e.dir)
	require.NoError(t, err)
	for _, g := range segments {
		r, err := spool.ReadSegment(g, nil)
		require.NoError(t, err)
		for {
			var rec spool.Record
			err := r.Next(&rec)
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
			rec.Headers = slices.Clone(rec.Headers)
			all = append(all, rec)
		}
	}
	return all
}

func (e *running) dial(t testing.TB) *net.TCPConn {
	t.Helper()
	c, err := net.Dial("tcp", e.addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c.(*net.TCPConn)
}

// send writes raw bytes, closes its side and returns all that is answered.
func (e *running) send(t testing.TB, raw string) string {
	t.Helper()
	c := e.dial(t)
	go func() { // the edge may answer before it has read everything
		_, _ = io.WriteString(c, raw)
		_ = c.CloseWrite()
	}()
	got, err := io.ReadAll(c)
	if err != nil && len(got) == 0 {
		t.Logf("reading the response: %v", err)
	}
	return string(got)
}

// codes returns the statuses of the response in a stream.
func codes(t testing.TB, stream string) (codes []int) {
	t.Helper()
	b := bufio.NewReader(strings.NewReader(stream))
	for {
		if _, err := b.Peek(1); err != nil {
			return codes
		}
		r, err := http.ReadResponse(b, &http.Request{Method: http.MethodPost})
		if err != nil {
			t.Fatalf("not a response: %v in %q", err, stream)
		}
		_, _ = io.Copy(io.Discard, r.Body)
		codes = append(codes, r.StatusCode)
	}
}

// post returns a request with a declared length.
func post(path, body string, headers ...string) string {
	return request("POST "+path+" HTTP/1.1", body, append([]string{"Host: edge", "Content-Length: " + strconv.Itoa(len(body))}, headers...)...)
}

func request(line, body string, headers ...string) string {
	return line + "\r\n" + strings.Join(append(headers, "", body), "\r\n")
}

// headersOf returns the kept headers of a record.
func headersOf(r spool.Record) map[string]string {
	m := map[string]string{}
	for _, h := range r.Headers {
		m[string(h.Name)] = string(h.Value)
	}
	return m
}
