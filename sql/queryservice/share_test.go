package queryservice

import (
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema/rows"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/params"
)

// sharedRun shares a request and waits for the end of its run.
func sharedRun(t *testing.T, d *Service, p *access.Person, request Request, age time.Duration) Shared {
	t.Helper()
	s, err := Share(t.Context(), d, p, request, age)
	require.NoError(t, err)
	s.Run, err = d.Wait(t.Context(), p, s.Run.ID, time.Minute)
	require.NoError(t, err)
	return s
}

// TestShare: one run is enough for everybody with the same rights, until its result is too old or removed.
func TestShare(t *testing.T) {
	at := time.Date(2018, 3, 2, 0, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	now := func() time.Time { mu.Lock(); defer mu.Unlock(); return at }
	pass := func(by time.Duration) { mu.Lock(); defer mu.Unlock(); at = at.Add(by) }
	d := opened(t, published(t, "20180301"), func(c *Config) { c.Now = now })
	request := Request{SQL: "SELECT application, {{a}} AS a, count(*) FROM crash_summary GROUP BY 1, 2", Saved: "s",
		Parameters: map[string]any{"a": 1}}
	var all sync.WaitGroup
	var ids sync.Map
	for i := range 20 { // at once
		all.Go(func() {
			p := *bob
			p.ID = "viewer" + string(rune('a'+i))
			s, err := Share(t.Context(), d, &p, request, AnyAge)
			if err == nil {
				ids.Store(s.Run.ID, true)
			}
		})
	}
	all.Wait()
	var id string
	n := 0
	ids.Range(func(k, _ any) bool { id = k.(string); n++; return true })
	require.Equal(t, 1, n)
	first := sharedRun(t, d, bob, request, AnyAge)
	require.Equal(t, id, first.Run.ID)
	require.Equal(t, Done, first.Run.State)
	require.Equal(t, id, sharedRun(t, d, ann, request, AnyAge).Run.ID) // the other table of ann's is not in the text
	require.Equal(t, [][]any{{"Firefox", int64(1), int64(10)}}, normal(rowsOf(t, d, ann, id, 0, 10)))

	for name, other := range map[string]Request{
		"values":     {SQL: request.SQL, Saved: "s", Parameters: map[string]any{"a": 2}},
		"saved":      {SQL: request.SQL, Saved: "t", Parameters: request.Parameters},
		"statement":  {SQL: request.SQL + " -- x", Saved: "s", Parameters: request.Parameters},
		"dialect":    {SQL: request.SQL, Saved: "s", Parameters: request.Parameters, Dialect: params.DuckDB},
		"rows":       {SQL: request.SQL, Saved: "s", Parameters: request.Parameters, Rows: 1},
		"everything": {SQL: request.SQL, Saved: "s", Parameters: request.Parameters, Whole: true},
	} {
		require.NotEqual(t, id, sharedRun(t, d, bob, other, AnyAge).Run.ID, name)
	}
	pass(time.Minute)
	require.Equal(t, id, sharedRun(t, d, bob, request, time.Minute).Run.ID)
	second := sharedRun(t, d, bob, request, 59*time.Second)
	require.NotEqual(t, id, second.Run.ID)
	require.Equal(t, id, second.Result.ID) // shown meanwhile
	require.Equal(t, second.Run.ID, sharedRun(t, d, ann, request, 59*time.Second).Run.ID)
	require.NoError(t, os.Remove(d.results.path(second.Run.ID)))
	third := sharedRun(t, d, ann, request, AnyAge)
	require.NotEqual(t, second.Run.ID, third.Run.ID)
	submittedOf, err := d.Submit(t.Context(), bob, request) // such as from the page of the saved query
	require.NoError(t, err)
	require.Equal(t, submittedOf.ID, sharedRun(t, d, ann, request, AnyAge).Run.ID)
	pass(2 * time.Hour)
	last := sharedRun(t, d, ann, request, AnyAge)
	require.NotEqual(t, submittedOf.ID, last.Run.ID)
	require.Nil(t, last.Result) // expired
}

// normal makes whole numbers int64.
func normal(rows [][]any) [][]any {
	for _, row := range rows {
		for i, v := range row {
			if n, is := v.(int32); is {
				row[i] = int64(n)
			}
		}
	}
	return rows
}

// TestShareRights: people with other rights or limits run the query themselves, and see nothing of each other's runs.
func TestShareRights(t *testing.T) {
	d := opened(t, published(t, "20180301"))
	limited := func(id string, change func(*access.Person)) *access.Person {
		p := &access.Person{ID: id, Name: id, Grants: []access.Grant{{Table: access.AllTables}}}
		change(p)
		return p
	}
	request := Request{SQL: "SELECT application, count(*) AS n FROM crash_summary GROUP BY 1", Saved: "s"}
	first := sharedRun(t, d, bob, request, AnyAge).Run.ID
	for _, p := range []*access.Person{col,
		limited("few", func(p *access.Person) { p.Limits.Rows = 5 }),
		limited("part", func(p *access.Person) {
			p.Grants = append(p.Grants, access.Grant{Table: "crash_summary", Columns: []string{"application", "client_id"}})
		}),
		limited("rows", func(p *access.Person) {
			p.Grants = append(p.Grants, access.Grant{Table: "crash_summary",
				Rows: []rows.Selection{{Column: "application", Values: []string{"Fennec"}}}})
		}),
	} {
		id := sharedRun(t, d, p, request, AnyAge).Run.ID
		require.NotEqual(t, first, id, p.ID)
		require.Equal(t, id, sharedRun(t, d, p, request, AnyAge).Run.ID, p.ID)
	}
	require.Equal(t, first, sharedRun(t, d, bob, request, AnyAge).Run.ID)
	for _, p := range []*access.Person{
		limited("named", func(p *access.Person) { p.Grants = []access.Grant{{Table: "crash_summary"}} }),
		limited("slots", func(p *access.Person) { p.Limits.Concurrent = 1 }),
		limited("other", func(p *access.Person) {
			p.Grants = append(p.Grants, access.Grant{Table: "search_clients_daily", Columns: []string{"client_id"}})
		}),
	} {
		require.Equal(t, first, sharedRun(t, d, p, request, AnyAge).Run.ID, p.ID)
	}
	list := Request{SQL: "SHOW TABLES", Saved: "s"} // it depends on all tables
	require.NotEqual(t, sharedRun(t, d, ann, list, AnyAge).Run.ID, sharedRun(t, d, bob, list, AnyAge).Run.ID)
}

// idle waits until no query is active.
func idle(t *testing.T, d *Service) {
	sitetest.WaitFor(t, "no query is active", func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		return len(d.active) == 0
	})
}

// TestShareFailures: a failure is repeated after a minute only, and one that is only its person's, such as a cancelled run, is
// nobody else's.
func TestShareFailures(t *testing.T) {
	at := time.Now()
	d := opened(t, published(t, "20180301"), func(c *Config) { c.Now = func() time.Time { return at } })
	request := Request{SQL: "SELECT no_such_column FROM crash_summary", Saved: "s"}
	first := sharedRun(t, d, bob, request, AnyAge)
	require.Equal(t, Failed, first.Run.State)
	require.Equal(t, first.Run.ID, sharedRun(t, d, ann, request, 0).Run.ID)
	idle(t, d) // it stores no state after this one
	q := first.Run
	q.Error = &Failure{Kind: "Not allowed"}
	require.NoError(t, d.update(t.Context(), &q, nil))
	second := sharedRun(t, d, ann, request, 0)
	require.NotEqual(t, first.Run.ID, second.Run.ID)
	idle(t, d)
	q = second.Run
	q.State = Cancelled
	require.NoError(t, d.update(t.Context(), &q, nil))
	require.NotEqual(t, second.Run.ID, sharedRun(t, d, ann, request, 0).Run.ID)
	_, err := Share(t.Context(), d, bob, Request{SQL: "SELECT {{x}}", Saved: "s"}, AnyAge)
	require.ErrorContains(t, err, "parameter x has no value")
}
