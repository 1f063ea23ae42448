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
	a.respondEarly(t, client, "https://"+a.at, a.smuggling(t, nil).Routes)
}

// TestEarlyResponsesBehindProxy does the same through a proxy that speaks HTTP/2 with clients and HTTP/1.1 with the
// query tool, to some routes. The next client of the proxy's connection gets its own response.
func TestEarlyResponsesBehindProxy(t *testing.T) {
	for _, buffering := range []bool{true, false} {
		a := startAttacked(t, Settings{})
		proxy := "http://" + listeningtest.NginxHTTP2(t, "http", a.at, buffering)
		client := &http.Client{Transport: &http.Transport{Protocols: &http.Protocols{}}}
		client.Transport.(*http.Transport).Protocols.SetUnencryptedHTTP2(true)
		routes := []string{"POST " + api.Prefix + "/session", "POST " + api.Prefix + "/queries", "DELETE " + api.Prefix + "/session",
			"GET " + api.Prefix + "/tables", "POST /"}
		a.respondEarly(t, client, proxy, routes)
	}
}

// respondEarly sends requests whose bodies contain others over HTTP/2, and asks for something else after each.
func (a *attacked) respondEarly(t *testing.T, client *http.Client, base string, routes []string) {
	t.Helper()
	s := a.smuggling(t, nil)
	body := strings.Repeat(s.Hidden, s.Large/len(s.Hidden))
	send := func(method, path string, headers []string, body io.Reader) int {
		r, err := http.NewRequestWithContext(t.Context(), method, base+path, body)
		require.NoError(t, err)
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			if name == "Host" {
				r.Host = value
			}
			r.Header.Set(name, value)
		}
		got, err := client.Do(r)
		require.NoError(t, err, path)
		_ = got.Body.Close()
		require.Equal(t, 2, got.ProtoMajor)
		return got.StatusCode
	}
	for _, route := range routes {
		method, path, _ := strings.Cut(route, " ")
		if path == "*" {
			continue
		}
		for i, way := range s.Ways {
			for _, text := range []string{s.Hidden, body}[:1+(i+1)%2] {
				send(method, path, way.Headers(), io.MultiReader(strings.NewReader(text))) // of no known length
				require.Equal(t, 200, send("GET", "/icon.svg", []string{a.address()}, nil))
			}
		}
	}
	require.Zero(t, a.served.Load(), "requests in bodies were served")
	client.CloseIdleConnections()
}
