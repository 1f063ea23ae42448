package edge

import (
	"crypto/tls"
	"net"
	"net/http"
	"sync"
)

// conns holds the open connections. The idle ones are in a list, the longest idle one first. New connections
// are idle until they send something.
type conns struct {
	mu      sync.Mutex
	max     int
	open    int
	list    conn // its next is the oldest idle one, its prev the newest
	evicted int64
	refused int64
}

func (s *conns) init(limit int) {
	s.max = limit
	s.list.next, s.list.prev = &s.list, &s.list
}

// add registers a connection. If there are too many it returns the idle one that must be closed, and false if
// there is none.
func (s *conns) add(c *conn) (evict *conn, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open >= s.max {
		if evict = s.list.next; evict == &s.list {
			s.refused++
			return nil, false
		}
		s.evicted++
		s.drop(evict)
	}
	s.open++
	c.open = true
	s.push(c)
	return evict, true
}

// drop removes an open connection.
func (s *conns) drop(c *conn) {
	if c.open {
		c.open = false
		s.open--
		s.unlink(c)
	}
}

func (s *conns) push(c *conn) {
	c.idle.Store(true)
	c.prev, c.next = s.list.prev, &s.list
	c.prev.next, c.next.prev = c, c
}

func (s *conns) unlink(c *conn) {
	if c.idle.Swap(false) {
		c.prev.next, c.next.prev = c.next, c.prev
		c.prev, c.next = nil, nil
	}
}

func (s *conns) remove(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(c)
}

func (s *conns) active(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unlink(c)
}

// rest marks a connection as idle from now on.
func (s *conns) rest(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.open {
		s.unlink(c)
		s.push(c)
	}
}

// closeIdle closes every idle connection.
func (s *conns) closeIdle() {
	for {
		s.mu.Lock()
		c := s.list.next
		if c != &s.list {
			s.drop(c)
		}
		s.mu.Unlock()
		if c == &s.list {
			return
		}
		_ = c.raw.Close()
	}
}

// follow is the server's ConnState hook.
func (s *conns) follow(nc net.Conn, state http.ConnState) {
	c, ok := nc.(*conn)
	if !ok {
		return
	}
	switch state {
	case http.StateActive:
		if c.idle.Load() {
			s.active(c)
		}
	case http.StateIdle:
		s.rest(c)
		c.prepareFastPath()
	}
}

// listener accepts guarded connections within the bound.
type listener struct {
	net.Listener
	server *Server
}

func (l *listener) Accept() (net.Conn, error) {
	for {
		raw, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &conn{Conn: raw, raw: raw, server: l.server}
		c.frame.maxLine = l.server.cfg.MaxHeaderBytes
		if l.server.tls != nil {
			c.Conn = tls.Server(raw, l.server.tls)
		}
		evict, ok := l.server.conns.add(c)
		if evict != nil {
			evict.evict()
		}
		if ok {
			return c, nil
		}
		_ = raw.Close()
	}
}
