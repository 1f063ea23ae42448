package listening

import (
	"net"
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

// Bound limits the number of connections of a listener, and the time of each write to a connection.
func Bound(l net.Listener, connections int, write time.Duration) net.Listener {
	return &bound{netutil.LimitListener(l, connections), write}
}

type bound struct {
	net.Listener
	write time.Duration
}

func (b *bound) Accept() (net.Conn, error) {
	c, err := b.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &boundConn{c, b.write}, nil
}

// boundConn sets a deadline for each write, so that a write fails if the client stops reading.
type boundConn struct {
	net.Conn
	write time.Duration
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
