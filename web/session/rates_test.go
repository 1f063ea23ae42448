package session

import (
	"fmt"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
)

// TestGuessing: whoever guesses passwords is held up, whoever knows theirs is not.
func TestGuessing(t *testing.T) {
	store, c := start(t)
	a, err := store.Add(t.Context(), access.Person{Name: "ann", Kind: access.Human})
	require.NoError(t, err)
	require.NoError(t, store.SetPassword(t.Context(), a.ID, good))
	for range 2 * perAccount.burst {
		require.Equal(t, 200, newClient(t, c.base).do("POST", "/session", credentials{"ann", good}, nil))
	}
	refused := 0
	for range perAccount.burst + 5 {
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
	store, err := access.Open(f.Context(), f.TempDir(), time.Now)
	require.NoError(f, err)
	_, err = store.First(f.Context())
	require.NoError(f, err)
	d, err := New(Config{Store: store, URL: u, Now: time.Now, Proxies: []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("::/0")}})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, authorization, cookie, forwarded string) {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Cookie", cookie)
		if authorization != "" {
			r.Header.Set("Authorization", authorization)
		}
		r.Header.Set("X-Forwarded-For", forwarded)
		ctx, _, problem := d.who(t.Context(), r)
		require.Nil(t, access.From(ctx))
		require.Equal(t, authorization != "", problem != "")
		if at := d.address(r); !strings.Contains(at, "%") {
			require.True(t, netip.MustParseAddr(at).IsValid())
		}
	})
}
