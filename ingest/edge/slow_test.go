package edge

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest/spool"
)

func readAll(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil && len(b) == 0 {
		t.Logf("read: %v", err)
	}
	return string(b)
}

func TestSlowClients(t *testing.T) {
	e := start(t, func(c *Config) {
		const short = 500 * time.Millisecond
		c.ReadHeaderTimeout, c.ReadTimeout, c.IdleTimeout = short, short, short
	})
	t.Run("all", func(t *testing.T) { slowClients(t, e) })
	if n := len(e.stop(t)); n != 1 {
		t.Errorf("%d records", n)
	}
}

func slowClients(t *testing.T, e *running) {
	for _, c := range []struct {
		name, raw string
		want      []int
	}{
		{"nothing at all", "", nil},
		{"half a request line", "POST /subm", []int{400}},
		{"half a head", "POST " + telemetryPath + " HTTP/1.1\r\nHost: x\r\nX", []int{400}},
		{"half a body", post(telemetryPath, "12345")[:len(post(telemetryPath, "12345"))-2], []int{408}},
		{"no body", request("POST "+telemetryPath+" HTTP/1.1", "", "Host: x", "Content-Length: 1000000"), []int{408}},
		{"half a chunk", request("POST "+telemetryPath+" HTTP/1.1", "5\r\nabc", "Host: x", "Transfer-Encoding: chunked"), []int{408}},
		{"a request, then nothing", post(telemetryPath, "12345"), []int{200}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			conn := e.dial(t)
			if _, err := io.WriteString(conn, c.raw); err != nil {
				t.Fatal(err)
			}
			// The client keeps its side open: the edge must end the connection.
			if got := codes(t, readAll(t, conn)); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// TestHalfClosed closes the client's side at every place of a request.
func TestHalfClosed(t *testing.T) {
	e := start(t, nil)
	whole := post(telemetryPath, "12345")
	for i := range len(whole) {
		if got := e.send(t, whole[:i]); strings.Contains(got, " 200 ") {
			t.Errorf("%q: %q", whole[:i], got)
		}
	}
	if got := codes(t, e.send(t, whole)); !slices.Equal(got, []int{200}) {
		t.Errorf("whole: %v", got)
	}
	if n := len(e.stop(t)); n != 1 {
		t.Errorf("%d records", n)
	}
	// A connection is counted until what served it has ended, which may be a moment after the last record.
	require.Eventually(t, func() bool { return e.Stats().Connections == 0 }, 10*time.Second, time.Millisecond)
}

// TestByteByByte sends a request in the smallest pieces, and one after it.
func TestByteByByte(t *testing.T) {
	e := start(t, nil)
	c := e.dial(t)
	raw := request("POST "+telemetryPath+" HTTP/1.1", "3;x\r\nabc\r\n0\r\nA: b\r\n\r\n", "Host: edge", "Transfer-Encoding: chunked") +
		post(genericPath, "12345")
	go func() {
		for i := range len(raw) {
			if _, err := io.WriteString(c, raw[i:i+1]); err != nil {
				return
			}
		}
		_ = c.CloseWrite()
	}()
	if got := codes(t, readAll(t, c)); !slices.Equal(got, []int{200, 200}) {
		t.Errorf("got %v", got)
	}
	if all := e.stop(t); len(all) != 2 || string(all[0].Body) != "abc" || string(all[1].Body) != "12345" {
		t.Errorf("kept %+v", all)
	}
}

func TestExpectContinue(t *testing.T) {
	e := start(t, nil)
	c := e.dial(t)
	b := bufio.NewReader(c)
	raw := post(telemetryPath, "12345", "Expect: 100-continue")
	if _, err := io.WriteString(c, strings.TrimSuffix(raw, "12345")); err != nil {
		t.Fatal(err)
	}
	r, err := http.ReadResponse(b, nil)
	if err != nil || r.StatusCode != 100 {
		t.Fatalf("%v, %v", r, err)
	}
	if _, err := io.WriteString(c, "12345"); err != nil {
		t.Fatal(err)
	}
	if r, err = http.ReadResponse(b, nil); err != nil || r.StatusCode != 200 {
		t.Fatalf("%v, %v", r, err)
	}
	refused := e.send(t, request("POST "+telemetryPath+" HTTP/1.1", "", "Host: x", "Content-Length: 99999999", "Expect: 100-continue"))
	if got := codes(t, refused); !slices.Equal(got, []int{413}) {
		t.Errorf("too large: %q", refused)
	}
}

// TestLyingLengthsHoldLittle declares large bodies and sends none.
func TestLyingLengthsHoldLittle(t *testing.T) {
	const clients = 200
	e := start(t, nil)
	for range clients {
		c := e.dial(t)
		if _, err := io.WriteString(c, request("POST "+telemetryPath+" HTTP/1.1", "x", "Host: x", "Content-Length: 1000000")); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, func() bool { return e.Stats().InFlight == clients*minBuffer })
}

// eventually waits for a state that nothing announces.
func eventually(t *testing.T, ok func() bool) {
	t.Helper()
	for tick := time.NewTicker(time.Millisecond); !ok(); {
		<-tick.C
	}
}

func TestInFlightIsBounded(t *testing.T) {
	release := make(chan struct{})
	arrived := make(chan struct{}, 10)
	e := start(t, func(c *Config) {
		c.MaxBody, c.MaxInFlight = 1000, 4*minBuffer
		c.Spool = spoolFunc(func(context.Context, *spool.Record) error {
			arrived <- struct{}{}
			<-release
			return nil
		})
	})
	done := make(chan []int)
	for range 4 {
		go func() { done <- codes(t, e.send(t, post(telemetryPath, "x"))) }()
		<-arrived
	}
	if got := e.send(t, post(telemetryPath, "x")); !strings.HasPrefix(got, "HTTP/1.1 503 ") || !strings.Contains(got, "Retry-After: ") {
		t.Errorf("fifth: %q", got)
	}
	close(release)
	for range 4 {
		if got := <-done; !slices.Equal(got, []int{200}) {
			t.Errorf("got %v", got)
		}
	}
	if n := e.Stats().InFlight; n != 0 {
		t.Errorf("%d bytes are left", n)
	}
}
