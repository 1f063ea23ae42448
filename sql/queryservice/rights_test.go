package queryservice

import (
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store/database/databasetest"
)

// TestRights: a query that runs ends, and a result that is open is read no further, once its person may not read the table any more.
func TestRights(t *testing.T) {
	store, err := access.Open(t.Context(), databasetest.Place(t), time.Now)
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	added, err := store.Add(t.Context(), access.Person{Name: "held", Kind: access.Service, Grants: []access.Grant{{Table: "crash_summary"}}})
	require.NoError(t, err)
	d := opened(t, published(t, "20180301"), func(c *Config) { c.People = store })
	p, err := store.Person(t.Context(), added.ID)
	require.NoError(t, err)
	done := submitted(t, d, p, "SELECT a.application FROM crash_summary a CROSS JOIN UNNEST(sequence(1, 3000)) AS b(x)")
	require.Equal(t, Done, done.State, done.Error)
	r, err := d.Result(t.Context(), p, done.ID)
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.Close() })
	require.Greater(t, len(r.index.Batches), 1)
	q, err := d.Submit(t.Context(), p, Request{SQL: `SELECT count(*) FROM crash_summary a CROSS JOIN UNNEST(sequence(1, 10000)) AS b(x)
CROSS JOIN UNNEST(sequence(1, 10000)) AS c(y) CROSS JOIN UNNEST(sequence(1, 10000)) AS d(z) WHERE x * y % 7 = z % 5`})
	require.NoError(t, err)
	sitetest.WaitFor(t, "the query", func() bool {
		now, err := d.Get(t.Context(), p, q.ID)
		require.NoError(t, err)
		require.False(t, now.State.Ended(), now.Error)
		return now.State == Running
	})

	batches := 0
	err = r.Batches(0, r.Rows(), func(arrow.RecordBatch, int64) error {
		if batches++; batches == 1 {
			_, err := store.Edit(t.Context(), p.ID, func(a *access.Account) error { a.Grants = nil; return nil })
			require.NoError(t, err)
		}
		return nil
	})
	require.ErrorIs(t, err, ErrNotFound)
	require.Equal(t, 1, batches)
	q, err = d.Wait(t.Context(), p, q.ID, time.Minute)
	require.NoError(t, err)
	require.Equal(t, Failed, q.State)
	require.Contains(t, q.Error.Message, "rights have changed")
	now, err := store.Person(t.Context(), p.ID)
	require.NoError(t, err)
	_, err = d.Result(t.Context(), now, done.ID)
	require.ErrorIs(t, err, ErrNotFound)
}

// TestRightsOfRows: people with some rows see no query of others with other rows, and a change of these rows ends the sight of
// queries of before. Notes tell limited people so.
func TestRightsOfRows(t *testing.T) {
	store, err := access.Open(t.Context(), databasetest.Place(t), time.Now)
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	d := opened(t, published(t, "20180301"), func(c *Config) { c.People = store })
	all := func(name string, grants ...string) *access.Person {
		g, err := access.ParseGrants(grants)
		require.NoError(t, err)
		a, err := store.Add(t.Context(), access.Person{Name: name, Kind: access.Service, Grants: g})
		require.NoError(t, err)
		p, err := store.Person(t.Context(), a.ID)
		require.NoError(t, err)
		return p
	}
	whole, none, same, other := all("whole", "*"), all("none", "*", "crash_summary:application=Fennec"),
		all("same", "crash_summary:application=Fennec"), all("other", "crash_summary.application", "crash_summary:application=Firefox|Fennec")
	request := Request{SQL: "SELECT application, count(*) AS n FROM crash_summary GROUP BY 1", Saved: "s"}
	runs := map[*access.Person]Shared{}
	for p, want := range map[*access.Person][][]any{
		whole: {{"Firefox", int64(10)}}, none: nil, same: nil, other: {{"Firefox", int64(10)}},
	} {
		runs[p] = sharedRun(t, d, p, request, AnyAge)
		q := runs[p].Run
		require.Equal(t, Done, q.State, q.Error)
		require.Equal(t, want, normal(rowsOf(t, d, p, q.ID, 0, 10)), p.Name)
		require.Equal(t, p != whole, len(q.Notes) > 0, "%s: %q", p.Name, q.Notes)
	}
	require.Equal(t, runs[none].Run.ID, runs[same].Run.ID)
	require.Contains(t, runs[same].Run.Notes, "of crash_summary you read only rows with application Fennec")
	for _, p := range []*access.Person{whole, none, other} {
		for _, o := range []*access.Person{whole, same, other} {
			if p == o || p == none && o == same {
				continue
			}
			_, err := d.Get(t.Context(), p, runs[o].Run.ID)
			require.ErrorIs(t, err, ErrNotFound, "%s sees the query of %s", p.Name, o.Name)
		}
	}
	plan, err := d.Plan(t.Context(), other, Request{SQL: request.SQL})
	require.NoError(t, err)
	require.Contains(t, plan.Notes, "of crash_summary you read only rows with application Fennec or Firefox")
	_, err = store.Edit(t.Context(), other.ID, func(a *access.Account) error { a.Grants[0].Rows = nil; return nil })
	require.NoError(t, err)
	now, err := store.Person(t.Context(), other.ID)
	require.NoError(t, err)
	_, err = d.Get(t.Context(), now, runs[other].Run.ID)
	require.ErrorIs(t, err, ErrNotFound)
}
