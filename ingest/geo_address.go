package ingest

import "net/netip"

// address is the address of the client: what X-Forwarded-For says it is, else
// the peer. The zero address: neither is one.
func address(s *Submission) netip.Addr {
	if fwd, ok := ForwardedAddress(s.Headers.Get(ForwardedFor)); ok {
		return parseAddress(fwd)
	}
	return parseAddress(s.RemoteAddr)
}

// parseAddress reads an IP address with or without a port.
func parseAddress(b []byte) netip.Addr {
	text := string(b)
	if a, err := netip.ParseAddr(text); err == nil {
		return a.WithZone("").Unmap()
	}
	if a, err := netip.ParseAddrPort(text); err == nil {
		return a.Addr().WithZone("").Unmap()
	}
	return netip.Addr{}
}
