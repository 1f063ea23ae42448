package edge

import (
	"bytes"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pingmill/pingmill/internal/panics"
)

// conn is a guarded connection: framing checks all bytes before the server reads them, and conns lists the
// connection.
type conn struct {
	net.Conn          // TLS, or equal to raw
	raw      net.Conn // from the listener
	server   *Server

	frame framing
	fast  fastPath
	fail  error  // the server gets no more bytes
	tail  []byte // except these, which replace the refused ones

	refused atomic.Bool // the client may still be sending when the connection is closed
	closing sync.Once

	// Under conns.mu.
	prev, next *conn
	open       bool
	idle       atomic.Bool
}

// longLineTail completes the beginning of a request line that is too long to a request that the handler can
// refuse with the right status.
const longLineTail = " HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n"

// badLineTail completes any beginning of a request line to one that net/http refuses. Without it, net/http
// takes an error between requests for the end of the connection and does not respond.
const badLineTail = " x\r\n\r\n"

// Read reads checked bytes. net/http may call it without recovering panics, so it recovers them: a panic closes
// the connection and does not stop the server.
func (c *conn) Read(p []byte) (n int, err error) {
	defer func() {
		var panicked *panics.Error
		if errors.As(err, &panicked) {
			c.server.cfg.Log.Error("a connection is closed: reading from it panics", "error", panics.Report(err))
			c.fail = io.EOF
		}
	}()
	defer panics.Recover(&err)
	return c.read(p)
}

func (c *conn) read(p []byte) (int, error) {
	if c.fail != nil {
		return c.readTail(p)
	}
	n, err := c.await(p)
	if n == 0 {
		return n, err
	}
	ok, bad := c.frame.scan(p[:n])
	if c.idle.Load() && c.frame.state != inHTTP2 {
		c.server.conns.active(c) // the server says so only when a head is complete
	}
	if bad == nil {
		return n, err
	}
	c.fail = bad
	c.refused.Store(true)
	switch {
	case bad == errLongRequestLine:
		c.tail, c.fail = []byte(longLineTail), io.EOF
	case c.frame.state == atRequest:
		c.tail, c.fail = []byte(badLineTail), io.EOF
	}
	if ok > 0 {
		return ok, nil
	}
	return c.readTail(p)
}

func (c *conn) readTail(p []byte) (int, error) {
	if len(c.tail) == 0 {
		return 0, c.fail
	}
	n := copy(p, c.tail)
	c.tail = c.tail[n:]
	return n, nil
}

// Write recognises the responses after which the connection ends, and the responses that net/http itself sends
// for requests that it cannot read. Only the latter have no date.
func (c *conn) Write(p []byte) (int, error) {
	if bytes.HasPrefix(p, []byte("HTTP/1.1 4")) || bytes.HasPrefix(p, []byte("HTTP/1.1 5")) {
		c.watchResponse(p)
	}
	return c.Conn.Write(p)
}

func (c *conn) watchResponse(p []byte) {
	head, _, _ := bytes.Cut(p, []byte("\r\n\r\n"))
	if bytes.Contains(head, []byte("\r\nConnection: close")) {
		c.refused.Store(true)
	}
	if len(head) >= 12 && !bytes.Contains(head, []byte("\r\nDate: ")) {
		c.server.count(int(p[9]-'0')*100 + int(p[10]-'0')*10 + int(p[11]-'0'))
	}
}

// CloseWrite signals the client that the response is complete.
func (c *conn) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return nil
}

// Close closes the connection. After a refusal it first reads what the client still sends for a moment: closing
// with unread bytes would reset the connection and discard the response.
func (c *conn) Close() error {
	var err error
	c.closing.Do(func() {
		if c.refused.Load() && !c.server.closed() {
			go c.linger()
			return
		}
		if c.server.closed() {
			err = c.raw.Close()
		} else {
			err = c.Conn.Close()
		}
		c.server.conns.remove(c)
	})
	return err
}

func (c *conn) linger() {
	defer c.server.conns.remove(c)
	defer c.Conn.Close()
	stop := time.AfterFunc(lingerTime, func() { _ = c.raw.Close() })
	defer stop.Stop()
	if c.CloseWrite() != nil {
		return
	}
	_ = c.raw.SetReadDeadline(time.Time{})
	_, _ = io.CopyN(io.Discard, c.raw, 1<<20)
}

// evict closes an idle connection to make room for another.
func (c *conn) evict() {
	_ = c.raw.Close() // not the TLS one: its goodbye could wait for the client
	c.server.conns.remove(c)
}
