package clienttest

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReserveAddress: reserved addresses differ, a server can listen there again and again, and they are free at the end.
func TestReserveAddress(t *testing.T) {
	seen := map[string]func(){}
	for range 50 {
		addr, release, err := ReserveAddress()
		require.NoError(t, err)
		require.NotContains(t, seen, addr)
		seen[addr] = release
	}
	for addr, release := range seen {
		for range 2 {
			l, err := net.Listen("tcp", addr)
			require.NoError(t, err)
			require.NoError(t, l.Close())
		}
		release()
		again, err := net.ListenPacket("udp", addr)
		require.NoError(t, err)
		require.NoError(t, again.Close())
	}
}
