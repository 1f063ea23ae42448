package query

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/query/columnar"
)

// midway is a query that fails after many rows.
const midway = "SELECT CAST(CASE WHEN range = 900000 THEN 'x' ELSE '1' END AS BIGINT) AS n FROM range(1000000)"

// TestFailsMidway: a query that fails after rows were written fails in each format, also when it is read by rows, and again afterwards.
func TestFailsMidway(t *testing.T) {
	db := open(t)
	for _, f := range Formats {
		rows, err := db.Query(t.Context(), midway)
		require.NoError(t, err)
		var out bytes.Buffer
		_, err = rows.Write(&out, f, WriteOptions{})
		require.ErrorContains(t, err, "Could not convert string 'x' to INT64", f)
		require.Equal(t, f != FormatParquet, out.Len() > 0, f)
		if f == FormatArrow {
			_, err := columnar.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
			require.NoError(t, err)
		}
		require.NoError(t, rows.Close())
	}
	rows, err := db.Query(t.Context(), midway)
	require.NoError(t, err)
	n := 0
	for err == nil {
		if _, err = rows.Next(); err == nil {
			n++
		}
	}
	require.ErrorContains(t, err, "Could not convert string")
	require.Greater(t, n, firstRows)
	require.Less(t, n, 900_001)
	_, err = rows.Next()
	require.Error(t, err)
	require.NotErrorIs(t, err, io.EOF)
	require.NoError(t, rows.Close())
}

// TestCancelMidway: a query that is cancelled between rows fails, also when all rows that are left were made already.
func TestCancelMidway(t *testing.T) {
	db := open(t)
	stop := errors.New("stop")
	for _, count := range []int{1, 60, 5_000_000} {
		ctx, cancel := context.WithCancelCause(t.Context())
		rows, err := db.Query(ctx, fmt.Sprintf("SELECT * FROM range(%d)", count))
		require.NoError(t, err)
		_, err = rows.Next()
		require.NoError(t, err)
		cancel(stop)
		for err == nil {
			_, err = rows.Next()
		}
		require.ErrorIs(t, err, stop, count)
		require.NoError(t, rows.Close())
	}
}

// TestCapMidway: the limits of rows and bytes hold for rows that are made while they are read.
func TestCapMidway(t *testing.T) {
	db := open(t)
	for c, want := range map[Cap]string{{Rows: 100_000}: CutRows, {Bytes: 500_000}: CutBytes, {Rows: 2_000_000}: ""} {
		rows, err := db.Query(t.Context(), "SELECT range % 10 AS n FROM range(1000000)")
		require.NoError(t, err)
		rows.Cap(c)
		var out bytes.Buffer
		n, err := rows.Write(&out, FormatCSV, WriteOptions{})
		require.NoError(t, err)
		require.Equal(t, want, rows.Cut())
		require.Equal(t, n+1, int64(bytes.Count(out.Bytes(), []byte("\n"))))
		switch want {
		case CutRows:
			require.Equal(t, c.Rows, n)
		case CutBytes:
			require.InDelta(t, c.Bytes, out.Len(), 1<<16)
		}
		require.NoError(t, rows.Close())
	}
}

// TestFirst: the first rows of any result are in the output when First is called, as rows of a stream that goes on.
func TestFirst(t *testing.T) {
	db := open(t)
	for _, sql := range []string{"SELECT * FROM range(300000) AS r(n)", "SELECT n FROM range(300000) AS r(n) ORDER BY n DESC"} {
		rows, err := db.Query(t.Context(), sql)
		require.NoError(t, err)
		var out bytes.Buffer
		var first []byte
		n, err := rows.Write(&out, FormatArrow, WriteOptions{First: func() error {
			first = bytes.Clone(out.Bytes())
			return nil
		}})
		require.NoError(t, err)
		require.EqualValues(t, 300000, n)
		require.True(t, bytes.HasPrefix(out.Bytes(), first))
		r, err := columnar.NewReader(bytes.NewReader(first), int64(len(first)))
		require.NoError(t, err)
		b, err := r.Next()
		require.NoError(t, err)
		require.EqualValues(t, firstRows, b.NumRows())
		r.Close()
		require.NoError(t, rows.Close())
	}
}

// TestKeepsNoFiles: what was read of files is not kept in memory, where each column of each file would have 4 KiB.
func TestKeepsNoFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "wide.parquet")
	v := View{Name: "wide", Files: []string{file}}
	var columns []string
	for c := range 50 {
		v.Columns = append(v.Columns, Column{Name: fmt.Sprint("c", c), Type: "BIGINT"})
		columns = append(columns, fmt.Sprintf("i * %d AS c%d", c, c))
	}
	db := open(t, v)
	_, err := try(db, "COPY (SELECT "+strings.Join(columns, ", ")+" FROM range(3000) AS r(i)) TO "+quoteText(file)+" (FORMAT parquet)")
	require.NoError(t, err)
	require.Equal(t, "3000\n", answerText(t, db, "SELECT count(*) FROM (SELECT DISTINCT * FROM wide)"))
	require.Equal(t, "0\n", answerText(t, db, "SELECT memory_usage_bytes FROM duckdb_memory() WHERE tag = 'EXTERNAL_FILE_CACHE'"))
}

// answerText returns the rows of a query as CSV without the header.
func answerText(t *testing.T, db *DB, sql string) string {
	t.Helper()
	rows, err := db.Query(t.Context(), sql)
	require.NoError(t, err)
	var out bytes.Buffer
	_, err = rows.Write(&out, FormatCSV, WriteOptions{})
	require.NoError(t, err)
	require.NoError(t, rows.Close())
	_, text, _ := strings.Cut(out.String(), "\n")
	return text
}
