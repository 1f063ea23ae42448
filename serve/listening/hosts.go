package listening

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// GuardHosts responds 421 to requests for hosts that are no names of the
// listener. A hostile page can let its own name resolve to the listener's
// address (DNS rebinding) and read the responses with the browser of its
// visitor; the requested name shows that. No page can have an address or
// localhost as its name. key is the key of the configuration that has the names.
func GuardHosts(known []string, key string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name := hostName(r.Host); !isLocal(name) && !slices.ContainsFunc(known, func(k string) bool { return hostName(k) == name }) {
			http.Error(w, fmt.Sprintf("this listener is not known as %q: see %s of the configuration", name, key), http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostName is a host without its port, in one way of writing it.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// isLocal says whether a host cannot be another's name. HTTP/1.0 has none at
// all; browsers always send one.
func isLocal(name string) bool {
	_, err := netip.ParseAddr(name)
	return err == nil || name == "" || name == "localhost" || strings.HasSuffix(name, ".localhost")
}
