package query

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/query/columnar"
)

// TestHead: the first rows of a large scan of many columns come as a stream of their own, those of other statements after all of them
// are known.
func TestHead(t *testing.T) {
	wide := View{Name: "wide", Files: []string{filepath.Join(t.TempDir(), "wide.parquet")}, Columns: []Column{{Name: "n", Type: "BIGINT"}}}
	columns := []string{"i AS n"}
	for c := range 120 {
		wide.Columns = append(wide.Columns, Column{Name: fmt.Sprint("c", c), Type: "VARCHAR"})
		columns = append(columns, fmt.Sprintf("md5(concat(i, %d)) AS c%d", c, c))
	}
	db, err := Open(t.Context(), []View{wide}, Options{Verify: func(context.Context, []Scan) error { return nil }})
	require.NoError(t, err)
	defer db.Close()
	_, err = try(db, "COPY (SELECT "+strings.Join(columns, ", ")+" FROM range(3000) AS r(i)) TO "+quoteText(wide.Files[0])+" (FORMAT parquet)")
	require.NoError(t, err)

	for sql, own := range map[string]bool{
		"SELECT * FROM wide":                                   true,
		"SELECT * FROM wide WHERE n < 10":                      true,
		"SELECT *, CAST(c1 AS varchar) AS again FROM wide":     true,
		"SELECT n, c1 FROM wide":                               false,
		"SELECT * FROM wide ORDER BY n":                        false,
		"SELECT DISTINCT * FROM wide":                          false,
		"SELECT *, count(*) OVER () FROM wide":                 false,
		"SELECT *, CAST(c1 AS bigint) AS wrong FROM wide":      false,
		"SELECT a.*, b.n FROM wide a JOIN wide b ON a.n = b.n": false,
	} {
		rows, err := db.QueryIn(t.Context(), Presto, sql)
		require.NoError(t, err, sql)
		rows.Cap(Cap{Rows: 1000})
		var head []byte
		n, err := rows.Write(&bytes.Buffer{}, FormatArrow, WriteOptions{First: func(stream []byte) error { head = stream; return nil }})
		if strings.Contains(sql, "wrong") {
			require.ErrorContains(t, err, "Cannot cast", sql)
		} else {
			require.NoError(t, err, sql)
			require.Positive(t, n)
		}
		require.Equal(t, own, len(head) > 0, sql)
		if own {
			r, err := columnar.NewReader(bytes.NewReader(head), int64(len(head)))
			require.NoError(t, err)
			b, err := r.Next()
			require.NoError(t, err)
			require.Equal(t, min(n, firstRows), b.NumRows(), sql)
			r.Close()
		}
		require.NoError(t, rows.Close())
	}
}
