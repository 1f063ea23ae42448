package listening

import (
	"net"
	"net/netip"
	"strings"
)

// Base returns the base URL of a listener: url if it is set, otherwise one made from the address on which it listens.
// A listener on all interfaces gets 127.0.0.1.
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
