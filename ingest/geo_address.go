package ingest

import "net/netip"

// address returns the address of the client: the one in X-Forwarded-For, else the peer's. It returns the zero
// address if that is not an address.
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
