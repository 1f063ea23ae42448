package listening

import (
	"net"
	"net/netip"
	"slices"
	"sync"
)

// Pending bounds the connections that may be closed to make room: their clients have not authenticated yet, or no request of
// theirs is served. One that is too many takes the place of the oldest of the address that has most of them, which is closed: silent
// connections shut out nobody who authenticates or asks in time. It is safe for concurrent use.
type Pending struct {
	Max        int // connections
	PerAddress int // of them from one address

	mu    sync.Mutex
	conns []pendingConn  // the oldest first
	count map[string]int // connections by address
}

type pendingConn struct {
	net.Conn
	host string
}

// Add adds a connection. The caller calls done when the connection may not be closed any more, or the client has disconnected,
// possibly with a lock of the connection held. So Add closes no connection while it holds p's lock.
func (p *Pending) Add(conn net.Conn) (done func()) {
	if old := p.add(pendingConn{conn, host(conn)}); old != nil {
		_ = old.Close() // the client cannot use an error
	}
	return sync.OnceFunc(func() { p.remove(conn) })
}

// add adds a connection and returns the one that it replaces, or nil.
func (p *Pending) add(c pendingConn) (old net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.count == nil {
		p.count = map[string]int{}
	}
	p.conns = append(p.conns, c)
	p.count[c.host]++
	switch {
	case p.count[c.host] > p.PerAddress:
		return p.takeOldest(c.host)
	case len(p.conns) > p.Max:
		most := c.host
		for host, n := range p.count {
			if n > p.count[most] {
				most = host
			}
		}
		return p.takeOldest(most)
	}
	return nil
}

// takeOldest removes the oldest connection of an address.
func (p *Pending) takeOldest(host string) net.Conn {
	i := slices.IndexFunc(p.conns, func(c pendingConn) bool { return c.host == host })
	return p.take(i)
}

func (p *Pending) take(i int) net.Conn {
	c := p.conns[i]
	p.conns = slices.Delete(p.conns, i, i+1)
	if p.count[c.host]--; p.count[c.host] == 0 {
		delete(p.count, c.host)
	}
	return c.Conn
}

func (p *Pending) remove(conn net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.IndexFunc(p.conns, func(c pendingConn) bool { return c.Conn == conn }); i >= 0 {
		p.take(i)
	}
}

// host returns the address of a client without its port, of IPv6 the network: a client has all addresses of one.
func host(conn net.Conn) string {
	a, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil {
		return conn.RemoteAddr().String()
	}
	if addr := a.Addr().Unmap(); addr.Is6() {
		network, _ := addr.WithZone("").Prefix(64) // of an address with this number of bits
		return network.String()
	}
	return a.Addr().Unmap().String()
}
