package edge

import (
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/pingmill/pingmill/ingest/spool"
)

// The fast path: behind a proxy, or from a busy client, a connection carries one plain submission after the
// other, and most of their cost is net/http's. The fast path handles plain submissions that have arrived in
// full, while net/http waits for the next request in conn.Read. net/http reads all others, and those that fail
// here, as if there were no fast path.

// maxFast is the largest body of the fast path, in bytes.
const maxFast = 64<<10 - 1

// fastPath is the state of the fast path on a connection.
type fastPath struct {
	on      bool // net/http waits for a request that is not the first
	tcp     *net.TCPConn
	raw     syscall.RawConn
	peer    []byte // address of the client as text
	trusted bool   // its X-Forwarded-For counts
	renewed time.Time
	pending []byte // bytes read that net/http has not read yet
}

// await reads the next bytes for net/http. Before them it handles the submissions that are suitable for the
// fast path.
func (c *conn) await(p []byte) (int, error) {
	if q := &c.fast; len(q.pending) > 0 {
		n := copy(p, q.pending)
		if q.pending = q.pending[n:]; len(q.pending) == 0 {
			q.pending = nil
		}
		return n, nil
	}
	for {
		n, err := c.Conn.Read(p)
		if n == 0 || err != nil || !c.fast.on {
			return n, err
		}
		if !c.frame.between() || !c.takeFast(p[:n]) {
			c.fast.on = false
			return n, nil
		}
	}
}

// prepareFastPath is called when net/http is about to wait for another request.
func (c *conn) prepareFastPath() {
	if c.frame.state == inHTTP2 {
		return // another goroutine reads
	}
	q := &c.fast
	if q.tcp == nil {
		tcp, ok := c.Conn.(*net.TCPConn)
		if !ok {
			return
		}
		raw, err := tcp.SyscallConn()
		if err != nil {
			return
		}
		a, ok := tcp.RemoteAddr().(*net.TCPAddr)
		if !ok {
			return
		}
		addr := a.AddrPort().Addr().Unmap().WithZone("")
		q.tcp, q.raw, q.peer, q.trusted = tcp, raw, addr.AppendTo(nil), contains(c.server.cfg.TrustedProxies, addr)
	}
	q.on, q.renewed = true, time.Time{}
}

// takeFast handles a submission that begins with the bytes first and responds to it. If it returns false it has
// not responded; then net/http reads first and after it the pending bytes.
func (c *conn) takeFast(first []byte) bool {
	s := c.server
	var h plainHead
	if !h.parse(first) || int64(len(first)-h.size) > h.length {
		return false
	}
	namespace, ok := s.plain(&h)
	if !ok {
		return false
	}
	if !s.begin() {
		return false
	}
	defer s.finish()
	s.conns.active(c)
	b := s.pool.Get().(*submission)
	defer s.release(b)
	body, ok := c.fastBody(b, first[h.size:], int(h.length))
	if ok {
		b.describeFast(&h, &c.fast)
		b.rec.Body = body
		ok = s.acknowledge(b, namespace) == nil
	}
	if !ok {
		if more := body[min(len(first)-h.size, len(body)):]; len(more) > 0 {
			c.fast.pending = append([]byte(nil), more...) // which the handler takes at once
		}
		return false
	}
	c.respondFast(b)
	s.conns.rest(c)
	return true
}

// plain reports whether a submission would be admitted, and returns its namespace.
func (s *Server) plain(h *plainHead) (namespace string, ok bool) {
	uri := string(h.uri)
	if len(uri) > s.cfg.MaxPath || h.length > min(s.cfg.MaxBody, maxFast) {
		return "", false
	}
	namespace, docType, ok := parseTarget(uri)
	return namespace, ok && s.takes(namespace, docType)
}

// fastBody reads the rest of a body if it has arrived. It returns the bytes and whether they are complete.
func (c *conn) fastBody(b *submission, first []byte, length int) ([]byte, bool) {
	v := &c.server.receiver
	size := classSize(int64(length))
	b.reserved += size
	if v.inFlight.Add(size) > v.maxInFlight {
		return nil, false
	}
	b.buf = v.get(size)
	body := append(*b.buf, first...)
	for len(body) < length {
		n, ok := readNow(c.fast.raw, body[len(body):length])
		body = body[:len(body)+n]
		if !ok {
			break
		}
	}
	*b.buf = body
	return body, len(body) == length
}

// respondFast responds as net/http would.
func (c *conn) respondFast(b *submission) {
	now := c.server.cfg.Now()
	c.renew(now)
	b.response = append(b.response[:0], "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Type: text/plain; charset=utf-8\r\nDate: "...)
	b.response = now.UTC().AppendFormat(b.response, http.TimeFormat)
	b.response = append(b.response, "\r\n\r\nOK\n"...)
	_, _ = c.Conn.Write(b.response) // the next read fails as well
}

// renew extends the deadlines that net/http set. To save system calls it does so at most every second or eighth
// of a timeout.
func (c *conn) renew(now time.Time) {
	cfg := &c.server.cfg
	if d := now.Sub(c.fast.renewed); d >= 0 && d < min(time.Second, cfg.IdleTimeout/8, cfg.WriteTimeout/8) {
		return
	}
	c.fast.renewed = now
	_ = c.Conn.SetReadDeadline(now.Add(cfg.IdleTimeout)) // fails when it is closed
	_ = c.Conn.SetWriteDeadline(now.Add(cfg.WriteTimeout))
}

// describeFast fills the record with all but the body, as describe does.
func (b *submission) describeFast(h *plainHead, q *fastPath) {
	b.text = append(b.text[:0], h.uri...)
	b.rec = spool.Record{URI: b.text[:len(b.text):len(b.text)], RemoteAddr: q.peer, Headers: b.headers[:0]}
	for i, v := range h.headers {
		if v != nil {
			b.header(storedHeaders[i].name, v[:min(len(v), maxValue)])
		}
	}
	b.header(hostName, h.host[:min(len(h.host), maxValue)])
	if v := h.forwarded; v != nil && q.trusted {
		b.header(forwardedName, v[max(0, len(v)-maxValue):])
	}
}
