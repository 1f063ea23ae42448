package web

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/serve/listening/listeningtest"
	"github.com/pingmill/pingmill/serve/web/api"
	"github.com/pingmill/pingmill/site/sitetest"
)

// The requests in bodies ask for hiddenPath.
const hiddenPath = api.Prefix + "/hidden"

// busy is an address that has sent too many requests.
const busy = "10.255.0.1"

// attacked is a query tool that counts the requests to hiddenPath.
type attacked struct {
	*Server
	at     string
	tokens []string // of administrators
	served atomic.Int64
	client atomic.Uint32
}

func startAttacked(t *testing.T, set Settings) *attacked {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	set.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	now := time.Now() // it stands still: who has sent too many requests has for good
	a := &attacked{at: l.Addr().String()}
	a.Server, err = New(t.Context(), Config{
		Site: sitetest.Local(t), Dir: t.TempDir(), URL: set.Base(a.at), Settings: set, Version: "1",
		Clock: clock.Clock{Now: func() time.Time { return now },
			Wait: func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() }},
		Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	handler := a.handler
	a.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == hiddenPath {
			a.served.Add(1)
		}
		handler.ServeHTTP(w, r)
	})
	for i := range 20 { // each of them may send some requests at once
		p, err := a.Access.Add(t.Context(),
			access.Person{Name: fmt.Sprint("all", i), Kind: access.Service, Rights: []access.Right{access.Operate, access.Administer}})
		require.NoError(t, err)
		_, token, err := a.Access.NewToken(t.Context(), p.ID, access.Token{Name: "x", Scopes: access.Scopes})
		require.NoError(t, err)
		a.tokens = append(a.tokens, token)
	}
	ctx, end := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- a.Serve(ctx, l) }()
	t.Cleanup(func() { end(); require.NoError(t, <-served); require.NoError(t, a.Close()) })
	return a
}

// routes lists the routes of the API document, and some others.
func (a *attacked) routes(t *testing.T) (routes []string) {
	w := httptest.NewRecorder()
	a.Handler().ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1"+api.Prefix+"/openapi.json", nil))
	var document struct {
		Paths map[string]map[string]any
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &document))
	for path, operations := range document.Paths {
		path = strings.NewReplacer("{", "x", "}", "x").Replace(path)
		for method := range operations {
			routes = append(routes, strings.ToUpper(method)+" "+path)
		}
	}
	require.Greater(t, len(routes), 60)
	return append(routes, "TRACE "+api.Prefix+"/queries", "POST /", "POST /assets/x.js", "GET /catalog", "POST "+api.Prefix+"/nothing",
		"POST "+api.Prefix+"/openapi.json", "GET /auth/login", "OPTIONS *")
}

// token returns a header of an administrator.
func (a *attacked) token() string {
	return "Authorization: Bearer " + a.tokens[int(a.client.Add(1))%len(a.tokens)]
}

// address returns a header by which a request comes from an address of its own, so that no limit of requests is in the
// way.
func (a *attacked) address() string {
	n := a.client.Add(1)
	return fmt.Sprintf("X-Forwarded-For: 10.%d.%d.%d", n>>16, n>>8&255, n&255)
}

func (a *attacked) ways() []listeningtest.Way {
	way := func(name string, large bool, headers ...string) listeningtest.Way {
		return listeningtest.Way{Name: name, Large: large, Headers: func() []string { return append(headers, a.address()) }}
	}
	host := "Host: " + a.at
	one := listeningtest.Way{Name: "too many requests", Headers: func() []string { return []string{host, "X-Forwarded-For: " + busy} }}
	all := listeningtest.Way{Name: "may do all", Large: true, Headers: func() []string { return []string{host, a.token(), a.address()} }}
	other := listeningtest.Way{Name: "another type",
		Headers: func() []string { return []string{host, a.token(), "Content-Type: text/strange"} }}
	return []listeningtest.Way{
		all, other, one, way("nobody", true, host),
		way("bad token", false, host, "Authorization: Bearer x"), way("another site", false, host, "Origin: https://evil.example"),
		way("another host", false, "Host: evil.example"),
	}
}

func (a *attacked) smuggling(t *testing.T, dial func() (net.Conn, error)) listeningtest.Smuggling {
	request := func(path, more string) string {
		return "GET " + path + " HTTP/1.1\r\nHost: " + a.at + "\r\n" + more + "\r\n"
	}
	return listeningtest.Smuggling{
		Dial: dial, Routes: a.routes(t), Ways: a.ways(), Large: 1<<20 + 300<<10,
		Hidden: request(hiddenPath, ""), Next: func() string { return request("/icon.svg", a.address()+"\r\nConnection: close\r\n") },
		NextStatus: 200,
	}
}

// TestSmuggling: no request in the body of another one is served, whatever the response to that is, and when it comes.
func TestSmuggling(t *testing.T) {
	t.Parallel()
	a := startAttacked(t, Settings{})
	for range 300 {
		r := httptest.NewRequest("GET", "http://127.0.0.1/", nil)
		r.RemoteAddr = busy + ":1"
		a.Handler().ServeHTTP(httptest.NewRecorder(), r)
	}
	s := a.smuggling(t, func() (net.Conn, error) { return net.Dial("tcp", a.at) })
	statuses := s.Run(t)
	require.Zero(t, a.served.Load(), "requests in bodies were served")
	for _, status := range []int{400, 401, 403, 404, 405, 408, 413, 415, 421, 429} {
		require.Positive(t, statuses[status], "%d was never tried: %v", status, statuses)
	}
}

// TestSmugglingTLS does the same inside of TLS, to some routes.
func TestSmugglingTLS(t *testing.T) {
	t.Parallel()
	cert, key, roots := pair(t)
	a := startAttacked(t, Settings{CertFile: cert, KeyFile: key})
	s := a.smuggling(t, func() (net.Conn, error) { return tls.Dial("tcp", a.at, &tls.Config{RootCAs: roots}) })
	s.Routes = []string{"POST " + api.Prefix + "/session", "POST " + api.Prefix + "/queries", "PUT " + api.Prefix + "/saved/x", "GET /"}
	s.Run(t)
	require.Zero(t, a.served.Load(), "requests in bodies were served")
}

// TestSmugglingBehindProxy: people whose requests follow an attacker's on the connection of a proxy get their own responses.
func TestSmugglingBehindProxy(t *testing.T) {
	t.Parallel()
	a := startAttacked(t, Settings{})
	for _, buffering := range []bool{true, false} {
		proxy := listeningtest.Nginx(t, "http", a.at, buffering)
		s := a.smuggling(t, func() (net.Conn, error) { return net.Dial("tcp", proxy) })
		s.Routes = []string{"POST " + api.Prefix + "/session", "POST " + api.Prefix + "/queries", "DELETE " + api.Prefix + "/session",
			"GET " + api.Prefix + "/tables"}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			s.Run(t)
		}()
		for n := 0; ; n++ {
			q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+proxy+"/icon.svg", nil)
			require.NoError(t, err)
			name, value, _ := strings.Cut(a.address(), ": ")
			q.Header.Set(name, value)
			r, err := http.DefaultClient.Do(q)
			require.NoError(t, err)
			text, err := io.ReadAll(r.Body)
			_ = r.Body.Close()
			require.NoError(t, err)
			require.Equal(t, 200, r.StatusCode)
			require.Contains(t, string(text), "<svg")
			select {
			case <-ended:
				require.Greater(t, n, 5)
			default:
				continue
			}
			break
		}
		require.Zero(t, a.served.Load(), "requests in bodies were served")
	}
}
