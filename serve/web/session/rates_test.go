package session

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/store/database/databasetest"
)

// TestGuessing: guessing of passwords is slowed down, signing in is not.
func TestGuessing(t *testing.T) {
	store, c := start(t)
	a, err := store.Add(t.Context(), access.Person{Name: "ann", Kind: access.Human})
	require.NoError(t, err)
	require.NoError(t, store.SetPassword(t.Context(), a.ID, good))
	for range 2 * perPair.burst {
		require.Equal(t, 200, newClient(t, c.base).do("POST", "/session", credentials{"ann", good}, nil))
	}
	refused := 0
	for range perPair.burst + 5 {
		if status := c.do("POST", "/session", credentials{"Ann ", "wrong"}, nil); status == 429 {
			refused++
		} else {
			require.Equal(t, 401, status)
		}
	}
	require.Positive(t, refused)
	require.Equal(t, 401, c.do("POST", "/session", credentials{"bob", "wrong"}, nil), "another account is not held up")
	entries, err := store.Audit(t.Context(), access.Filter{Person: "ann", Event: access.SignedIn, Limit: 1000})
	require.NoError(t, err)
	require.Equal(t, access.ErrSignIn.Error(), entries[0].Outcome)
	require.Equal(t, "127.0.0.1", entries[0].Address)
}

// TestLockout: strangers who guess somebody's password from many addresses are held up as a whole, and the owner is not: neither from an
// address from which they have signed in, nor where they are signed in, and they see the attempts.
func TestLockout(t *testing.T) {
	store, c := start(t, netip.MustParsePrefix("127.0.0.0/8"))
	a, err := store.Add(t.Context(), access.Person{Name: "ann", Kind: access.Human})
	require.NoError(t, err)
	require.NoError(t, store.SetPassword(t.Context(), a.ID, good))
	from := func(c *client, address, password string) int {
		return c.do("POST", "/session", credentials{"ann", password}, nil, "X-Forwarded-For", address)
	}
	var own State
	require.Equal(t, 200, c.do("POST", "/session", credentials{"ann", good}, &own, "X-Forwarded-For", "2001:db8::1"))
	c.csrf = own.CSRF
	stranger := newClient(t, c.base)
	for range perPair.burst {
		require.Equal(t, 401, from(stranger, "192.0.2.1", "wrong"))
	}
	require.Equal(t, 429, from(stranger, "192.0.2.1", good), "an address that has guessed")
	refused := 0
	for n := range 2 * perAccount.burst {
		if from(stranger, fmt.Sprintf("198.51.%d.1", n), "wrong") == 429 {
			refused++
		}
	}
	require.Greater(t, refused, perAccount.burst/2, "the account as a whole")
	require.Equal(t, 200, from(newClient(t, c.base), "2001:db8::2", good), "the network from which ann has signed in")
	require.Equal(t, 200, c.do("PUT", "/session/password", passwords{Old: good, New: good + "2"}, &own, "X-Forwarded-For", "203.0.113.9"),
		"a session from elsewhere")
	require.Equal(t, 401, from(newClient(t, c.base), "2001:db8::2", good))
	var list struct{ Items []Refusal }
	require.Equal(t, 200, c.do("GET", "/session/refused", nil, &list))
	require.Len(t, list.Items, maxRefusals)
	require.Equal(t, "2001:db8::2", list.Items[0].Address)
	require.Equal(t, string(access.ByPassword), list.Items[0].How)
	require.Regexp(t, `^198\.51\.`, list.Items[1].Address)
	other, err := store.Add(t.Context(), access.Person{Name: "bob", Kind: access.Human})
	require.NoError(t, err)
	addresses, err := store.SignedInFrom(t.Context(), other.Name)
	require.NoError(t, err)
	require.Empty(t, addresses)
}

// TestRates: each key has its own pace, and of many only some are remembered.
func TestRates(t *testing.T) {
	now := time.Unix(0, 0)
	r := newRates(pace{2, time.Second}, func() time.Time { return now })
	takes := func(key string) bool { _, may := r.take(key); return may }
	for _, key := range []string{"a", "a", "b"} {
		require.True(t, takes(key))
	}
	require.False(t, takes("a"))
	now = now.Add(time.Second)
	undo, may := r.take("a")
	require.True(t, may)
	undo()
	require.True(t, takes("a"))
	require.False(t, takes("a"))
	for i := range 5 * maxKeys {
		takes(fmt.Sprint(i))
		if i%1000 == 0 {
			require.False(t, takes("a"), "a key that is seen all the time is not forgotten")
		}
	}
	require.LessOrEqual(t, len(r.new)+len(r.old), 2*maxKeys)
}

// TestPaced: an address has its number of requests, in which the pages' scripts do not count, and more after a while.
func TestPaced(t *testing.T) {
	now := time.Now()
	store, err := access.Open(t.Context(), databasetest.Place(t), func() time.Time { return now })
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	d, err := New(Config{Store: store, URL: &url.URL{Scheme: "http", Host: "127.0.0.1:8090"}, Now: func() time.Time { return now }})
	require.NoError(t, err)
	h := d.Middleware(http.NotFoundHandler())
	served := func(path, address string) (n int) {
		for range 2 * perPerson.burst {
			r := httptest.NewRequest("GET", path, nil)
			r.RemoteAddr = address
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != http.StatusTooManyRequests {
				n++
				continue
			}
			require.Equal(t, "1", w.Header().Get("Retry-After"))
		}
		return n
	}
	require.Equal(t, 2*perPerson.burst, served("/assets/index.js", "192.0.2.1:1"))
	require.Equal(t, perPerson.burst, served("/api/v1/session", "192.0.2.1:1"))
	require.Equal(t, perPerson.burst, served("/api/v1/session", "192.0.2.2:1"), "another address")
	now = now.Add(time.Second)
	require.Equal(t, 30, served("/query", "192.0.2.1:2"))
}

// TestAddress: only proxies that are trusted say where a request comes from.
func TestAddress(t *testing.T) {
	u, err := url.Parse("https://pings.example.org")
	require.NoError(t, err)
	d, err := New(Config{URL: u, Now: time.Now, Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}})
	require.NoError(t, err)
	for _, c := range [][3]string{
		{"1.2.3.4:5", "9.9.9.9", "1.2.3.4"},
		{"10.0.0.1:5", "", "10.0.0.1"},
		{"10.0.0.1:5", "9.9.9.9", "9.9.9.9"},
		{"10.0.0.1:5", "8.8.8.8, 9.9.9.9, 10.0.0.2", "9.9.9.9"},
		{"10.0.0.1:5", "9.9.9.9, nonsense", "10.0.0.1"},
		{"[::ffff:10.0.0.1]:5", "::1", "::1"},
		{"nonsense", "9.9.9.9", ""},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c[0]
		r.Header.Set("X-Forwarded-For", c[1])
		require.Equal(t, c[2], d.address(r), c)
	}
	require.Equal(t, network("2001:db8::1"), network("2001:db8::2:3"))
	require.NotEqual(t, network("2001:db8::1"), network("2001:db8:0:1::1"))
}

// FuzzRequest: whatever a request says of itself, nobody gets in by it, and nothing stops.
func FuzzRequest(f *testing.F) {
	f.Add("Bearer pm_x", "pingmill=x", "1.2.3.4, ::1")
	f.Add("bearer", "pingmill=", ",")
	u, _ := url.Parse("http://127.0.0.1:8090")
	store, err := access.Open(f.Context(), databasetest.Place(f), time.Now)
	require.NoError(f, err)
	_, err = store.First(f.Context())
	require.NoError(f, err)
	d, err := New(Config{Store: store, URL: u, Now: time.Now,
		Proxies: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("::/0")}})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, authorization, cookie, forwarded string) {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Cookie", cookie)
		if authorization != "" {
			r.Header.Set("Authorization", authorization)
		}
		r.Header.Set("X-Forwarded-For", forwarded)
		ctx, _, problem := d.authenticate(t.Context(), r)
		require.Nil(t, access.From(ctx))
		require.Equal(t, authorization != "", problem != "")
		if at := d.address(r); !strings.Contains(at, "%") {
			require.True(t, netip.MustParseAddr(at).IsValid())
		}
	})
}
