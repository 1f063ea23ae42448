package listening

import (
	"net"
	"sync"
	"time"

	"golang.org/x/net/netutil"
)

const (
	// MaxConnections is the maximum of connections of a listener for pages. It reserves file descriptors for the
	// process's other listeners.
	MaxConnections = 1000
	// WriteTime is the maximum time in which a client must read a piece of a response.
	WriteTime = 30 * time.Second
)

// Bound limits the number of connections of a listener, and the time of each write to a connection. Three quarters of the
// connections may be quiet, which means that no request is served on them: beyond, a new one takes the place of the one that
// has been quiet longest, as Pending says. The server must be one of NewServer.
func Bound(l net.Listener, connections int, write time.Duration) net.Listener {
	quiet := connections - connections/4
	return &bound{netutil.LimitListener(l, connections), write, &Pending{Max: quiet, PerAddress: quiet}}
}

type bound struct {
	net.Listener
	write time.Duration
	quiet *Pending
}

func (b *bound) Accept() (net.Conn, error) {
	raw, err := b.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &boundConn{Conn: raw, write: b.write, quiet: b.quiet}
	c.rest()
	return c, nil
}

// boundConn sets a deadline for each write, so that a write fails if the client stops reading.
type boundConn struct {
	net.Conn
	write time.Duration
	quiet *Pending

	mu       sync.Mutex
	requests int    // requests that are served; HTTP/2 serves several at once
	leave    func() // removes the connection from the quiet ones; nil: it is none of them
	closed   bool
}

// rest makes the connection a quiet one. It holds no lock while Pending may close another connection.
func (c *boundConn) rest() {
	leave := c.quiet.Add(c)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.requests > 0 || c.leave != nil { // something happened meanwhile
		leave()
		return
	}
	c.leave = leave
}

// begin marks the connection as serving a request, until end.
func (c *boundConn) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests++
	c.stir()
}

func (c *boundConn) end() {
	c.mu.Lock()
	c.requests--
	quiet := c.requests == 0
	c.mu.Unlock()
	if quiet {
		c.rest()
	}
}

// stir removes the connection from the quiet ones.
func (c *boundConn) stir() {
	if c.leave != nil {
		c.leave()
		c.leave = nil
	}
}

// Close closes the connection.
func (c *boundConn) Close() error {
	c.mu.Lock()
	c.closed = true
	c.stir()
	c.mu.Unlock()
	return c.Conn.Close()
}

// Write implements net.Conn. The deadline holds for each piece, so a response as a whole may take longer.
func (c *boundConn) Write(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var w int
		_ = c.SetWriteDeadline(time.Now().Add(c.write)) // fails on a closed connection
		w, err = c.Conn.Write(p[n:min(len(p), n+pieceSize)])
		n += w
	}
	return n, err
}

// pieceSize is the size of one write in bytes.
const pieceSize = 64 << 10
