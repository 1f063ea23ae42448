package clienttest

import (
	"net"
	"strconv"
	"testing"

	"github.com/hashicorp/consul/sdk/freeport"
)

// FreeAddress returns a loopback address for a server that the test starts, and may stop and start again. No other
// test on the machine gets it before this test ends, and the system does not assign it: its port is below those of
// outgoing connections.
func FreeAddress(t testing.TB) string {
	t.Helper()
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(freeport.GetOne(t)))
}
