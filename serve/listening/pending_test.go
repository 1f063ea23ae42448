package listening

import (
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// client returns a connection from an address, and the server's end of it.
func client(t *testing.T, l net.Listener, from string) (client, server net.Conn) {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	client, err := d.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Skip("this system has no second address of its own: ", err)
	}
	server, err = l.Accept()
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = client.Close(), server.Close() })
	return client, server
}

// closed reports whether the server has closed a connection.
func closed(t *testing.T, c net.Conn) bool {
	t.Helper()
	require.NoError(t, c.SetReadDeadline(time.Now().Add(50*time.Millisecond)))
	_, err := c.Read(make([]byte, 1))
	timeout, ok := err.(net.Error)
	return !ok || !timeout.Timeout()
}

// TestPending: one connection too many takes the place of the oldest of its address, or of the address with most of them.
func TestPending(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	p := &Pending{Max: 4, PerAddress: 3}
	one, server := client(t, l, "127.0.0.2")
	p.Add(server)
	var many []net.Conn
	for range 4 {
		c, server := client(t, l, "127.0.0.3")
		p.Add(server)
		many = append(many, c)
	}
	require.True(t, closed(t, many[0]), "the oldest of an address with too many")
	two, server := client(t, l, "127.0.0.2")
	done := p.Add(server)
	require.True(t, closed(t, many[1]), "the oldest of the address with most")
	for _, c := range []net.Conn{one, two, many[2], many[3]} {
		require.False(t, closed(t, c))
	}
	done()
	done()
	_, server = client(t, l, "127.0.0.2")
	p.Add(server)
	for _, c := range []net.Conn{one, two, many[2], many[3]} {
		require.False(t, closed(t, c))
	}
}

// slowConn is a connection whose Close waits until its client has authenticated, as one does that has a lock of its own.
type slowConn struct {
	net.Conn
	closing, authenticated chan struct{}
}

func (c *slowConn) Close() error {
	close(c.closing)
	<-c.authenticated
	return c.Conn.Close()
}

// TestPendingAuthenticates: a client may authenticate at the moment at which its connection is closed to make room.
func TestPendingAuthenticates(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	p := &Pending{Max: 1, PerAddress: 1}
	_, server := client(t, l, "127.0.0.1")
	slow := &slowConn{server, make(chan struct{}), make(chan struct{})}
	done := p.Add(slow)
	_, other := client(t, l, "127.0.0.1")
	added := make(chan struct{})
	go func() {
		defer close(added)
		p.Add(other)
	}()
	<-slow.closing
	go func() {
		done()
		close(slow.authenticated)
	}()
	select {
	case <-added:
	case <-time.After(20 * time.Second):
		t.Fatal("each waits for the other")
	}
}
