package queryservice

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/params"
	"github.com/pingmill/pingmill/sql/query"
)

// shelf has saved queries by id. Those that begin with x are hidden from everybody but ann.
type shelf map[string]SavedQuery

func (s shelf) get(_ context.Context, p *access.Person, id string) (*SavedQuery, error) {
	q, ok := s[id]
	if !ok || id[0] == 'x' && p.ID != ann.ID {
		return nil, ErrNotFound
	}
	if q.Title = id; q.Dialect == "" {
		q.Dialect = query.Presto
	}
	return &q, nil
}

// row returns the only row of a query as text, else its error.
func row(t *testing.T, d *Service, r Request) string {
	q, err := d.Submit(t.Context(), bob, r)
	if err == nil {
		q, err = d.Wait(t.Context(), bob, q.ID, time.Minute)
		require.NoError(t, err)
	} else {
		failed, ok := err.(*Failure)
		require.True(t, ok, err)
		q.Error = failed
	}
	if q.Error != nil {
		return fmt.Sprintf("%d:%d %s", q.Error.Line, q.Error.Column, q.Error.Message)
	}
	rows := rowsOf(t, d, bob, q.ID, 0, 2)
	require.Len(t, rows, 1)
	return fmt.Sprint(rows[0]...)
}

// TestNested: saved queries are tables of other queries, of every form.
func TestNested(t *testing.T) {
	d := opened(t, sitetest.Local(t), func(c *Config) {
		c.SavedQuery = shelf{
			"one":   {SQL: "SELECT 1 AS n -- the first one"},
			"semi":  {SQL: "/* ; */ SELECT 2 AS n; -- it ends here\n"},
			"sum":   {SQL: "WITH a AS (SELECT n FROM query_one) SELECT sum(n) AS n FROM (SELECT n FROM a UNION ALL SELECT n FROM query_semi) t"},
			"param": {SQL: "SELECT {{n}} AS n, '{{n}}' AS t", Parameters: []params.Parameter{{Name: "n", Kind: params.Number, Default: 7}}},
			"a-b":   {SQL: "VALUES 5"},
			"duck":  {SQL: "FROM range(3) AS r(n)", Dialect: query.DuckDB},
			"duck2": {SQL: "SELECT count(*) AS n FROM query_duck", Dialect: query.DuckDB},
			"x1":    {SQL: "SELECT 8 AS n"},
			"his":   {SQL: "SELECT 9 AS n", Owner: ann.ID},
			"own":   {SQL: "SELECT 10 AS n", Owner: bob.ID},
		}.get
	})
	for sql, want := range map[string]string{
		"SELECT n FROM query_one":                                                    "1",
		"SELECT query_one.n FROM Query_One":                                          "1",
		"SELECT a.n FROM query_one AS a":                                             "1",
		"SELECT a.n + b.n FROM query_one a CROSS JOIN query_semi b":                  "3",
		"/* x */ WITH b AS (SELECT n + 1 AS n FROM query_one) SELECT b.n * 2 FROM b": "4",
		"(SELECT n FROM query_one) UNION (SELECT n FROM query_one)":                  "1",
		"SELECT (SELECT max(n) FROM query_sum)":                                      "3",
		"SELECT n, t FROM query_param":                                               "7{{n}}",
		"SELECT n + {{m}} FROM query_param WHERE n < {{m}}":                          "107",
		"SELECT a.* FROM \"query_a-b\" AS a":                                         "5",
		"SELECT 'query_one' AS query_one -- query_sum":                               "query_one",
		"SELECT n FROM query_nothing":                                                "1:15 there is no table query_nothing",
		"SELECT n FROM query_x1":                                                     "1:15 there is no table query_x1",
		"SELECT n FROM schema.query_one.x":                                           "",
		"SELECT n\nFROM query_duck":                                                  "2:6 query_duck is in the other dialect, duckdb",
		"WITH query_one AS (SELECT 3 AS n) SELECT n FROM query_one":                  "",
		"SELECT n FROM query_one, query_one":                                         "",
		"SHOW TABLES FROM query_one":                                                 "",
		"WITH RECURSIVE r (n) AS (SELECT n FROM query_one UNION ALL SELECT n + 1 FROM r WHERE n < 4)\nSELECT max(n) FROM r": "4",
	} {
		got := row(t, d, Request{SQL: sql, Parameters: parametersOf(sql)})
		if want == "" {
			require.Contains(t, got, ":", sql) // an error
			continue
		}
		require.Equal(t, want, got, sql)
	}
	require.Equal(t, "3", row(t, d, Request{SQL: "FROM query_duck2", Dialect: query.DuckDB}))
	require.Equal(t, "6", row(t, d, Request{SQL: "FROM query_duck2 SELECT n * 2 AS n", Dialect: query.DuckDB}))

	require.Equal(t, "9", row(t, d, Request{SQL: "SELECT n FROM query_his"}))
	require.Equal(t, "11", row(t, d, Request{SQL: "SELECT a.n + b.n FROM query_own a CROSS JOIN query_one b", Scheduled: true}))
	require.Contains(t, row(t, d, Request{SQL: "SELECT n FROM query_his", Scheduled: true}), "1:15 query_his is of somebody else")

	q, err := d.Submit(t.Context(), ann, Request{SQL: "SELECT n FROM query_x1"})
	require.NoError(t, err)
	q, err = d.Wait(t.Context(), ann, q.ID, time.Minute)
	require.NoError(t, err)
	require.Equal(t, Done, q.State)
	require.Equal(t, "SELECT n FROM query_x1", q.SQL) // as it was written
}

func parametersOf(sql string) map[string]any {
	if strings.Contains(sql, "{{m}}") {
		return map[string]any{"m": 100}
	}
	return nil
}

// TestNestedRefused: cycles, deep and wide nesting, and texts that would end their brackets are refused at the name in the text.
func TestNestedRefused(t *testing.T) {
	s := shelf{
		"self":  {SQL: "SELECT * FROM query_self"},
		"a":     {SQL: "SELECT * FROM query_b"},
		"b":     {SQL: "SELECT * FROM query_a"},
		"out":   {SQL: "SELECT 1 AS n), query_other AS (SELECT 2 AS n"},
		"open":  {SQL: "SELECT 1 AS n /* not closed"},
		"quote": {SQL: "SELECT 'not closed"},
		"two":   {SQL: "SELECT 1; SELECT 2"},
		"none":  {SQL: "-- nothing"},
		"lacks": {SQL: "SELECT {{n}} AS n"},
		"wrong": {SQL: "SELECT 1 AS n,\n  nothing AS m FROM (SELECT 2 AS x) t"},
		"set":   {SQL: "SHOW TABLES"},
	}
	for i := range 20 {
		s[fmt.Sprint("deep", i)] = SavedQuery{SQL: fmt.Sprintf("SELECT * FROM query_deep%d", i+1)}
	}
	s["deep20"] = SavedQuery{SQL: "SELECT 1 AS n"}
	var many []string
	for i := range 60 {
		s[fmt.Sprint("m", i)] = SavedQuery{SQL: "SELECT 1 AS n"}
		many = append(many, fmt.Sprintf("SELECT n FROM query_m%d", i))
	}
	d := opened(t, sitetest.Local(t), func(c *Config) { c.SavedQuery = s.get })
	for name, want := range map[string]string{
		"self":   "query_self reads itself",
		"a":      "query_a reads itself",
		"out":    "query_out has brackets or quotes that are not closed",
		"open":   "query_open has brackets or quotes that are not closed",
		"quote":  "query_quote has brackets or quotes that are not closed",
		"two":    "query_two has 2 statements: only one can be a table",
		"none":   "query_none has 0 statements: only one can be a table",
		"lacks":  "query_lacks: parameter n has no value",
		"deep0":  "more than 10 saved queries are within each other",
		"deep11": "",
		"wrong":  "in the saved query “wrong”: column nothing",
		"set":    "in the saved query “set”: ",
	} {
		got := row(t, d, Request{SQL: "SELECT *\n  FROM query_" + name})
		if want == "" {
			require.Equal(t, "1", got, name)
			continue
		}
		require.Contains(t, got, want, name)
		require.True(t, strings.HasPrefix(got, "2:8 "), "%s: %s", name, got)
	}
	require.Contains(t, row(t, d, Request{SQL: strings.Join(many, " UNION ALL ")}), "more than 50 saved queries")
}

// TestNestedRights: a query needs the grants of the saved queries that it reads; results and the audit have their tables, too.
func TestNestedRights(t *testing.T) {
	audit := &ledger{}
	d := opened(t, published(t, "20180301"), func(c *Config) {
		c.Audit = audit
		c.SavedQuery = shelf{
			"secret": {SQL: "SELECT count(*) AS n FROM search_clients_daily"},
			"all":    {SQL: "SELECT client_id FROM crash_summary"},
		}.get
	})
	require.Contains(t, row(t, d, Request{SQL: "SELECT n FROM query_secret"}), "there is no table search_clients_daily")
	q := submitted(t, d, ann, "SELECT n FROM query_secret")
	require.Equal(t, Done, q.State, q.Error)
	require.Equal(t, "search_clients_daily", audit.all()[0].Reads[0].Table)
	require.Equal(t, "search_clients_daily", q.Reads.Days[0].Table)
	_, err := d.Result(t.Context(), bob, q.ID)
	require.ErrorIs(t, err, ErrNotFound)
	q = submitted(t, d, col, "SELECT * FROM query_all")
	require.Equal(t, Failed, q.State)
	require.Contains(t, q.Error.Message, "client_id")
}
