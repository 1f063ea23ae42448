package listening

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// GuardHosts responds 421 if the Host header is not one of the known names. A hostile page can resolve its own name to
// the listener's address (DNS rebinding) and read responses through its visitor's browser; the Host header reveals
// that name. IP addresses and localhost are always allowed, because no page can own them. key is the configuration key
// of the names, for the error text.
func GuardHosts(known []string, key string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name := hostName(r.Host); !isLocal(name) && !slices.ContainsFunc(known, func(k string) bool { return hostName(k) == name }) {
			http.Error(w, fmt.Sprintf("this listener is not known as %q: see %s of the configuration", name, key), http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostName returns a host in normal form: no port, no brackets, no final dot, lower case.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// isLocal reports whether no page can own a host name. The name is empty in HTTP/1.0; browsers always send one.
func isLocal(name string) bool {
	_, err := netip.ParseAddr(name)
	return err == nil || name == "" || name == "localhost" || strings.HasSuffix(name, ".localhost")
}
