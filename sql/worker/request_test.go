package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/sql/query"
)

func TestMain(m *testing.M) {
	Main()
	os.Exit(m.Run())
}

// days returns a table of two days with two files each.
func days(t *testing.T) query.View {
	t.Helper()
	root := filepath.Join(t.TempDir(), "the lake", "days")
	db, err := query.Open(t.Context(), nil, query.Options{TempDir: t.TempDir()})
	require.NoError(t, err)
	defer db.Close()
	v := query.View{Name: "days", Aliases: []string{"days_v1"}, PartitionKeys: []string{"day"}, Client: "client_id", Columns: []query.Column{
		{Name: "client_id", Type: "VARCHAR"}, {Name: "n", Type: "BIGINT"}, {Name: "day", Type: "VARCHAR"},
	}}
	for day := range 2 {
		for file := range 2 {
			dir := filepath.Join(root, fmt.Sprintf("day=2018030%d", day+1))
			require.NoError(t, os.MkdirAll(dir, 0o755))
			path := filepath.Join(dir, fmt.Sprintf("part-%d.parquet", file))
			rows, err := db.QueryIn(t.Context(), query.DuckDB,
				fmt.Sprintf("COPY (SELECT 'client-' || i AS client_id, CAST(i * 10 + %d AS BIGINT) AS n FROM range(3) AS t(i)) TO '%s'", file, path))
			require.NoError(t, err)
			_, err = rows.Next()
			require.NoError(t, err)
			require.NoError(t, rows.Close())
			info, err := os.Stat(path)
			require.NoError(t, err)
			v.Files, v.Sizes = append(v.Files, path), append(v.Sizes, info.Size())
		}
	}
	return v
}

// asked runs a query as CSV.
func runRequest(t *testing.T, q Request) (string, Summary, error) {
	t.Helper()
	var out bytes.Buffer
	q.Format = query.FormatCSV
	r := &Runner{Temp: t.TempDir()}
	s, err := r.Run(t.Context(), q, &out, nil)
	left, globbed := filepath.Glob(filepath.Join(r.Temp, "*"))
	require.NoError(t, globbed)
	assert.Empty(t, left, "temporary files")
	return out.String(), s, err
}

// TestRun: a whole query, with its progress reports.
func TestRun(t *testing.T) {
	v := days(t)
	var events []string
	q := Request{
		SQL:    "SELECT day, sum(n) AS n FROM days WHERE day = '20180302' GROUP BY 1",
		Views:  []query.View{v},
		Format: query.FormatCSV,
		Allow: func(_ context.Context, p Plan) error {
			events = append(events, "allow")
			return nil
		},
		Verify: func(_ context.Context, scans []query.Scan) error {
			events = append(events, fmt.Sprintf("verify %d %v", len(scans[0].Files), scans[0].Columns))
			return nil
		},
	}
	var out bytes.Buffer
	s, err := (&Runner{}).Run(t.Context(), q, &out, func(e Event) {
		switch e := e.(type) {
		case Plan:
			events = append(events, fmt.Sprintf("plan of %d files, %d partitions, %v bytes", e.Files, e.Partitions,
				e.Bytes == v.Sizes[2]+v.Sizes[3]))
		case Columns:
			events = append(events, fmt.Sprintf("columns %v", e.List))
		}
	})
	require.NoError(t, err)
	require.Equal(t, "day,n\n20180302,63\n", out.String())
	require.Equal(t, []string{"plan of 2 files, 1 partitions, true bytes", "allow", "verify 2 [n]", "columns [{day varchar} {n bigint}]"},
		events)
	if s.Rows != 1 || s.Bytes != int64(out.Len()) || s.Cut != "" || s.CPU <= 0 || s.Memory < 1<<20 || s.Read <= 0 || len(s.Columns.List) != 2 {
		t.Errorf("%+v", s)
	}
}

// TestErrors: what is wrong with a query is said as in the caller's process, without its folders.
func TestErrors(t *testing.T) {
	v := days(t)
	damaged := days(t)
	require.NoError(t, os.WriteFile(damaged.Files[0], []byte("PAR1 and no more PAR1"), 0o600))
	for _, c := range []struct{ sql, want string }{
		{"SELECT nothing FROM days", "LINE 1: SELECT nothing FROM days"},
		{"SELECT 1 FROM dayz", "did you mean days?"},
		{"SELECT CAST(client_id AS bigint) FROM days_v1", "client-"},
		{"", ""},
		{"SELECT content FROM read_text('/etc/hostname')", "read_text"},
	} {
		_, _, err := runRequest(t, Request{SQL: c.sql, Views: []query.View{v}})
		var e *query.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.sql, err)
		}
	}
	_, _, err := runRequest(t, Request{SQL: "SELECT count(n) FROM days", Views: []query.View{damaged}})
	if err == nil || strings.Contains(err.Error(), "the lake") || !strings.Contains(err.Error(), "days/day=20180301/part-0.parquet") {
		t.Errorf("a damaged file: %v", err)
	}
	refused := errors.New("not today")
	refuse := func(context.Context, Plan) error { return refused }
	out, _, err := runRequest(t, Request{SQL: "SELECT n FROM days", Views: []query.View{v}, Allow: refuse})
	if !errors.Is(err, refused) || out != "" {
		t.Errorf("refused: %v, %q", err, out)
	}
	_, _, err = runRequest(t, Request{SQL: "SELECT n FROM days", Views: []query.View{v},
		Verify: func(context.Context, []query.Scan) error { return refused }})
	if !errors.Is(err, refused) || !strings.Contains(err.Error(), "Damaged") {
		t.Errorf("damaged: %v", err)
	}
}

// TestFailsMidway: a query that fails after some of its rows fails in each format, within its limits, too.
func TestFailsMidway(t *testing.T) {
	for _, f := range query.Formats {
		var out bytes.Buffer
		s, err := (&Runner{Temp: t.TempDir()}).Run(t.Context(), Request{SQL: "SELECT CAST(IF(a * b = 250000, 'x', '1') AS bigint) AS n " +
			"FROM UNNEST(sequence(1, 500)) AS t(a) CROSS JOIN UNNEST(sequence(1, 500)) AS u(b)", Format: f, First: true,
			Limits: Limits{Rows: 10_000_000, Bytes: 1 << 30}}, &out, nil)
		var e *query.Error
		require.ErrorAs(t, err, &e, f)
		require.Contains(t, e.Message, "x")
		require.Equal(t, f != query.FormatParquet, out.Len() > 0, f)
		require.Zero(t, s.Rows)
	}
}

// TestStartFails: what is wrong before there is a query is said as it is.
func TestStartFails(t *testing.T) {
	_, _, err := runRequest(t, Request{SQL: "SELECT 1", Limits: Limits{Memory: -1, Threads: -1},
		Views: []query.View{{Name: "a"}, {Name: "A"}}})
	require.ErrorContains(t, err, "A is the name of two tables, a and A")
}

// TestHidden: rows of forgotten clients are left out.
func TestHidden(t *testing.T) {
	out, _, err := runRequest(t, Request{SQL: "SELECT DISTINCT client_id FROM days ORDER BY 1", Views: []query.View{days(t)},
		Hidden: []forget.Hash{forget.HashOf([]byte("client-1")), {}}})
	require.NoError(t, err)
	require.Equal(t, "client_id\nclient-0\nclient-2\n", out)
}

// TestLimits: each ends its query, and says which it was.
func TestLimits(t *testing.T) {
	const endless = "SELECT count(*) FROM range(100000000) AS a(i), range(100000000) AS b(j) WHERE i % 7 = j % 11"
	for _, c := range []struct {
		sql    string
		limits Limits
		want   string
	}{
		{"SELECT list_sum(range(n)) FROM (SELECT 1000000000 AS n)", Limits{Memory: 512 << 20}, "out of memory: the limit is 512 MiB"},
		{"SELECT count(DISTINCT repeat(CAST(i AS varchar), 100)) FROM range(100000000) t(i)",
			Limits{Memory: 64 << 20, Spill: 1 << 20, Threads: 1}, "limit"},
		{endless, Limits{CPU: time.Second}, "more than 1s of processor time"},
		{endless, Limits{Time: 700 * time.Millisecond}, "more than 700ms, its limit of time"},
	} {
		_, s, err := runRequest(t, Request{SQL: c.sql, Limits: c.limits, Dialect: query.DuckDB})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.sql, err)
		}
		t.Logf("%v: %v of CPU, %d MiB", err, s.CPU, s.Memory>>20)
	}
	out, s, err := runRequest(t, Request{SQL: "SELECT i FROM range(5) AS t(i)", Limits: Limits{Rows: 2}, Dialect: query.DuckDB})
	require.NoError(t, err)
	if out != "i\n0\n1\n" || s.Cut != query.CutRows || s.Rows != 2 {
		t.Errorf("%q, %+v", out, s)
	}
}

// TestCancel: a query ends at once with its caller.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	_, err := (&Runner{Temp: t.TempDir()}).Run(ctx,
		Request{SQL: "SELECT i FROM range(1000000000) AS t(i)", Format: query.FormatNDJSON, Dialect: query.DuckDB}, io.Discard, func(e Event) {
			if _, ok := e.(Columns); ok {
				cancel(why)
			}
		})
	require.ErrorIs(t, err, why)
}

// TestFormats: all come over the pipe as in the caller's process.
func TestFormats(t *testing.T) {
	const sql = "SELECT i, repeat('ä', 1000) AS text FROM range(2000) AS t(i)"
	db, err := query.Open(t.Context(), nil, query.Options{TempDir: t.TempDir()})
	require.NoError(t, err)
	defer db.Close()
	for _, f := range query.Formats {
		var out, want bytes.Buffer
		_, err := (&Runner{Temp: t.TempDir()}).Run(t.Context(), Request{SQL: sql, Format: f, Dialect: query.DuckDB}, &out, nil)
		require.NoError(t, err)
		rows, err := db.Query(t.Context(), sql)
		require.NoError(t, err)
		_, err = rows.Write(&want, f, query.WriteOptions{})
		require.NoError(t, err)
		require.NoError(t, rows.Close())
		if out.Len() != want.Len() || f != query.FormatParquet && !bytes.Equal(out.Bytes(), want.Bytes()) {
			t.Errorf("%s: %d bytes, want %d", f, out.Len(), want.Len())
		}
	}
}

// TestProgress: a long query reports its progress.
func TestProgress(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var reported []Progress
	_, err := (&Runner{Temp: t.TempDir()}).Run(ctx, Request{
		SQL: "SELECT sum(sin(n + i)) FROM days, range(1000000000) AS r(i)", Dialect: query.DuckDB, Views: []query.View{days(t)},
		Format: query.FormatCSV,
	}, io.Discard, func(e Event) {
		if p, ok := e.(Progress); ok {
			reported = append(reported, p)
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	if p := reported[0]; p.Percent > 100 || p.Read <= 0 || p.Rows != 0 {
		t.Errorf("%+v", p)
	}
}
