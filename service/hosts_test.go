package service

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHosts asks over a socket for all kinds of hosts.
func TestHosts(t *testing.T) {
	p := Private{PProf: true,
		Metrics: testMetrics(), Hosts: []string{"Ops.example.org:8081", "metrics"},
		Status: func(context.Context) (any, error) { return "secret", nil },
	}
	s := httptest.NewServer(p.Handler())
	defer s.Close()
	for host, want := range map[string]int{
		"": 200, "localhost": 200, "LOCALHOST:8081": 200, "a.localhost": 200, "127.0.0.1": 200, "10.1.2.3:9": 200, "[::1]": 200,
		"[fe80::1]:8081":  200,
		"ops.example.org": 200, "ops.example.org.:1": 200, "metrics:8081": 200,
		"evil.example": 421, "evil.example:8081": 421, "localhost.evil.example": 421, "notlocalhost": 421, "x.ops.example.org": 421,
		"127.0.0.1.evil.example": 421, "metrics.evil.example": 421,
	} {
		for _, path := range []string{"/status", "/metrics", "/debug/pprof/cmdline", "/nothing"} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, nil)
			require.NoError(t, err)
			r.Host = host // "": that of the URL
			res, err := s.Client().Do(r)
			require.NoError(t, err)
			res.Body.Close()
			if ok := path != "/nothing" || want != 200; ok && res.StatusCode != want || !ok && res.StatusCode != 404 {
				t.Errorf("%s of host %q: %d, want %d", path, host, res.StatusCode, want)
			}
		}
	}
}
