package edge

import (
	"bufio"
	"bytes"
	"context"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest/spool"
)

// bombs is a listener with connections that panic when they read "boom".
type bombs struct {
	net.Listener
	went chan struct{}
}

func (b *bombs) Accept() (net.Conn, error) {
	c, err := b.Listener.Accept()
	return &bombConn{c, b.went}, err
}

type bombConn struct {
	net.Conn
	went chan struct{}
}

func (c *bombConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if bytes.HasPrefix(p[:n], []byte("b")) { // net/http reads one byte beside the handler
		defer close(c.went)
		panic("boom")
	}
	return n, err
}

// TestReadPanics: a panic while bytes are read, also in the goroutine in which
// net/http reads beside the handler, costs one connection.
func TestReadPanics(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	went, entered := make(chan struct{}), make(chan struct{})
	wait := true
	s, err := New(Config{Now: time.Now, Spool: spoolFunc(func(context.Context, *spool.Record) error {
		if wait {
			wait = false
			close(entered)
			<-went
		}
		return nil
	})})
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(context.Background(), &bombs{l, went}) }()
	e := &running{Server: s, addr: l.Addr().String()}
	c := e.dial(t)
	if _, err := c.Write([]byte(post(telemetryPath, "{}"))); err != nil {
		t.Fatal(err)
	}
	<-entered
	if _, err := c.Write([]byte("boom")); err != nil {
		t.Fatal(err)
	}
	<-went
	if got := codes(t, e.send(t, post(telemetryPath, "{}"))); !slices.Equal(got, []int{200}) {
		t.Errorf("after the panic: %v", got)
	}
	assert.NoError(t, s.Shutdown(t.Context()))
	assert.NoError(t, <-ended)
}

// TestFastPathPanics: a panic over a submission that is answered on the fast path costs its
// connection, and gives back what it held.
func TestFastPathPanics(t *testing.T) {
	var w witness
	w.fail = func(fast bool) error {
		if fast {
			panic("boom")
		}
		return nil
	}
	e := start(t, func(c *Config) { c.Spool = &w })
	for range 3 {
		c := e.dial(t)
		r := bufio.NewReader(c)
		talk(t, c, r, post(telemetryPath, "{}"))
		e.rested()
		if _, err := c.Write([]byte(post(telemetryPath, "{}"))); err != nil {
			t.Fatal(err)
		}
		if b, err := r.ReadByte(); err == nil {
			t.Errorf("answered with %q", b)
		}
	}
	if n := e.receiver.inFlight.Load(); n != 0 {
		t.Errorf("%d bytes stay in flight", n)
	}
	assert.NoError(t, e.Shutdown(t.Context()))
}
