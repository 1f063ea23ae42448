package web

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/serve/listening/listeningtest"
	"github.com/pingmill/pingmill/serve/web/api"
)

// TestResets: clients that open streams of HTTP/2 and reset them at once hold little, and others are served meanwhile.
func TestResets(t *testing.T) {
	cert, key, roots := pair(t)
	a := startAttacked(t, Settings{CertFile: cert, KeyFile: key})
	before := runtime.NumGoroutine()
	done := make(chan int, 1)
	go func() {
		done <- listeningtest.Reset(t, func() (net.Conn, error) {
			return tls.Dial("tcp", a.at, &tls.Config{RootCAs: roots, NextProtos: []string{"h2"}})
		}, 5000, ":method", "POST", ":scheme", "https", ":authority", a.at, ":path", api.Prefix+"/session", "content-type", "application/json")
	}()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}}
	most := 0
	for ended := false; !ended; {
		r, err := client.Get("https://" + a.at + "/icon.svg")
		require.NoError(t, err)
		_ = r.Body.Close()
		most = max(most, runtime.NumGoroutine())
		select {
		case <-done:
			ended = true
		default:
		}
	}
	client.CloseIdleConnections()
	require.Less(t, most, before+600)
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+10 }, 20*time.Second, 10*time.Millisecond)
}

// TestEarlyResponses: over HTTP/2 an early response to a large body ends its stream alone, and hides nothing in it.
func TestEarlyResponses(t *testing.T) {
	cert, key, roots := pair(t)
	a := startAttacked(t, Settings{CertFile: cert, KeyFile: key})
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}}
	s := a.smuggling(t, nil)
	body := strings.Repeat(s.Hidden, s.Large/len(s.Hidden))
	for _, route := range s.Routes {
		method, path, _ := strings.Cut(route, " ")
		if path == "*" {
			continue
		}
		for i, way := range s.Ways {
			for _, text := range []string{s.Hidden, body}[:1+(i+1)%2] {
				r, err := http.NewRequestWithContext(t.Context(), method, "https://"+a.at+path, io.MultiReader(strings.NewReader(text))) // of no known length
				require.NoError(t, err)
				for _, h := range way.Headers() {
					name, value, _ := strings.Cut(h, ": ")
					r.Header.Set(name, value)
				}
				got, err := client.Do(r)
				require.NoError(t, err, route)
				_ = got.Body.Close()
				require.Equal(t, 2, got.ProtoMajor)
			}
		}
	}
	require.Zero(t, a.served.Load(), "requests in bodies were served")
	client.CloseIdleConnections()
}
