package edge

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest/spool"
)

// ask sends a request on an open connection and reads its response.
func exchange(t testing.TB, c net.Conn, raw string) int {
	t.Helper()
	if _, err := io.WriteString(c, raw); err != nil {
		t.Fatal(err)
	}
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	require.NoError(t, err)
	_, _ = io.Copy(io.Discard, r.Body)
	return r.StatusCode
}

// TestManyIdleConnections opens many more connections than there may be: those
// that have been idle longest go, and new ones always work.
func TestManyIdleConnections(t *testing.T) {
	clients := 3000
	if files, ok := fileLimit(); ok {
		clients = min(clients, int(files)/2) // the other ends are files of this process, too
	}
	limit := clients / 6
	e := start(t, func(c *Config) { c.MaxConnections = limit })
	all := make([]net.Conn, clients)
	for i := range all {
		all[i] = e.dial(t)
		if i%10 == 0 && exchange(t, all[i], post(telemetryPath, "x")) != 200 {
			t.Fatalf("connection %d is not served", i)
		}
	}
	fresh := e.dial(t)
	if got := exchange(t, fresh, post(telemetryPath, "x")); got != 200 {
		t.Fatalf("a new connection gets %d", got)
	}
	s := e.Stats()
	if s.Connections > limit || s.MaxConnections != limit || s.Evicted != int64(clients+1-limit) || s.Refused != 0 {
		t.Errorf("%+v", s)
	}
	if _, err := all[0].Read(make([]byte, 1)); err == nil {
		t.Error("the oldest connection is open")
	}
	if got := exchange(t, all[clients-1], post(telemetryPath, "x")); got != 200 {
		t.Errorf("a connection among the newest gets %d", got)
	}
}

// TestBusyConnectionsStay fills the bound with connections that work: new ones
// are closed, and the work is done.
func TestBusyConnectionsStay(t *testing.T) {
	const limit = 5
	release := make(chan struct{})
	arrived := make(chan struct{}, limit)
	e := start(t, func(c *Config) {
		c.MaxConnections = limit
		c.Spool = spoolFunc(func(context.Context, *spool.Record) error {
			arrived <- struct{}{}
			<-release
			return nil
		})
	})
	done := make(chan []int, limit)
	for range limit {
		go func() { done <- codes(t, e.send(t, post(telemetryPath, "x"))) }()
		<-arrived
	}
	if _, err := e.dial(t).Read(make([]byte, 1)); err == nil {
		t.Error("a connection too many was answered")
	}
	if s := e.Stats(); s.Refused != 1 || s.Evicted != 0 || s.Connections != limit {
		t.Errorf("%+v", s)
	}
	close(release)
	for range limit {
		if got := <-done; !slices.Equal(got, []int{200}) {
			t.Errorf("got %v", got)
		}
	}
	// A connection that has sent the beginning of a request works, too.
	eventually(t, func() bool { return e.Stats().Connections == 0 })
	var begun []*net.TCPConn
	for range limit {
		c := e.dial(t)
		if _, err := io.WriteString(c, "POST /"); err != nil {
			t.Fatal(err)
		}
		begun = append(begun, c)
	}
	eventually(t, func() bool { return e.Stats().Connections == limit && e.idle() == 0 })
	if _, err := e.dial(t).Read(make([]byte, 1)); err == nil {
		t.Error("a connection too many was answered")
	}
	for _, c := range begun {
		_ = c.Close()
	}
	eventually(t, func() bool { return e.Stats().Connections == 0 })
}

// idle returns the number of connections in the list, which must be in order.
func (e *running) idle() (n int) {
	s := &e.conns
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := s.list.next; c != &s.list; c = c.next {
		if c.next.prev != c || !c.open || !c.idle.Load() {
			panic("the list of idle connections is broken")
		}
		n++
	}
	return n
}

func TestIdleOrder(t *testing.T) {
	var s conns
	s.init(3)
	a, b, c, d := new(conn), new(conn), new(conn), new(conn)
	for _, x := range []*conn{a, b, c} {
		if out, ok := s.add(x); out != nil || !ok {
			t.Fatal("no room")
		}
	}
	s.active(a)
	s.rest(a) // now the newest
	s.active(b)
	if out, ok := s.add(d); out != c || !ok {
		t.Error("not the one that has been idle longest")
	}
	s.rest(c) // gone: stays so
	s.remove(c)
	s.remove(d)
	s.remove(d)
	s.active(a)
	if s.open != 2 || s.list.next != &s.list {
		t.Errorf("%d open", s.open)
	}
}
