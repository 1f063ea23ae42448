package service

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/serve/listening/listeningtest"
)

// TestSmuggling: the private listener serves no request in the body of another one, nor does it behind a proxy. The proxy has few
// requests at once: connections that end after an early response count for a moment more, and too many make room for each other.
func TestSmuggling(t *testing.T) {
	routes := []string{
		"POST /status", "GET /status", "GET /metrics", "GET /__heartbeat__", "POST /nothing", "OPTIONS *",
		"POST /metrics", "GET /__lbheartbeat__", "GET /debug/pprof/", "GET /debug/pprof/cmdline", "POST /debug/pprof/symbol",
		"GET /debug/pprof/symbol",
	}
	for _, how := range []string{"alone", "proxy", "proxy without buffers"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			to, served := operators(t)
			tried, atOnce := routes, maxPrivateConnections/2
			if how != "alone" {
				to = listeningtest.Nginx(t, "http", to, how == "proxy")
				tried, atOnce = routes[:6], maxPrivateConnections/4
			}
			way := func(host string) listeningtest.Way {
				return listeningtest.Way{Name: host, Large: true, Headers: func() []string { return []string{"Host: " + host} }}
			}
			s := listeningtest.Smuggling{
				Dial:   func() (net.Conn, error) { return net.Dial("tcp", to) },
				Routes: tried, Ways: []listeningtest.Way{way("localhost"), way("evil.example")}, Large: 600_000, AtOnce: atOnce,
				Hidden:     "GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n",
				Next:       func() string { return "GET /__lbheartbeat__ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" },
				NextStatus: 200,
			}
			s.Run(t)
			require.Zero(t, served.Load(), "requests in bodies were served")
		})
	}
}

// operators serves a private listener, and counts the requests to /hidden.
func operators(t *testing.T) (at string, served *atomic.Int64) {
	t.Helper()
	p := Private{PProf: true, Metrics: testMetrics(), Status: func(context.Context) (any, error) { return "state", nil }}
	handler := p.Handler()
	served = &atomic.Int64{}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- serveOperators(ctx, l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/hidden" {
				served.Add(1)
			}
			handler.ServeHTTP(w, r)
		}))
	}()
	t.Cleanup(func() { end(); require.NoError(t, <-ended) })
	return l.Addr().String(), served
}
