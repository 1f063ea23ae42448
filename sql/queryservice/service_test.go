package queryservice

import (
	"context"
	"fmt"
	"log/slog"

	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/guard"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/queue"
	"github.com/pingmill/pingmill/sql/worker"
	"github.com/pingmill/pingmill/store/database/databasetest"
)

func TestMain(m *testing.M) {
	worker.Main()
	os.Exit(databasetest.Both(m))
}

// Persons of the tests: ann may read everything, bob what is not restricted, col a column of crash_summary.
var (
	ann = &access.Person{ID: "ann", Name: "Ann", Grants: []access.Grant{{Table: access.AllTables}, {Table: "search_clients_daily"}}}
	bob = &access.Person{ID: "bob", Name: "Bob", Grants: []access.Grant{{Table: access.AllTables}}}
	col = &access.Person{ID: "col", Name: "Col", Grants: []access.Grant{{Table: "crash_summary", Columns: []string{"application"}}}}
)

// ledger is the audit of a test.
type ledger struct {
	mu      sync.Mutex
	entries []access.Entry
}

func (l *ledger) Record(_ context.Context, e access.Entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, e)
	return nil
}

func (l *ledger) all() []access.Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.entries
}

// published returns an installation with days of crash_summary and search_clients_daily.
func published(t testing.TB, days ...string) *site.Site {
	s := sitetest.Local(t)
	for _, name := range []string{"crash_summary", "search_clients_daily"} {
		for _, day := range days {
			publish(t, s, name, day, 10)
		}
	}
	return s
}

// publish publishes rows of clients 0, 1, ….
func publish(t testing.TB, s *site.Site, name, day string, rows int) {
	lt, err := s.Table(name)
	require.NoError(t, err)
	all := make([]map[string]any, rows)
	for i := range all {
		all[i] = map[string]any{"client_id": fmt.Sprint(i), "application": "Firefox"}
	}
	sitetest.Publish(t, lt, day, "00000001", "", all)
}

// opened opens a query service in a folder of its own.
func opened(t testing.TB, s *site.Site, change ...func(*Config)) *Service {
	c := Config{
		Site: s, Place: databasetest.Place(t), Temp: t.TempDir(), Audit: &ledger{}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Options: Options{
			Queue:  queue.Options{Slots: 2, PerPerson: 2, Waiting: 10},
			Limits: worker.Limits{Threads: 1, Memory: 512 << 20, Rows: 100_000, Bytes: 64 << 20},
			Guard:  guard.Set{Large: guard.Days{All: 1, Sampled: 2}},
			Keep:   time.Hour, KeepBytes: 1 << 30,
		},
	}
	for _, f := range change {
		f(&c)
	}
	d, err := Open(t.Context(), c)
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// asked asks a question and waits for its end.
func submitted(t testing.TB, d *Service, p *access.Person, sql string) Query {
	q, err := d.Submit(t.Context(), p, Request{SQL: sql})
	require.NoError(t, err)
	q, err = d.Wait(t.Context(), p, q.ID, time.Minute)
	require.NoError(t, err)
	require.True(t, q.State.Ended())
	return q
}

// rowsOf returns the rows of a result.
func rowsOf(t testing.TB, d *Service, p *access.Person, id string, from, n int64) (rows [][]any) {
	r, err := d.Result(t.Context(), p, id)
	require.NoError(t, err)
	defer r.Close()
	require.NoError(t, r.Each(from, n, func(row []any) error {
		rows = append(rows, append([]any{}, row...))
		return nil
	}))
	return rows
}

// TestQuery: the whole of a query, with what it says of itself.
func TestQuery(t *testing.T) {
	audit := &ledger{}
	d := opened(t, published(t, "20180301", "20180302"), func(c *Config) { c.Audit = audit })
	q := submitted(t, d, bob, "SELECT application, count(*) AS n FROM crash_summary WHERE submission_date = '2018-03-02' GROUP BY 1")
	require.Equal(t, Done, q.State, q.Error)
	require.Equal(t, []ResultColumn{{"application", "varchar"}, {"n", "bigint"}}, q.Columns)
	require.Equal(t, int64(1), q.Rows)
	require.Equal(t, 1, q.Reads.Partitions)
	require.Equal(t, []DaysRead{{Table: "crash_summary", Days: []string{"2018-03-02"}}}, q.Reads.Days)
	require.NotZero(t, q.CPU)
	require.Equal(t, [][]any{{"Firefox", int64(10)}}, rowsOf(t, d, bob, q.ID, 0, 10))
	require.Empty(t, audit.all())

	q = submitted(t, d, ann, "SELECT count(client_id) FROM search_clients_daily WHERE submission_date_obj = '20180301'")
	require.Equal(t, Done, q.State, q.Error)
	entry := audit.all()[0]
	require.Equal(t, []access.Reading{{Table: "search_clients_daily", Days: []string{"20180301"}}}, entry.Reads)
	require.Equal(t, q.ID, entry.About)
	require.Equal(t, access.Done, entry.Outcome)

	q = submitted(t, d, ann, "SELECT count(*) FROM search_clients_daily WHERE channel = 'release'")
	require.Equal(t, Failed, q.State)
	require.Equal(t, "Too large", q.Error.Kind)
	require.NotEmpty(t, q.Error.Add)
	require.Contains(t, audit.all()[1].Outcome, "refused")
}

// TestErrors: they are as the person may see them, at their place in the text as it was written.
func TestErrors(t *testing.T) {
	d := opened(t, published(t, "20180301"))
	q, err := d.Submit(t.Context(), bob,
		Request{SQL: "SELECT '{{not}}', {{n}},\n  nothing FROM crash_summary", Parameters: map[string]any{"n": 123456789.0}})
	require.NoError(t, err)
	q, err = d.Wait(t.Context(), bob, q.ID, time.Minute)
	require.NoError(t, err)
	require.Equal(t, Failed, q.State)
	require.Equal(t, []any{2, 3, "  nothing FROM crash_summary"}, []any{q.Error.Line, q.Error.Column, q.Error.Text}, q.Error)
	var wrong *Failure
	_, err = d.Submit(t.Context(), bob, Request{SQL: "SELECT {{n}}"})
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, 8, wrong.Column)
}

// TestGrants: a table or a column that is not granted is as one that does not exist, in errors, lists and hints.
func TestGrants(t *testing.T) {
	s := published(t, "20180301")
	s.Tables = schema.NewSet(s.Probes).Tables
	lt, err := s.Table("search_aggregates")
	require.NoError(t, err)
	sitetest.Publish(t, lt, "20180301", "00000001", "", []map[string]any{{"engine": "e", "source": "s"}})
	d := opened(t, s)
	text := func(q Query) string { return fmt.Sprintf("%+v", *q.Error) }
	for _, sql := range []string{"SELECT * FROM %s", "SELECT * FROM %s_v5", "DESCRIBE %s", "EXPLAIN SELECT * FROM %s",
		"SHOW COLUMNS FROM %s"} {
		for _, table := range []string{"search_clients_daily", "search_aggregates"} {
			real, none := submitted(t, d, bob, fmt.Sprintf(sql, table)), submitted(t, d, bob, fmt.Sprintf(sql, "x"+table[1:]))
			require.Equal(t, text(none), strings.ReplaceAll(text(real), table, "x"+table[1:]), sql)
		}
	}
	for _, sql := range []string{"SELECT %s FROM crash_summary", "SELECT max(c.%s) FROM crash_summary c"} {
		real, none := submitted(t, d, col, fmt.Sprintf(sql, "client_id")), submitted(t, d, col, fmt.Sprintf(sql, "cliant_id"))
		require.Equal(t, Failed, real.State)
		require.Equal(t, text(none), strings.ReplaceAll(text(real), "client_id", "cliant_id"), sql)
	}
	q := submitted(t, d, col, "SELECT * FROM crash_summary")
	require.Equal(t, Done, q.State, q.Error)
	require.Equal(t, []ResultColumn{{"application", "varchar"}, {"submission_date", "varchar"}}, q.Columns)
	q = submitted(t, d, bob, "SHOW TABLES")
	require.NotContains(t, fmt.Sprint(rowsOf(t, d, bob, q.ID, 0, 100)), "search_")
	q, err = d.Submit(t.Context(), bob, Request{SQL: "SHOW TABLES", Dialect: query.DuckDB})
	require.NoError(t, err)
	q, err = d.Wait(t.Context(), bob, q.ID, time.Minute)
	require.NoError(t, err)
	require.Equal(t, Done, q.State, q.Error)
	require.NotContains(t, fmt.Sprint(rowsOf(t, d, bob, q.ID, 0, 100)), "search_")
}

// TestColumns: who has some columns of a table gets the results of all queries of them, however DuckDB reads them, and so does who has
// all columns; who has others does not.
func TestColumns(t *testing.T) {
	d := opened(t, published(t, "20180301"))
	other := &access.Person{ID: "oth", Name: "Oth", Grants: []access.Grant{{Table: "crash_summary", Columns: []string{"client_id"}}}}
	for sql, dialect := range map[string]query.Dialect{
		"SELECT application FROM crash_summary USING SAMPLE 3":                                  query.DuckDB,
		"SELECT application FROM crash_summary USING SAMPLE 50%":                                query.DuckDB,
		"SELECT * FROM crash_summary USING SAMPLE reservoir(2 ROWS)":                            query.DuckDB,
		"SELECT c.application FROM crash_summary AS c TABLESAMPLE SYSTEM (100%)":                query.DuckDB,
		"SELECT application FROM crash_summary TABLESAMPLE BERNOULLI (100)":                     query.Presto,
		"SELECT count(*) FROM crash_summary TABLESAMPLE BERNOULLI (100)":                        query.Presto,
		"SELECT * FROM crash_summary":                                                           query.Presto,
		"SELECT c FROM crash_summary AS c":                                                      query.DuckDB,
		"SELECT DISTINCT application FROM (SELECT * FROM crash_summary) WHERE application > ''": query.DuckDB,
	} {
		q, err := d.Submit(t.Context(), col, Request{SQL: sql, Dialect: dialect})
		require.NoError(t, err)
		q, err = d.Wait(t.Context(), col, q.ID, time.Minute)
		require.NoError(t, err, sql)
		require.Equal(t, Done, q.State, "%s: %v", sql, q.Error)
		for _, p := range []*access.Person{col, ann, bob} {
			r, err := d.Result(t.Context(), p, q.ID)
			require.NoError(t, err, "%s: %s", p.Name, sql)
			require.NoError(t, r.Close())
		}
		_, err = d.Result(t.Context(), other, q.ID)
		if strings.Contains(sql, "count(*)") {
			continue // a number of rows
		}
		require.ErrorIs(t, err, ErrNotFound, sql)
	}
}

// TestOthers: a query is visible to people with grants of all that it used, and to nobody else.
func TestOthers(t *testing.T) {
	d := opened(t, published(t, "20180301"))
	for sql, sees := range map[string]struct{ bob, col bool }{
		"SELECT 1":                                       {true, true},
		"SELECT count(*) FROM crash_summary":             {true, true},
		"SELECT application FROM crash_summary":          {true, true},
		"SELECT max(client_id) FROM crash_summary":       {true, false},
		"SELECT count(*) FROM search_clients_daily":      {false, false},
		"SELECT 1 FROM search_clients_daily WHERE false": {false, false},
		"SELECT nonsense FROM search_clients_daily":      {false, false},
		"SELECT 'Search_Clients_Daily'":                  {false, false},
		"SHOW TABLES":                                    {false, false},
		"SELECT 1 -- of search_clients_daily_v5":         {false, false},
	} {
		q := submitted(t, d, ann, sql)
		for p, want := range map[*access.Person]bool{ann: true, bob: sees.bob, col: sees.col} {
			_, err := d.Get(t.Context(), p, q.ID)
			require.Equal(t, want, err == nil, "%s: %s: %v", p.Name, sql, err)
			if !want {
				require.ErrorIs(t, err, ErrNotFound)
				_, err = d.Result(t.Context(), p, q.ID)
				require.ErrorIs(t, err, ErrNotFound)
				require.ErrorIs(t, d.Cancel(t.Context(), p, q.ID), ErrNotFound)
			}
		}
	}
	list, next, err := d.List(t.Context(), ann, Filter{Limit: 4})
	require.NoError(t, err)
	require.Len(t, list, 4)
	rest, _, err := d.List(t.Context(), ann, Filter{Limit: 100, Before: next})
	require.NoError(t, err)
	require.Len(t, rest, 6)
	list, _, err = d.List(t.Context(), bob, Filter{Limit: 10})
	require.NoError(t, err)
	require.Empty(t, list)
	// A person who lost a grant no longer sees its results.
	less := *ann
	less.Grants = bob.Grants
	list, _, err = d.List(t.Context(), &less, Filter{Limit: 10})
	require.NoError(t, err)
	require.Len(t, list, 4)
}

// TestPlan: it returns what a query would read, and runs nothing.
func TestPlan(t *testing.T) {
	d := opened(t, published(t, "20180301", "20180302"))
	plan, err := d.Plan(t.Context(), bob, Request{SQL: "SELECT count(*) AS n FROM crash_summary"})
	require.NoError(t, err)
	require.Equal(t, 2, plan.Reads.Partitions)
	require.Equal(t, []ResultColumn{{"n", "bigint"}}, plan.Columns)
	var wrong *Failure
	_, err = d.Plan(t.Context(), ann, Request{SQL: "SELECT count(channel) FROM search_clients_daily"})
	require.ErrorAs(t, err, &wrong)
	require.NotEmpty(t, wrong.Add)
	_, err = d.Plan(t.Context(), bob, Request{SQL: "SELECT x FROM crash_summary"})
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, 1, wrong.Line)
	list, _, err := d.List(t.Context(), bob, Filter{Limit: 10})
	require.NoError(t, err)
	require.Empty(t, list)
}
