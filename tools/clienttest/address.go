package clienttest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// FreeAddress returns a loopback address for a server that the test starts, and may stop and start again. No other
// test on the machine gets it before this test ends, and the system does not assign it: its port is below those of
// outgoing connections.
func FreeAddress(t testing.TB) string {
	t.Helper()
	addr, release, err := ReserveAddress()
	require.NoError(t, err)
	t.Cleanup(release)
	return addr
}

// Ports of reserved addresses. Systems take ports of outgoing connections from 32768 on.
const (
	firstPort = 20_000
	lastPort  = 32_000
)

// ReserveAddress reserves a loopback address for the caller until release is called or the process ends. Nothing
// listens there: a UDP socket with the same port keeps others that reserve addresses away.
func ReserveAddress() (addr string, release func(), err error) {
	for range 1000 {
		addr = fmt.Sprintf("127.0.0.1:%d", firstPort+rand.IntN(lastPort-firstPort))
		reserved, err := net.ListenPacket("udp", addr)
		if err != nil {
			continue
		}
		if free, err := net.Listen("tcp", addr); err == nil && free.Close() == nil {
			return addr, func() { reserved.Close() }, nil
		}
		reserved.Close()
	}
	return "", nil, errors.New("no port is free")
}
