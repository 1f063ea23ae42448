package catalog

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/rows"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/worker"
)

// someRows is a Reader of some columns and rows of all tables.
type someRows struct {
	columns []string // nil: all
	rows    []rows.Selection
}

func (r someRows) Reads(*schema.Table) ([]string, bool) { return r.columns, true }
func (r someRows) Rows(*schema.Table) []rows.Selection  { return r.rows }

// TestSomeRows: whatever a person with some rows asks, the others count nowhere and are named in no error, also if the column of
// the condition is none that they may read.
func TestSomeRows(t *testing.T) {
	s, _ := publishingSite(t)
	for _, day := range []string{"20180301", "20180302"} {
		publishMain(t, s, day, 1000) // os is Linux in every other row, beginning with the first; subsession_length is its number
	}
	r := &worker.Runner{Temp: t.TempDir()}
	defer r.Close()
	run := func(reader Reader, d query.Dialect, sql string) (string, error) {
		q, err := Granted(t.Context(), s, reader, d, sql)
		require.NoError(t, err)
		q.Format = query.FormatCSV
		var out bytes.Buffer
		_, err = r.Run(t.Context(), q, &out, nil)
		_, rows, _ := strings.Cut(strings.TrimSpace(out.String()), "\n")
		return rows, err
	}
	linux := []rows.Selection{{Column: "os", Values: []string{"Linux", "Plan 9"}}}
	first := []rows.Selection{{Column: "submission_date_obj", Values: []string{"20180301"}}}
	sevens := []rows.Selection{{Column: "profile_subsession_counter", Values: []string{"0"}}}
	cases := []struct {
		name    string
		columns []string
		rows    []rows.Selection
		sql     string
		want    string
	}{
		{"count", nil, linux, "SELECT count(*) FROM main_summary", "1000"},
		{"values", nil, linux, "SELECT DISTINCT os FROM main_summary", "Linux"},
		{"sums", nil, linux,
			"SELECT sum(subsession_length), max(subsession_length) FROM main_summary WHERE submission_date_obj = '20180302'",
			"249500,998"},
		{"others", nil, linux, "SELECT count(*) FROM main_summary WHERE os <> 'Linux' OR os IS NULL", "0"},
		{"hidden column", []string{"subsession_length"}, linux, "SELECT max(subsession_length), count(*) FROM main_summary", "998,1000"},
		{"number", nil, []rows.Selection{{Column: "subsession_length", Values: []string{"1", "7"}}},
			"SELECT subsession_length, count(*) FROM main_summary GROUP BY 1 ORDER BY 1", "1,2\n7,2"},
		{"partition", nil, first,
			"SELECT count(*), max(submission_date_obj) FROM main_summary", "1000,20180301"},
		{"two", nil, append([]rows.Selection{{Column: "os", Values: []string{"Darwin"}}}, first...),
			"SELECT count(*), min(subsession_length) FROM main_summary", "500,1"},
		{"none", nil, []rows.Selection{{Column: "os", Values: []string{"it's"}}}, "SELECT count(*) FROM main_summary", "0"},
		{"join", nil, linux, "SELECT count(*) FROM main_summary a JOIN main_summary b ON a.document_id = b.document_id", "2000"},
		{"window", nil, linux, "SELECT max(n) FROM (SELECT row_number() OVER () AS n FROM main_summary)", "1000"},
		{"error", nil, linux,
			"SELECT count(*) FROM main_summary WHERE CASE WHEN subsession_length % 2 = 1 THEN CAST(os AS INTEGER) > 0 ELSE true END", "1000"},
		{"error before the condition", nil, sevens,
			"SELECT count(*) FROM main_summary " +
				"WHERE CASE WHEN profile_subsession_counter = 3 THEN CAST(vendor AS INTEGER) > 0 ELSE true END", "286"},
		{"error in an aggregate", nil, linux,
			"SELECT sum(CASE WHEN os = 'Darwin' THEN 1 / (subsession_length - subsession_length) ELSE 0 END) FROM main_summary", "0"},
	}
	for _, c := range cases {
		for _, d := range []query.Dialect{query.Presto, query.DuckDB} {
			got, err := run(someRows{c.columns, c.rows}, d, c.sql)
			require.NoError(t, err, "%s in %s", c.name, d)
			require.Equal(t, c.want, got, "%s in %s", c.name, d)
		}
	}
	for d, sql := range map[query.Dialect][]string{
		query.Presto: {"SELECT os FROM main_summary TABLESAMPLE BERNOULLI (50)", "SELECT * FROM main_summary", "TABLE main_summary"},
		query.DuckDB: {"SELECT os FROM main_summary USING SAMPLE 100", "SELECT os FROM main_summary TABLESAMPLE 50% (bernoulli)",
			"FROM main_summary",
			"SELECT os FROM main_summary USING SAMPLE reservoir(20 ROWS)"},
	} {
		for _, sql := range sql {
			got, err := run(someRows{rows: linux}, d, sql)
			require.NoError(t, err, sql)
			require.Contains(t, got, "Linux", sql)
			require.NotContains(t, got, "Darwin", sql)
		}
	}
	got, err := run(someRows{rows: first}, query.Presto, "SHOW PARTITIONS FROM main_summary")
	require.NoError(t, err)
	require.Equal(t, "20180301,0", got)
	_, err = run(someRows{[]string{"subsession_length"}, linux}, query.Presto, "SELECT os FROM main_summary")
	require.ErrorContains(t, err, "os")
	// An error names values of readable rows only.
	_, err = run(someRows{rows: linux}, query.DuckDB, "SELECT count(*) FROM main_summary WHERE CAST(os AS INTEGER) > 0")
	require.ErrorContains(t, err, "Linux")
}
