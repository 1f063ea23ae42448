package flight

import (
	"net"
	"sync"
	"time"
)

// listener bounds the connections of a server: those on which nobody has authenticated yet, and the others.
type listener struct {
	net.Listener
	doors *doors
}

// Accept waits for a connection.
func (l *listener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &connection{Conn: conn, doors: l.doors}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = l.doors.pending.Add(c)
	c.late = time.AfterFunc(pendingTime, func() { _ = c.Close() }) // its client has no use of an error
	return c, nil
}

// connection is one of a server. gRPC shows it to calls as the address of its client.
type connection struct {
	net.Conn
	doors *doors
	known func() // ends that nobody has authenticated
	late  *time.Timer

	mu     sync.Mutex
	owner  string // the person who authenticated first
	closed bool
}

// address is that of a client with its connection.
type address struct {
	net.Addr
	conn *connection
}

// RemoteAddr is the address of the client.
func (c *connection) RemoteAddr() net.Addr { return address{c.Conn.RemoteAddr(), c} }

// Close closes the connection and gives its place back.
func (c *connection) Close() error {
	c.mu.Lock()
	c.late.Stop()
	go c.known() // which may be what closes it
	owner := c.owner
	c.owner, c.closed = "", true
	c.mu.Unlock()
	if owner != "" {
		c.doors.leave(owner)
	}
	return c.Conn.Close()
}

// authenticated notes that a person has authenticated on the connection from an address. It is false if there are too many
// connections.
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
	if !c.doors.enter(person) {
		return false
	}
	c.owner = person
	c.late.Stop()
	c.known()
	return true
}

// enter takes a place for a connection of a person.
func (d *doors) enter(person string) bool {
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

// leave gives it back.
func (d *doors) leave(person string) {
	<-d.slots
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.conns[person]--; d.conns[person] == 0 {
		delete(d.conns, person)
	}
}
