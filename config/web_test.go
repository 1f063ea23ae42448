package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWebAddresses: addresses of the query tool have no path, those of providers TLS.
func TestWebAddresses(t *testing.T) {
	for s, want := range map[string][2]bool{
		"": {true, true}, "https://a.example": {true, true}, "https://a.example:8443/": {true, true}, "https://a.example/path": {false, true},
		"http://a.example":   {true, false},
		"http://127.0.0.1:9": {true, true}, "http://[::1]:9": {true, true}, "http://localhost": {true, true}, "a.example": {false, false},
		"//a.example": {false, false}, "ftp://a.example": {false, false},
		"https://": {false, false}, "https://u:p@a.example": {false, true}, "https://a.example?x": {false, true}, "%": {false, false},
	} {
		require.Equal(t, want, [2]bool{webURL(s) == nil, issuer(s) == nil}, s)
	}
	require.NoError(t, group("a=b"))
	require.Error(t, group("a="))
	require.Error(t, group("b"))
}
