package command

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/dashboard"
	"github.com/pingmill/pingmill/sql/saved"
	"github.com/pingmill/pingmill/sql/saved/alert"
	"github.com/pingmill/pingmill/store/database"
	"github.com/pingmill/pingmill/store/database/databasetest"
)

const password = "correct horse battery"

// stores has the stores of a place.
type stores struct {
	accounts *access.Store
	queries  *saved.Store
	boards   *dashboard.Store
}

func opened(t *testing.T, at string) (s stores) {
	var err error
	p, tables := placeOf(at), []*schema.Table{{Name: "main_summary", Version: "v4"}}
	s.accounts, err = access.Open(t.Context(), p, time.Now)
	require.NoError(t, err)
	s.queries, err = saved.Open(t.Context(), p, time.Now, tables, nil)
	require.NoError(t, err)
	s.boards, err = dashboard.Open(t.Context(), p, time.Now, tables, s.queries, nil)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, s.boards.Close())
		require.NoError(t, s.queries.Close())
		require.NoError(t, s.accounts.Close())
	})
	return s
}

func copied(t *testing.T, from, to string) error {
	cmd := (&commands{now: time.Now}).copying()
	cmd.SetArgs([]string{"copy", from, to})
	cmd.SetOut(&bytes.Buffer{})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	return cmd.ExecuteContext(t.Context())
}

// TestCopy: from files to PostgreSQL and back to files, everything works as before; a place that is in use is left as it is.
func TestCopy(t *testing.T) {
	first, server, last := t.TempDir(), databasetest.Need(t).Database(t), t.TempDir()
	s := opened(t, first)
	ann, err := s.accounts.Add(t.Context(), access.Person{Name: "Ann", Kind: access.Human, Rights: []access.Right{access.Administer},
		Grants: []access.Grant{{Table: access.AllTables}}})
	require.NoError(t, err)
	require.NoError(t, s.accounts.SetPassword(t.Context(), ann.ID, password))
	cookie, err := s.accounts.Begin(t.Context(), ann.ID, access.ByPassword, access.Visit{Agent: "a\xff"})
	require.NoError(t, err)
	_, token, err := s.accounts.NewToken(t.Context(), ann.ID, access.Token{Name: "x", Scopes: access.Scopes})
	require.NoError(t, err)
	for range 3 {
		require.NoError(t, s.accounts.Record(t.Context(), access.Entry{Name: "Ann", Event: access.Queried, Outcome: access.Done,
			Reads: []access.Reading{{Table: "main_summary", Days: []string{"20180301"}}}}))
	}
	titles := []string{"Größe", "Second", "Third"}
	var ids []string
	for _, title := range titles {
		q, err := s.queries.Create(t.Context(), &ann.Person, saved.Doc{Title: title, SQL: "SELECT 1", Tags: []string{"a & b"}}, "")
		require.NoError(t, err)
		ids = append(ids, q.ID)
	}
	_, err = s.queries.SetSchedule(t.Context(), &ann.Person, ids[0], saved.Schedule{Every: "1h"}, alert.New(alert.Config{}))
	require.NoError(t, err)
	board, err := s.boards.Create(t.Context(), &ann.Person, dashboard.Doc{Title: "Board", Widgets: []dashboard.Widget{
		{ID: "w", Kind: dashboard.Text, Text: "read me", W: 6, H: 4}}}, "")
	require.NoError(t, err)
	require.NoError(t, s.boards.SetFavourite(t.Context(), &ann.Person, board.ID, true))

	require.NoError(t, copied(t, first, server))
	require.NoError(t, copied(t, server, last))
	require.ErrorContains(t, copied(t, first, server), "the target is in use")
	require.ErrorContains(t, copied(t, t.TempDir(), server), "it has no accounts")
	want, err := s.accounts.Audit(t.Context(), access.Filter{Table: "main_summary", Limit: 10})
	require.NoError(t, err)
	require.Len(t, want, 3)
	for _, at := range []string{first, server, last} {
		s := opened(t, at)
		p, err := s.accounts.SignIn(t.Context(), "ANN", password)
		require.NoError(t, err)
		require.Equal(t, ann.Person, *p)
		_, err = s.accounts.Session(t.Context(), cookie)
		require.NoError(t, err)
		_, err = s.accounts.Authenticate(t.Context(), token)
		require.NoError(t, err)
		have, err := s.accounts.Audit(t.Context(), access.Filter{Table: "main_summary", Limit: 10})
		require.NoError(t, err)
		require.Equal(t, want, have)
		require.NoError(t, s.accounts.Record(t.Context(), access.Entry{Name: "Ann"}), "the numbers go on")
		list, _, err := s.queries.List(t.Context(), p, saved.Filter{Text: "groß", Tag: "a & b"})
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, titles[0], list[0].Title)
		scheduled, err := s.queries.Schedule(t.Context(), p, ids[0])
		require.NoError(t, err)
		require.False(t, scheduled.Next.IsZero())
		revisions, err := s.queries.Revisions(t.Context(), p, ids[0])
		require.NoError(t, err)
		require.Len(t, revisions, 1)
		boards, _, err := s.boards.List(t.Context(), p, dashboard.Filter{Text: "read", Favourite: true})
		require.NoError(t, err)
		require.Len(t, boards, 1, at)
		require.Equal(t, board.Doc, boards[0].Doc)
	}
	_, err = database.Open(t.Context(), database.Place{URL: server}, "access")
	require.ErrorIs(t, err, database.ErrNewer)
}
