package access

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store/database"
)

// TestAddress: the address of the query tool outlasts the program that recorded it.
func TestAddress(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), database.In(dir), nil)
	require.NoError(t, err)
	at, err := s.Address()
	require.NoError(t, err)
	require.Empty(t, at)
	for _, url := range []string{"http://127.0.0.1:8090", "https://pings.example.org"} {
		require.NoError(t, s.SetAddress(url))
	}
	require.NoError(t, s.Close())
	s, err = Open(t.Context(), database.In(dir), nil)
	require.NoError(t, err)
	defer s.Close()
	at, err = s.Address()
	require.NoError(t, err)
	require.Equal(t, "https://pings.example.org", at)
}
