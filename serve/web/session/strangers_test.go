package session

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/access/oidc"
	"github.com/pingmill/pingmill/store/database/databasetest"
)

// TestLargeBodies: who has not signed in sends a name and a password, and nothing as large as a query.
func TestLargeBodies(t *testing.T) {
	_, c := start(t)
	for path, body := range map[string]any{"/session": credentials{"ann", strings.Repeat("x", 10_000)},
		"/session/link": map[string]string{"token": strings.Repeat("x", 10_000)}} {
		require.Equal(t, 413, c.do("POST", path, body, nil), path)
	}
	require.Equal(t, 401, c.do("POST", "/session", credentials{"ann", "wrong"}, nil))
}

// TestInvalidTokensArePaced: requests with tokens that are not valid count for their address, and for no other one.
func TestInvalidTokensArePaced(t *testing.T) {
	store, c := start(t, netip.MustParsePrefix("127.0.0.0/8"))
	p, err := store.Add(t.Context(), access.Person{Name: "robot", Kind: access.Service})
	require.NoError(t, err)
	_, valid, err := store.NewToken(t.Context(), p.ID, access.Token{Name: "x", Scopes: access.Scopes})
	require.NoError(t, err)
	from := func(address, token string) int {
		c.token = token
		return c.do("GET", "/session", nil, nil, "X-Forwarded-For", address)
	}
	statuses := map[int]int{}
	for range 3 * perPerson.burst {
		statuses[from("192.0.2.1", valid+"x")]++
	}
	require.Positive(t, statuses[429], statuses)
	require.Equal(t, 3*perPerson.burst, statuses[401]+statuses[429])
	require.Equal(t, 401, from("192.0.2.2", valid+"x"))
	require.Equal(t, 200, from("192.0.2.1", valid), "signed-in people count for themselves")
}

// unread is a body that nobody may read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, nil
}

// TestProviderReadsNoBody: what a provider says is in the address, and a body is not read, whatever type it has.
func TestProviderReadsNoBody(t *testing.T) {
	d := &Authenticator{Config: Config{OIDC: &oidc.Provider{Config: oidc.Config{Issuer: "https://one.example"}}, Now: time.Now,
		Log: slog.New(slog.DiscardHandler)}}
	for address, want := range map[string]error{"?error=denied": oidc.ErrRefused, "?iss=https://two.example": oidc.ErrFlow} {
		r := httptest.NewRequest("GET", CallbackPath+address, unread{t})
		r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		_, err := d.enter(r, "seed")
		require.ErrorIs(t, err, want)
	}
}

// TestAtOnce: a person has a bounded number of requests at once, and more when one of them has ended; others do not notice.
func TestAtOnce(t *testing.T) {
	store, err := access.Open(t.Context(), databasetest.Place(t), time.Now)
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	d, err := New(Config{Store: store, URL: &url.URL{Scheme: "http", Host: "127.0.0.1:8090"}, Now: time.Now,
		Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	begun, end := make(chan struct{}), make(chan struct{})
	h := d.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/wait" {
			begun <- struct{}{}
			<-end
		}
	}))
	tokens := map[string]string{}
	for _, name := range []string{"one", "two"} {
		p, err := store.Add(t.Context(), access.Person{Name: name, Kind: access.Service})
		require.NoError(t, err)
		_, tokens[name], err = store.NewToken(t.Context(), p.ID, access.Token{Name: "x", Scopes: access.Scopes})
		require.NoError(t, err)
	}
	request := func(name, path string) int {
		r := httptest.NewRequest("GET", path, nil)
		r.RemoteAddr = "192.0.2.1:1"
		r.Header.Set("Authorization", "Bearer "+tokens[name])
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	statuses := make(chan int, maxServed)
	for range maxServed {
		go func() { statuses <- request("one", "/wait") }()
		<-begun
	}
	require.Equal(t, 429, request("one", "/"))
	require.Equal(t, 200, request("one", "/assets/x.js"))
	require.Equal(t, 200, request("two", "/"))
	end <- struct{}{}
	require.Equal(t, 200, <-statuses)
	require.Eventually(t, func() bool { return request("one", "/") == 200 }, 10*time.Second, time.Millisecond)
	close(end)
	for range maxServed - 1 {
		require.Equal(t, 200, <-statuses)
	}
}
