package access

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store/database"
	"github.com/pingmill/pingmill/store/database/databasetest"
)

func TestMain(m *testing.M) { os.Exit(databasetest.Both(m)) }

// clock is a time that tests move.
type clock struct{ at atomic.Int64 }

func (c *clock) now() time.Time        { return time.Unix(1_700_000_000, 0).Add(time.Duration(c.at.Load())) }
func (c *clock) pass(by time.Duration) { c.at.Add(int64(by)) }

// opened returns a new store.
func opened(t *testing.T) (*Store, *clock) {
	t.Helper()
	c := &clock{}
	s, err := Open(t.Context(), databasetest.Place(t), c.now)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s, c
}

// added returns a new account.
func added(t *testing.T, s *Store, p Person) *Account {
	t.Helper()
	if p.Kind == "" {
		p.Kind = Human
	}
	a, err := s.Add(t.Context(), p)
	require.NoError(t, err)
	return a
}

const good = "correct horse battery"

// TestFirst: an installation without an administrator gets one, others get none.
func TestFirst(t *testing.T) {
	s, _ := opened(t)
	added(t, s, Person{Name: "ann"})
	token, err := s.First(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, token)
	again, err := s.First(t.Context())
	require.NoError(t, err)
	require.Empty(t, again)
	unused, err := s.Unused(t.Context())
	require.NoError(t, err)
	require.True(t, unused)
	p, err := s.UseLink(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, FirstName, p.Name)
	require.True(t, p.May(Administer))
	_, err = s.Begin(t.Context(), p.ID, ByLink, Visit{})
	require.NoError(t, err)
	unused, err = s.Unused(t.Context())
	require.NoError(t, err)
	require.False(t, unused)
}

// TestFirstTaken: an account that is called as the first administrator stays what it is.
func TestFirstTaken(t *testing.T) {
	s, _ := opened(t)
	a := added(t, s, Person{Name: FirstName})
	token, err := s.First(t.Context())
	require.NoError(t, err)
	require.Empty(t, token)
	p, err := s.Person(t.Context(), a.ID)
	require.NoError(t, err)
	require.Empty(t, p.Rights)
}

// TestPassword: only the right name and password of an account that is in use lead in.
func TestPassword(t *testing.T) {
	s, _ := opened(t)
	admin, a := added(t, s, Person{Name: "boss", Rights: []Right{Administer}}), added(t, s, Person{Name: "Ann"})
	for _, bad := range []string{"short", strings.Repeat("x", maxPassword+1), "\xff" + good} {
		require.ErrorAs(t, s.SetPassword(t.Context(), a.ID, bad), new(*InvalidError), bad)
	}
	require.NoError(t, s.SetPassword(t.Context(), a.ID, good))
	p, err := s.SignIn(t.Context(), " ann ", good)
	require.NoError(t, err)
	require.Equal(t, a.ID, p.ID)
	for _, c := range [][2]string{{"ann", good + "."}, {"ann", ""}, {"nobody", good}, {"boss", ""}, {"boss", good}, {"", ""},
		{"ann", strings.Repeat("x", 1<<20)}, {a.ID, good}} {
		_, err := s.SignIn(t.Context(), c[0], c[1])
		require.ErrorIs(t, err, ErrSignIn, c[0])
	}
	_, err = s.Edit(t.Context(), a.ID, func(a *Account) error { a.Disabled = true; return nil })
	require.NoError(t, err)
	_, err = s.SignIn(t.Context(), "ann", good)
	require.ErrorIs(t, err, ErrSignIn)
	_, err = s.Add(t.Context(), Person{Name: "ANN", Kind: Human})
	require.ErrorIs(t, err, ErrTaken)
	require.NotEmpty(t, admin.ID)
}

// TestSessions: a session lasts while it is used, a week at most, and ends with the password and the account.
func TestSessions(t *testing.T) {
	for name, c := range map[string]struct {
		after func(t *testing.T, s *Store, c *clock, id string)
		want  error
	}{
		"at once":   {func(*testing.T, *Store, *clock, string) {}, nil},
		"next day":  {func(_ *testing.T, _ *Store, c *clock, _ string) { c.pass(idleTime) }, ErrUnknown},
		"just used": {func(_ *testing.T, _ *Store, c *clock, _ string) { c.pass(idleTime - time.Second) }, nil},
		"password": {func(t *testing.T, s *Store, _ *clock, id string) {
			require.NoError(t, s.SetPassword(t.Context(), id, good))
		}, ErrUnknown},
		"removed":    {func(t *testing.T, s *Store, _ *clock, id string) { require.NoError(t, s.Remove(t.Context(), id)) }, ErrUnknown},
		"disabled":   {disable, ErrUnknown},
		"signed out": {nil, ErrUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			s, clock := opened(t)
			added(t, s, Person{Name: "boss", Rights: []Right{Administer}})
			id := added(t, s, Person{Name: "ann"}).ID
			cookie, err := s.Begin(t.Context(), id, ByPassword, Visit{"127.0.0.1", "curl"})
			require.NoError(t, err)
			if c.after == nil {
				require.NoError(t, s.End(t.Context(), cookie))
			} else {
				c.after(t, s, clock, id)
			}
			got, err := s.Session(t.Context(), cookie)
			require.ErrorIs(t, err, c.want)
			if c.want == nil {
				require.Equal(t, id, got.Person.ID)
				require.False(t, got.Fresh)
			}
		})
	}
}

func disable(t *testing.T, s *Store, _ *clock, id string) {
	_, err := s.Edit(t.Context(), id, func(a *Account) error { a.Disabled = true; return nil })
	require.NoError(t, err)
}

// TestWholeTime: a session that is used all the time ends after a week, and one by a link is fresh for an hour.
func TestWholeTime(t *testing.T) {
	s, c := opened(t)
	id := added(t, s, Person{Name: "ann"}).ID
	cookie, err := s.Begin(t.Context(), id, ByLink, Visit{})
	require.NoError(t, err)
	var hours int
	for ; ; hours++ {
		got, err := s.Session(t.Context(), cookie)
		if err != nil {
			require.ErrorIs(t, err, ErrUnknown)
			break
		}
		require.Equal(t, hours == 0, got.Fresh)
		c.pass(time.Hour)
	}
	require.Equal(t, 7*24, hours)
}

// TestLinkOnce: of many who use a link at once, one gets in.
func TestLinkOnce(t *testing.T) {
	s, c := opened(t)
	id := added(t, s, Person{Name: "ann"}).ID
	first, err := s.Link(t.Context(), id)
	require.NoError(t, err)
	token, err := s.Link(t.Context(), id)
	require.NoError(t, err)
	_, err = s.UseLink(t.Context(), first)
	require.ErrorIs(t, err, ErrUnknown, "a new link takes the place of the last one")
	var in atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			_, err := s.UseLink(t.Context(), token)
			if err == nil {
				in.Add(1)
			} else if !errors.Is(err, ErrUnknown) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 1, in.Load())
	token, err = s.Link(t.Context(), id)
	require.NoError(t, err)
	c.pass(LinkTime)
	_, err = s.UseLink(t.Context(), token)
	require.ErrorIs(t, err, ErrUnknown)
}

// TestTokens: a token is valid until its time is over, and never gives more than its scopes.
func TestTokens(t *testing.T) {
	s, c := opened(t)
	boss := added(t, s, Person{Name: "boss", Rights: []Right{Operate, Administer}, Grants: []Grant{{Table: AllTables}}})
	made, secret, err := s.NewToken(t.Context(), boss.ID, Token{Name: "notebook", Scopes: []Scope{QueryScope, JobsScope}})
	require.NoError(t, err)
	require.Regexp(t, `^[a-z2-7]{16}$`, made.ID) // an argument of commands
	p, err := s.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	require.Equal(t, boss.ID, p.ID)
	require.True(t, p.ByToken() && p.May(Operate) && p.Allows(QueryScope))
	require.False(t, p.May(Administer) || p.Allows(CatalogScope))
	c.pass(TokenTime - time.Second)
	_, err = s.Authenticate(t.Context(), secret)
	require.NoError(t, err)
	tokens, err := s.Tokens(t.Context(), boss.ID)
	require.NoError(t, err)
	require.Equal(t, c.now().UTC(), tokens[0].Used)
	c.pass(time.Second)
	_, err = s.Authenticate(t.Context(), secret)
	require.ErrorIs(t, err, ErrUnknown)
	require.NoError(t, s.DeleteToken(t.Context(), boss.ID, made.ID))
	require.ErrorIs(t, s.DeleteToken(t.Context(), boss.ID, made.ID), ErrNotFound)
	for _, bad := range []Token{{Name: "x"}, {Scopes: Scopes}, {Name: "a\nb", Scopes: Scopes}, {Name: "x", Scopes: []Scope{"all"}},
		{Name: "x", Scopes: Scopes, Expires: c.now()}, {Name: "x", Scopes: Scopes, Expires: c.now().Add(MaxTokenTime + time.Hour)}} {
		_, _, err := s.NewToken(t.Context(), boss.ID, bad)
		require.ErrorAs(t, err, new(*InvalidError), bad)
	}
	_, _, err = s.NewToken(t.Context(), "nobody", Token{Name: "x", Scopes: Scopes})
	require.ErrorIs(t, err, ErrNotFound)
}

// TestLastAdministrator: somebody is left who administers, however one tries to be rid of them.
func TestLastAdministrator(t *testing.T) {
	s, _ := opened(t)
	early := added(t, s, Person{Name: "early"})
	require.NoError(t, s.Remove(t.Context(), early.ID), "there was none")
	boss := added(t, s, Person{Name: "boss", Rights: []Right{Administer}})
	added(t, s, Person{Name: "robot", Kind: Service, Rights: []Right{Administer}})
	added(t, s, Person{Name: "ann"})
	for name, change := range map[string]func(*Account) error{
		"disable": func(a *Account) error { a.Disabled = true; return nil },
		"rights":  func(a *Account) error { a.Rights = []Right{Operate}; return nil },
	} {
		_, err := s.Edit(t.Context(), boss.ID, change)
		require.ErrorIs(t, err, ErrLastAdministrator, name)
	}
	require.ErrorIs(t, s.Remove(t.Context(), boss.ID), ErrLastAdministrator)
	a, err := s.Account(t.Context(), "BOSS")
	require.NoError(t, err)
	require.True(t, a.May(Administer) && !a.Disabled)
	other := added(t, s, Person{Name: "other", Rights: []Right{Administer}})
	require.NoError(t, s.Remove(t.Context(), boss.ID))
	require.ErrorIs(t, s.Remove(t.Context(), other.ID), ErrLastAdministrator)
	require.ErrorIs(t, s.Remove(t.Context(), boss.ID), ErrNotFound)
}

// TestNothingSecretKept: the files of the database have no cookie, token, link or password.
func TestNothingSecretKept(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), database.In(dir), time.Now)
	require.NoError(t, err)
	a := added(t, s, Person{Name: "ann", Grants: []Grant{{Table: "t"}}})
	require.NoError(t, s.SetPassword(t.Context(), a.ID, good))
	link, err := s.Link(t.Context(), a.ID)
	require.NoError(t, err)
	cookie, err := s.Begin(t.Context(), a.ID, ByPassword, Visit{})
	require.NoError(t, err)
	_, token, err := s.NewToken(t.Context(), a.ID, Token{Name: "x", Scopes: Scopes})
	require.NoError(t, err)
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	all := ""
	for _, name := range names {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		all += string(b)
	}
	require.Contains(t, all, "ann")
	for what, secret := range map[string]string{"link": link, "cookie": cookie, "token": token, "password": good} {
		require.NotContains(t, all, secret, what)
	}
	require.NoError(t, s.Close())
}
