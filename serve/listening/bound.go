package listening

import (
	"net"
	"time"

	"golang.org/x/net/netutil"
)

const (
	// MaxConnections is how many connections a listener of pages has at once: files are left for other listeners of the process.
	MaxConnections = 1000
	// WriteTime is how long a client may take to read some of a response.
	WriteTime = 30 * time.Second
)

// Bound limits the connections of a listener, and the time for which a client that reads nothing keeps one.
func Bound(l net.Listener, connections int, write time.Duration) net.Listener {
	return &bound{netutil.LimitListener(l, connections), write}
}

type bound struct {
	net.Listener
	write time.Duration
}

// Accept implements net.Listener.
func (b *bound) Accept() (net.Conn, error) {
	c, err := b.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &boundConn{c, b.write}, nil
}

// boundConn is a connection that is given up when it takes no more bytes.
type boundConn struct {
	net.Conn
	write time.Duration
}

// Write implements net.Conn. A response may be long as a whole: the time is for each piece.
func (c *boundConn) Write(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var w int
		_ = c.SetWriteDeadline(time.Now().Add(c.write)) // fails when it is closed
		w, err = c.Conn.Write(p[n:min(len(p), n+pieceSize)])
		n += w
	}
	return n, err
}

// pieceSize is how much is written at a time.
const pieceSize = 64 << 10
