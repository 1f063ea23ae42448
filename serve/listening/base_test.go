package listening

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBase(t *testing.T) {
	for _, c := range []struct {
		url, listens string
		tls          bool
		want         string
	}{
		{"", "127.0.0.1:8090", false, "http://127.0.0.1:8090"},
		{"", ":8090", true, "https://127.0.0.1:8090"},
		{"", "[::]:8090", false, "http://127.0.0.1:8090"},
		{"", "[::1]:8090", false, "http://[::1]:8090"},
		{"", "inner:8090", false, "http://inner:8090"},
		{"https://pings.example.org/", ":8090", false, "https://pings.example.org"},
	} {
		require.Equal(t, c.want, Base(c.url, c.listens, c.tls))
	}
}
