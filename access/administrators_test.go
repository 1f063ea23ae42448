package access

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWayIn: no account loses the only way in, and the last administrator who can sign in stays, whichever way is
// tried; if none is left, as without the provider of accounts, the start of the service makes a link.
func TestWayIn(t *testing.T) {
	s, clock := opened(t)
	admin, ann := added(t, s, Person{Name: "boss", Rights: []Right{Administer}}), added(t, s, Person{Name: "ann"})
	invited := added(t, s, Person{Name: "invited", Rights: []Right{Administer}}) // who has never signed in
	for _, a := range []*Account{admin, ann} {
		require.ErrorIs(t, s.SetPassword(t.Context(), a.ID, ""), ErrOnlyWayIn)
		require.NoError(t, s.SetPassword(t.Context(), a.ID, good))
		require.ErrorIs(t, s.SetPassword(t.Context(), a.ID, ""), ErrOnlyWayIn)
		_, err := s.SignIn(t.Context(), a.Name, good)
		require.NoError(t, err)
	}
	clock.pass(time.Second)
	const issuer = "https://accounts.example.org"
	remote, err := s.Enter(t.Context(), Identity{Issuer: issuer, Subject: "1", Name: "remote"}, nil)
	require.NoError(t, err)
	require.NoError(t, s.SetPassword(t.Context(), remote.ID, good))
	require.NoError(t, s.SetPassword(t.Context(), remote.ID, ""), "there is the provider")
	routes := map[string]func() error{
		"disabled": func() error {
			_, err := s.Edit(t.Context(), admin.ID, func(a *Account) error { a.Disabled = true; return nil })
			return err
		},
		"rights": func() error {
			_, err := s.Edit(t.Context(), admin.ID, func(a *Account) error { a.Rights = nil; return nil })
			return err
		},
		"removed": func() error { return s.Remove(t.Context(), admin.ID) },
	}
	for name, route := range routes {
		require.ErrorIs(t, route(), ErrLastAdministrator, name)
	}
	s.SignsInBy("")
	_, err = s.Edit(t.Context(), remote.ID, func(a *Account) error { a.Rights = []Right{Administer}; return nil })
	require.NoError(t, err)
	for name, route := range routes {
		require.ErrorIs(t, route(), ErrLastAdministrator, name+", of the others one has no provider")
	}
	s.SignsInBy(issuer)
	require.NoError(t, routes["removed"]())
	token, err := s.First(t.Context())
	require.NoError(t, err)
	require.Empty(t, token)
	s.SignsInBy("https://another.example.org")
	for range 2 {
		token, err = s.First(t.Context())
		require.NoError(t, err)
		p, err := s.UseLink(t.Context(), token)
		require.NoError(t, err)
		require.Equal(t, invited.ID, p.ID, "the oldest one")
	}
	token, err = s.First(t.Context())
	require.NoError(t, err)
	again, err := s.First(t.Context())
	require.NoError(t, err)
	require.Empty(t, again, "there is a link")
	clock.pass(LinkTime)
	_, err = s.UseLink(t.Context(), token)
	require.ErrorIs(t, err, ErrUnknown)
	token, err = s.First(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, token)
}
