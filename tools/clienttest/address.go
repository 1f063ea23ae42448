package clienttest

import (
	"net"
	"strconv"
	"testing"

	"github.com/hashicorp/consul/sdk/freeport"
)

// FreeAddress is one of the loopback interface for a server that the test starts, and may kill and start again. No other test of the
// machine gets it before this one ends, and the system gives it to nobody: its port lies below those of outgoing connections.
func FreeAddress(t testing.TB) string {
	t.Helper()
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(freeport.GetOne(t)))
}
