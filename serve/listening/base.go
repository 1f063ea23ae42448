package listening

import (
	"net"
	"net/netip"
	"strings"
)

// Base is the address by which people reach a listener: url, unless that is "", or else where it listens. All interfaces are reached
// by this machine's own one.
func Base(url, listens string, tls bool) string {
	if url != "" {
		return strings.TrimSuffix(url, "/")
	}
	scheme := "http://"
	if tls {
		scheme = "https://"
	}
	host, port, err := net.SplitHostPort(listens)
	if err != nil {
		return scheme + listens
	}
	if a, err := netip.ParseAddr(host); host == "" || err == nil && a.IsUnspecified() {
		host = "127.0.0.1"
	}
	return scheme + net.JoinHostPort(host, port)
}
