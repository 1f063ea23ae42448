package listening

import (
	"net"
	"net/netip"
	"slices"
	"sync"
)

// Pending bounds the connections whose clients have not authenticated yet. One that is too many takes the place of the oldest of
// the address that has most of them, which is closed: silent connections shut out nobody who authenticates in time. It is safe for
// concurrent use.
type Pending struct {
	Max        int // connections
	PerAddress int // of them from one address

	mu    sync.Mutex
	conns []net.Conn // the oldest first
}

// Add adds a connection. The caller calls done when the client has authenticated or disconnected, possibly with a lock of
// the connection held. So Add closes no connection while it holds p's lock.
func (p *Pending) Add(conn net.Conn) (done func()) {
	if old := p.add(conn); old != nil {
		_ = old.Close() // the client cannot use an error
	}
	return sync.OnceFunc(func() { p.remove(conn) })
}

// add adds a connection and returns the one that it replaces, or nil.
func (p *Pending) add(conn net.Conn) (old net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns = append(p.conns, conn)
	count := map[string]int{}
	most := host(conn)
	for _, c := range p.conns {
		if count[host(c)]++; count[host(c)] > count[most] {
			most = host(c)
		}
	}
	if own := host(conn); count[own] > p.PerAddress {
		return p.takeOldest(own)
	}
	if len(p.conns) > p.Max {
		return p.takeOldest(most)
	}
	return nil
}

// takeOldest removes the oldest connection of an address.
func (p *Pending) takeOldest(address string) net.Conn {
	i := slices.IndexFunc(p.conns, func(c net.Conn) bool { return host(c) == address })
	old := p.conns[i]
	p.conns = slices.Delete(p.conns, i, i+1)
	return old
}

func (p *Pending) remove(conn net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.conns, conn); i >= 0 {
		p.conns = slices.Delete(p.conns, i, i+1)
	}
}

// host is the address of a client without its port, of IPv6 the network: a client has all addresses of one.
func host(conn net.Conn) string {
	a, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil {
		return conn.RemoteAddr().String()
	}
	if addr := a.Addr().Unmap(); addr.Is6() {
		network, _ := addr.WithZone("").Prefix(64) // of an address that has so many bits
		return network.String()
	}
	return a.Addr().Unmap().String()
}
