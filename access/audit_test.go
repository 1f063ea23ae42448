package access

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/rows"
)

// TestAudit: entries say who, from where and when, stay when the account goes, and are found by each of their parts.
func TestAudit(t *testing.T) {
	s, c := opened(t)
	added(t, s, Person{Name: "boss", Rights: []Right{Administer}})
	ann := added(t, s, Person{Name: "ann"})
	ctx := WithVisit(With(t.Context(), &ann.Person), Visit{Address: "10.0.0.1"})
	for i := range 3 {
		require.NoError(t, s.Record(ctx,
			Entry{Event: Queried, Outcome: Done, About: "q", SQL: "SELECT 1",
				Reads: []Reading{{"secret", []string{"2018030" + string(rune('1'+i))}}}}))
		c.pass(time.Hour)
	}
	require.NoError(t, s.Record(t.Context(), Entry{Name: "someone", Event: SignedIn, Outcome: ErrSignIn.Error()}))
	require.NoError(t, s.Remove(t.Context(), ann.ID))
	for name, f := range map[string]struct {
		Filter
		want int
	}{
		"all": {Filter{}, 4}, "person": {Filter{Person: ann.ID}, 3}, "name": {Filter{Person: "ANN"}, 3}, "table": {Filter{Table: "secret"}, 3},
		"no table": {Filter{Table: "open"}, 0},
		"event":    {Filter{Event: SignedIn}, 1}, "from": {Filter{From: c.now()}, 1}, "to": {Filter{To: c.now()}, 3},
		"before": {Filter{Before: 2}, 1}, "several": {Filter{Person: "ann", Event: SignedIn}, 0},
	} {
		f.Limit = 100
		got, err := s.Audit(t.Context(), f.Filter)
		require.NoError(t, err, name)
		require.Len(t, got, f.want, name)
	}
	got, err := s.Audit(t.Context(), Filter{Limit: 2, Before: 4})
	require.NoError(t, err)
	require.Len(t, got, 2)
	require.Equal(t, Entry{ID: 3, At: c.now().Add(-time.Hour).UTC(), Person: ann.ID, Name: "ann", Event: Queried, Outcome: Done,
		Address: "10.0.0.1", About: "q", SQL: "SELECT 1", Reads: []Reading{{"secret", []string{"20180303"}}}}, got[0])
}

// TestRefusedGo: the audit loses only that strangers were refused, after a time.
func TestRefusedGo(t *testing.T) {
	s, c := opened(t)
	ann := added(t, s, Person{Name: "ann"})
	for _, e := range []Entry{{Event: SignedIn, Outcome: Done}, {Event: SignedIn, Outcome: "wrong"}, {Event: Queried, Outcome: "wrong"}} {
		require.NoError(t, s.Record(t.Context(), e))
	}
	for _, want := range []int{3, 2} {
		_, err := s.Begin(t.Context(), ann.ID, ByLink, Visit{})
		require.NoError(t, err)
		got, err := s.Audit(t.Context(), Filter{Limit: 10})
		require.NoError(t, err)
		require.Len(t, got, want)
		c.pass(refusedTime + time.Hour)
	}
}

// TestGrants: grants are written as tables and columns, and only those that there are can be given.
func TestGrants(t *testing.T) {
	parse := func(texts ...string) []Grant {
		grants, err := ParseGrants(texts)
		require.NoError(t, err)
		return grants
	}
	grants := parse("*", "a", "b.x", "b.y", "b.x", "a.z")
	require.Equal(t, []Grant{{Table: AllTables}, {Table: "a"}, {Table: "b", Columns: []string{"x", "y"}},
		{Table: "a", Columns: []string{"z"}}}, grants)
	require.Equal(t, "*, a, b.x, b.y, a.z", GrantsText(grants))
	tables := []*schema.Table{{Name: "b", PartitionKeys: []string{"day"}, Columns: []schema.Column{{Name: "x"}}}}
	require.NoError(t, CheckGrants(tables, parse("*", "b", "b.x", "b.day")))
	require.ErrorContains(t, CheckGrants(tables, parse("a", "b.y")), `table b has no column "y"`)

	grants = parse("a:os=Linux", "b:x=2|1", "b.x", "b:x=3", "b:day=20180301")
	require.Equal(t, []Grant{
		{Table: "b", Columns: []string{"x"}, Rows: []rows.Selection{{Column: "day", Values: []string{"20180301"}},
			{Column: "x", Values: []string{"1", "2", "3"}}}},
		{Table: "a", Rows: []rows.Selection{{Column: "os", Values: []string{"Linux"}}}},
	}, grants)
	require.Equal(t, "b.x, b:day=20180301, b:x=1|2|3, a:os=Linux", GrantsText(grants))
	require.NoError(t, CheckGrants(tables, parse("b:x=1", "b:day=20180301")))
	require.ErrorContains(t, CheckGrants(tables, parse("b:y=1")), `table b has no column "y"`)
	require.ErrorContains(t, CheckGrants(tables, parse("*:x=1")), "for one table")
	_, err := ParseGrants([]string{"b:x"})
	require.ErrorContains(t, err, `grant "b:x": want a condition`)
}

// FuzzGrants: what people write as grants never stops the program, and what it is read as is written the same way again.
func FuzzGrants(f *testing.F) {
	f.Add("*")
	f.Add("a.b.c")
	f.Add("a:b=c|d")
	f.Fuzz(func(t *testing.T, text string) {
		first, err := ParseGrants([]string{text, text})
		if err != nil {
			require.Contains(t, text, ":")
			return
		}
		require.Len(t, first, 1)
		again, err := ParseGrants(first[0].Texts())
		require.NoError(t, err)
		require.Equal(t, first, again)
	})
}
