package flight

import (
	"net"
	"sync"
	"time"
)

// listener limits the connections of a server, separately before and after authentication.
type listener struct {
	net.Listener
	connections *connections
}

// Accept waits for a connection.
func (l *listener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &connection{Conn: conn, all: l.connections}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = l.connections.pending.Add(c)
	c.late = time.AfterFunc(pendingTime, func() { _ = c.Close() }) // the client cannot use an error
	return c, nil
}

// connection is one of a listener's connections. gRPC passes it to calls as the address of the client.
type connection struct {
	net.Conn
	all   *connections
	known func() // removes it from the pending connections
	late  *time.Timer

	mu     sync.Mutex
	owner  string // the first person who authenticated
	closed bool
}

// address is a client's address together with its connection.
type address struct {
	net.Addr
	conn *connection
}

// RemoteAddr returns the address of the client.
func (c *connection) RemoteAddr() net.Addr { return address{c.Conn.RemoteAddr(), c} }

// Close closes the connection and frees its slot.
func (c *connection) Close() error {
	c.mu.Lock()
	c.late.Stop()
	go c.known() // in a goroutine, because Pending may call Close
	owner := c.owner
	c.owner, c.closed = "", true
	c.mu.Unlock()
	if owner != "" {
		c.all.leave(owner)
	}
	return c.Conn.Close()
}

// owned reports whether a person has authenticated on the connection of an address.
func owned(from net.Addr) bool {
	a, ok := from.(address)
	if !ok {
		return false
	}
	a.conn.mu.Lock()
	defer a.conn.mu.Unlock()
	return a.conn.owner != ""
}

// authenticated records that a person authenticated on the connection of an address. It returns false if the person or
// the server has too many connections.
func authenticated(from net.Addr, person string) bool {
	a, ok := from.(address)
	if !ok {
		return true
	}
	c := a.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.owner != "" || c.closed {
		return true
	}
	if !c.all.enter(person) {
		return false
	}
	c.owner = person
	c.late.Stop()
	c.known()
	return true
}

// enter reserves a slot for a connection of a person. It returns false if none is free.
func (d *connections) enter(person string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.conns[person] >= maxOfPerson {
		return false
	}
	select {
	case d.slots <- struct{}{}:
	default:
		return false
	}
	d.conns[person]++
	return true
}

// leave frees the slot that enter reserved.
func (d *connections) leave(person string) {
	<-d.slots
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.conns[person]--; d.conns[person] == 0 {
		delete(d.conns, person)
	}
}
