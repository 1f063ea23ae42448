package edge

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/serve/listening/listeningtest"
)

// TestSmuggling: no submission in the body of another request reaches the spool, whatever the response to that is, and when it comes:
// over TCP, TLS, and behind a proxy.
func TestSmuggling(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert"), filepath.Join(dir, "key")
	cert := writePair(t, certFile, keyFile, 1)
	for _, how := range []string{"tcp", "tls", "proxy", "proxy without buffers"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			e := start(t, func(c *Config) {
				c.MaxBody, c.ReadHeaderTimeout, c.ReadTimeout = 200_000, 5*time.Second, 5*time.Second
				if how == "tls" {
					c.CertFile, c.KeyFile = certFile, keyFile
				}
			})
			at := e.addr
			if strings.HasPrefix(how, "proxy") {
				at = listeningtest.Nginx(t, "http", e.addr, how == "proxy")
			}
			s := listeningtest.Smuggling{
				Dial: func() (net.Conn, error) {
					if how == "tls" {
						return tls.Dial("tcp", at, trusting(cert))
					}
					return net.Dial("tcp", at)
				},
				Routes: []string{
					"POST " + telemetryPath, "PUT " + genericPath, "POST " + telemetryPath + strings.Repeat("x", 3000), "POST /submit/other/main/4/id",
					"POST /",
					"POST /submit/telemetry/x", "DELETE " + telemetryPath, "GET " + telemetryPath, "GET /status", "POST /status", "OPTIONS *",
					"GET /__heartbeat__", "GET /__version__",
				},
				Ways:   []listeningtest.Way{{Name: "plain", Large: true, Headers: func() []string { return []string{"Host: edge"} }}},
				Hidden: post("/submit/telemetry/main/4/hidden", "{}"), Large: 800_000,
				Next: func() string { return request("GET / HTTP/1.1", "", "Host: edge", "Connection: close") }, NextStatus: 404,
			}
			statuses := s.Run(t)
			if how == "tcp" {
				for _, status := range []int{200, 400, 404, 405, 408, 413, 414} {
					require.Positive(t, statuses[status], "%d was never tried: %v", status, statuses)
				}
			}
			for _, r := range e.stop(t) {
				require.NotContains(t, string(r.URI), "hidden")
			}
		})
	}
}

// TestSmugglingOverHTTP2: nor does one that a proxy brings whose clients speak HTTP/2, and which speaks HTTP/1.1 with the edge.
func TestSmugglingOverHTTP2(t *testing.T) {
	for _, buffering := range []bool{true, false} {
		e := start(t, func(c *Config) { c.MaxBody = 200_000 })
		proxy := "http://" + listeningtest.NginxHTTP2(t, "http", e.addr, buffering)
		client := &http.Client{Transport: &http.Transport{Protocols: protocols(false, false, true)}}
		hidden := post("/submit/telemetry/main/4/hidden", "{}")
		for _, route := range []string{"POST " + telemetryPath, "PUT " + genericPath, "POST /", "DELETE " + telemetryPath, "GET " + telemetryPath,
			"POST /status"} {
			method, path, _ := strings.Cut(route, " ")
			for _, times := range []int{1, 800_000 / len(hidden)} {
				// of no known length
				r, err := http.NewRequestWithContext(t.Context(), method, proxy+path, io.MultiReader(strings.NewReader(strings.Repeat(hidden, times))))
				require.NoError(t, err)
				got, err := client.Do(r)
				require.NoError(t, err, route)
				_ = got.Body.Close()
				require.Equal(t, 2, got.ProtoMajor)
				got, err = client.Get(proxy + "/__lbheartbeat__")
				require.NoError(t, err)
				_ = got.Body.Close()
				require.Equal(t, 200, got.StatusCode, route)
			}
		}
		client.CloseIdleConnections()
		accepted := e.stop(t)
		require.NotEmpty(t, accepted)
		for _, r := range accepted {
			require.NotContains(t, string(r.URI), "hidden")
		}
	}
}
