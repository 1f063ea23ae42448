package session

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/web/api"
	"github.com/pingmill/pingmill/store/database/databasetest"
)

const good = "correct horse battery"

// client is a browser without pages.
type client struct {
	t     *testing.T
	http  http.Client
	base  string
	csrf  string
	token string
}

// start serves the operations of signing in to a client, behind some proxies.
func start(t *testing.T, proxies ...netip.Prefix) (*access.Store, *client) {
	t.Helper()
	store, err := access.Open(t.Context(), databasetest.Place(t), time.Now)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	mux := http.NewServeMux()
	server := httptest.NewUnstartedServer(nil)
	base := "http://" + server.Listener.Addr().String()
	u, err := url.Parse(base)
	require.NoError(t, err)
	d, err := New(Config{Store: store, URL: u, Proxies: proxies, Version: "1", Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	d.Routes(api.New(mux, "1"))
	server.Config.Handler = d.Middleware(mux)
	server.Start()
	t.Cleanup(server.Close)
	return store, newClient(t, base)
}

func newClient(t *testing.T, base string) *client {
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return &client{t: t, http: http.Client{Jar: jar}, base: base}
}

// do sends a request and reads the answer into out, if that is not nil.
func (c *client) do(method, path string, in, out any, headers ...string) int {
	c.t.Helper()
	var body io.Reader
	if in != nil {
		b, err := json.Marshal(in)
		require.NoError(c.t, err)
		body = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.base+api.Prefix+path, body)
	require.NoError(c.t, err)
	r.Header.Set("Content-Type", "application/json")
	if c.csrf != "" {
		r.Header.Set("X-CSRF-Token", c.csrf)
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	got, err := c.http.Do(r)
	require.NoError(c.t, err)
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	require.NoError(c.t, err)
	if out != nil && got.StatusCode < 300 {
		require.NoError(c.t, json.Unmarshal(text, out), string(text))
	}
	return got.StatusCode
}

// get returns the state of the session.
func (c *client) get() (s State) {
	c.t.Helper()
	require.Equal(c.t, 200, c.do("GET", "/session", nil, &s))
	return s
}

type credentials struct {
	Name     string `json:"name"`
	Password string `json:"password"`
}

type passwords struct {
	Old string `json:"old,omitempty"`
	New string `json:"new"`
}

// TestFirstStart: the link of a new installation leads in once, a password is set without an old one, and then leads in.
func TestFirstStart(t *testing.T) {
	store, c := start(t)
	token, err := store.First(t.Context())
	require.NoError(t, err)
	require.True(t, c.get().Setup)
	var s State
	require.Equal(t, 401, c.do("POST", "/session/link", map[string]string{"token": token + "x"}, nil))
	require.Equal(t, 200, c.do("POST", "/session/link", map[string]string{"token": token}, &s))
	require.Equal(t, 401, newClient(t, c.base).do("POST", "/session/link", map[string]string{"token": token}, nil))
	require.Equal(t, access.FirstName, s.Person.Name)
	require.True(t, s.Fresh && !s.Setup)
	require.Equal(t, 403, c.do("PUT", "/session/password", passwords{New: good}, nil), "no CSRF token")
	c.csrf = s.CSRF
	require.Equal(t, 422, c.do("PUT", "/session/password", passwords{New: "short"}, nil))
	require.Equal(t, 200, c.do("PUT", "/session/password", passwords{New: good}, &s))
	require.Equal(t, 403, c.do("DELETE", "/session", nil, nil), "the token of the session before")
	c.csrf = s.CSRF
	require.Equal(t, 422, c.do("PUT", "/session/password", passwords{Old: "wrong", New: good}, nil))
	require.Equal(t, 200, c.do("PUT", "/session/password", passwords{Old: good, New: good + "2"}, &s))
	c.csrf = s.CSRF
	require.Equal(t, 204, c.do("DELETE", "/session", nil, nil))
	require.Nil(t, c.get().Person)
	require.Equal(t, 401, c.do("POST", "/session", credentials{"admin", good}, nil))
	require.Equal(t, 200, c.do("POST", "/session", credentials{"admin", good + "2"}, &s))
	require.NotNil(t, c.get().Person)
}

// TestOtherSites: pages of other sites cannot sign anybody in or do anything for those who have signed in.
func TestOtherSites(t *testing.T) {
	store, c := start(t)
	a, err := store.Add(t.Context(), access.Person{Name: "ann", Kind: access.Human})
	require.NoError(t, err)
	require.NoError(t, store.SetPassword(t.Context(), a.ID, good))
	for _, h := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"},
		{"Origin", "null"}} {
		require.Equal(t, 403, c.do("POST", "/session", credentials{"ann", good}, nil, h...), h)
	}
	var s State
	require.Equal(t, 200, c.do("POST", "/session", credentials{"ann", good}, &s, "Origin", c.base, "Sec-Fetch-Site", "same-origin"))
	for _, h := range [][]string{{}, {"X-CSRF-Token", ""}, {"X-CSRF-Token", s.CSRF + "x"},
		{"X-CSRF-Token", s.CSRF, "Origin", "https://evil.example"}} {
		require.Equal(t, 403, c.do("DELETE", "/session", nil, nil, h...), h)
	}
	require.Equal(t, 204, c.do("DELETE", "/session", nil, nil, "X-CSRF-Token", s.CSRF))
}

// TestToken: a token acts for its person, without a cookie and its CSRF token; one that is not valid is refused everywhere.
func TestToken(t *testing.T) {
	store, c := start(t)
	a, err := store.Add(t.Context(), access.Person{Name: "robot", Kind: access.Service})
	require.NoError(t, err)
	_, c.token, err = store.NewToken(t.Context(), a.ID, access.Token{Name: "x", Scopes: access.Scopes})
	require.NoError(t, err)
	require.Equal(t, "robot", c.get().Person.Name)
	require.Equal(t, 403, c.do("PUT", "/session/password", passwords{New: good}, nil))
	for _, bad := range []string{"", "Bearer", "Bearer ", "Bearer " + c.token + "x", "Basic " + c.token, c.token} {
		require.Equal(t, 401, c.do("GET", "/session", nil, nil, "Authorization", bad), bad)
	}
}
