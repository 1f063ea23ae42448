package web

import (
	"bytes"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/site/sitetest"
)

// TestEdgeURL: the page Send pings shows the address by which clients reach the edge.
func TestEdgeURL(t *testing.T) {
	for _, c := range []struct {
		set     Settings
		listens string
		tls     bool
		want    string
	}{
		{Settings{}, "127.0.0.1:8080", false, "http://localhost:8080"},
		{Settings{}, "[::1]:8443", true, "https://localhost:8443"},
		{Settings{}, "10.0.0.7:8080", false, "http://10.0.0.7:8080"},
		{Settings{}, "edge:8080", false, "http://edge:8080"},
		{Settings{URL: "https://pings.example.org/"}, "[::]:8080", false, "http://pings.example.org:8080"},
		{Settings{}, "[::]:8080", false, "http://127.0.0.1:8080"},
		{Settings{URL: "https://pings.example.org"}, "", false, ""},
		{Settings{EdgeURL: "https://edge.example.org/"}, "", false, "https://edge.example.org"},
		{Settings{EdgeURL: "https://edge.example.org"}, "127.0.0.1:8080", false, "https://edge.example.org"},
	} {
		require.Equal(t, c.want, c.set.Edge(c.listens, c.tls, "127.0.0.1:8090"), c)
	}
}

// TestFirst: the log of the first start has a link; that of a later one names the command that makes another, until somebody has
// signed in.
func TestFirst(t *testing.T) {
	site, dir := sitetest.Local(t), t.TempDir()
	start := func() (*Server, string) {
		var log bytes.Buffer
		s, err := New(t.Context(), Config{Site: site, Dir: dir, URL: "http://127.0.0.1:8090", Version: "1", Clock: clock.Clock{Now: time.Now},
			Log: slog.New(slog.NewTextHandler(&log, nil))})
		require.NoError(t, err)
		return s, log.String()
	}
	s, log := start()
	require.Contains(t, log, "http://127.0.0.1:8090/link#")
	require.NoError(t, s.Close())
	s, log = start()
	require.NotContains(t, log, "/link#")
	require.Contains(t, log, "pingmill user link "+access.FirstName)
	accounts, err := s.Access.Accounts(t.Context())
	require.NoError(t, err)
	_, err = s.Access.Begin(t.Context(), accounts[0].ID, access.ByPassword, access.Visit{})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	s, log = start()
	require.NotContains(t, log, "pingmill user link")
	require.NoError(t, s.Close())
}
