package service

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOpenListeners: a listener that is open to all addresses is named, unless it has TLS or is the edge's, whose clients are strangers.
func TestOpenListeners(t *testing.T) {
	all := []string{PartEdge, PartWeb}
	open := func(parts []string, private, web, flight, postgres, cert string) string {
		c := &Config{Parts: parts, Listen: ":8080", Operators: Operators{Private: private}}
		c.Web.Listen, c.Web.Flight, c.Web.Postgres, c.Web.CertFile = web, flight, postgres, cert
		return strings.Join(c.Exposed(), " ")
	}
	const own = "127.0.0.1:1"
	for _, c := range []struct{ got, want string }{
		{open(all, own, own, own, own, ""), ""},
		{open(all, ":8081", "0.0.0.0:8090", "[::]:8091", ":8092", ""), "private.listen web.listen flight.listen postgres.listen"},
		{open(all, own, ":8090", ":8091", ":8092", "cert.pem"), ""},
		{open(all, "[::1]:8081", "192.0.2.1:8090", "", "localhost:8092", ""), ""},
		{open([]string{PartEdge}, ":8081", ":8090", ":8091", ":8092", ""), "private.listen"},
	} {
		require.Equal(t, c.want, c.got)
	}
}
