package edge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest/spool"
)

// TestShutdownUnderLoad ends the edge while clients send without a pause: each
// acknowledged submission is in the spool.
func TestShutdownUnderLoad(t *testing.T) {
	e := start(t, nil)
	tr := &http.Transport{MaxIdleConnsPerHost: 32}
	defer tr.CloseIdleConnections()
	client := &http.Client{Transport: tr}
	body := strings.Repeat("b", 5000)
	var mu sync.Mutex
	acked := map[string]bool{}
	enough := make(chan struct{})
	send := func(id string) bool {
		res, err := client.Post("http://"+e.addr+"/submit/telemetry/main/4/"+id, "", strings.NewReader(body))
		if err != nil {
			return false // the listener is closed
		}
		defer res.Body.Close()
		_, _ = io.Copy(io.Discard, res.Body)
		if res.StatusCode != 200 {
			if res.StatusCode != 503 || res.Header.Get("Retry-After") == "" || !res.Close {
				t.Errorf("answered %s, %v", res.Status, res.Header)
			}
			return true
		}
		mu.Lock()
		defer mu.Unlock()
		if acked[id] = true; len(acked) == 300 {
			close(enough)
		}
		return true
	}
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for i := 0; send(fmt.Sprintf("%d-%d", g, i)); i++ {
			}
		})
	}
	<-enough
	all := e.stop(t)
	wg.Wait()
	stored := map[string]int{}
	for _, r := range all {
		if string(r.Body) != body {
			t.Errorf("%s has a body of %d bytes", r.URI, len(r.Body))
		}
		stored[strings.TrimPrefix(string(r.URI), "/submit/telemetry/main/4/")]++
	}
	for id := range acked {
		if stored[id] != 1 {
			t.Errorf("%s is acknowledged and %d times in the spool", id, stored[id])
		}
	}
}

// TestDraining has one submission in progress when the edge shuts down.
func TestDraining(t *testing.T) {
	e := start(t, nil)
	raw := post(telemetryPath, "12345")
	slow := e.dial(t)
	if _, err := io.WriteString(slow, raw[:len(raw)-2]); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return e.Stats().Requests == 1 })
	ended := make(chan error)
	go func() { ended <- e.Shutdown(context.Background()) }()
	eventually(t, e.draining.Load)
	for _, r := range []string{raw, request("GET /__heartbeat__ HTTP/1.1", "", "Host: x")} {
		var got string
		// A connection that has sent nothing is idle, and closed when draining begins.
		eventually(t, func() bool { got = e.send(t, r); return got != "" })
		if !strings.HasPrefix(got, "HTTP/1.1 503 ") || !strings.Contains(got, "\r\nRetry-After: ") ||
			!strings.Contains(got, "\r\nConnection: close\r\n") {
			t.Errorf("draining: %q", got)
		}
	}
	if got := exchange(t, slow, "45"); got != 200 {
		t.Errorf("what was taken: %d", got)
	}
	assert.NoError(t, <-ended)
	if err := <-e.ended; err != nil {
		t.Errorf("serve: %v", err)
	}
	if _, err := net.Dial("tcp", e.addr); err == nil {
		t.Error("still listening")
	}
}

// TestShutdownTooLate gives a hanging spool no time.
func TestShutdownTooLate(t *testing.T) {
	arrived := make(chan struct{})
	e := start(t, func(c *Config) {
		c.Spool = spoolFunc(func(ctx context.Context, _ *spool.Record) error {
			close(arrived)
			<-ctx.Done()
			return ctx.Err()
		})
	})
	c := e.dial(t)
	if _, err := io.WriteString(c, post(telemetryPath, "x")); err != nil {
		t.Fatal(err)
	}
	<-arrived
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.Shutdown(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("shut down: %v", err)
	}
	if got := readAll(t, c); strings.Contains(got, " 200 ") {
		t.Errorf("acknowledged: %q", got)
	}
	if err := <-e.ended; err != nil {
		t.Errorf("serve: %v", err)
	}
}

func TestServeEndsWithItsContext(t *testing.T) {
	s, err := New(Config{Spool: spoolFunc(nil), Now: fixed})
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if err := s.Serve(ctx, l); err != cause {
		t.Errorf("got %v", err)
	}
	if s, err = New(Config{Spool: spoolFunc(nil), Now: fixed}); err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(t.Context(), l); err == nil || !strings.HasPrefix(err.Error(), "serve 127.0.0.1:") {
		t.Errorf("closed listener: %v", err)
	}
}
