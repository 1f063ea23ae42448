package session

import (
	"log/slog"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/access/oidc"
)

// TestLargeBodies: who has not signed in sends a name and a password, and nothing as large as a query.
func TestLargeBodies(t *testing.T) {
	_, c := start(t)
	for path, body := range map[string]any{"/session": credentials{"ann", strings.Repeat("x", 10_000)}, "/session/link": map[string]string{"token": strings.Repeat("x", 10_000)}} {
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
	require.Equal(t, 200, from("192.0.2.1", valid), "whoever has signed in counts for themselves")
}

// unread is a body that nobody may read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, nil
}

// TestProviderReadsNoBody: what a provider says is in the address, and a body is not read, whatever type it has.
func TestProviderReadsNoBody(t *testing.T) {
	d := &Authenticator{Config: Config{OIDC: &oidc.Provider{Config: oidc.Config{Issuer: "https://one.example"}}, Now: time.Now, Log: slog.New(slog.DiscardHandler)}}
	for address, want := range map[string]error{"?error=denied": oidc.ErrRefused, "?iss=https://two.example": oidc.ErrFlow} {
		r := httptest.NewRequest("GET", CallbackPath+address, unread{t})
		r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		_, err := d.enter(r, "seed")
		require.ErrorIs(t, err, want)
	}
}
