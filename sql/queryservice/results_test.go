package queryservice

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/worker"
)

// duck asks in DuckDB's SQL, the whole result.
func duck(t testing.TB, d *Service, sql string) Query {
	q, err := d.Submit(t.Context(), bob, Request{SQL: sql, Dialect: query.DuckDB, Whole: true})
	require.NoError(t, err)
	q, err = d.Wait(t.Context(), bob, q.ID, time.Minute)
	require.NoError(t, err)
	require.Equal(t, Done, q.State, q.Error)
	return q
}

// TestPages: any page of a large result is read, and the whole of it takes little memory.
func TestPages(t *testing.T) {
	d := opened(t, sitetest.Local(t))
	q := duck(t, d, "SELECT i AS n, 'row ' || i AS text FROM range(1000000) AS r(i)")
	require.Equal(t, int64(1_000_000), q.Rows)
	require.Empty(t, q.Cut)
	for range 20 {
		from := rand.Int64N(1_000_000)
		n := min(10, 1_000_000-from)
		rows := rowsOf(t, d, bob, q.ID, from, n)
		require.Len(t, rows, int(n))
		for i, row := range rows {
			require.Equal(t, []any{from + int64(i), fmt.Sprint("row ", from+int64(i))}, row)
		}
	}
	require.Empty(t, rowsOf(t, d, bob, q.ID, 1_000_000, 10))
	require.Len(t, rowsOf(t, d, bob, q.ID, 8190, 10000), 10000)
}

// TestCut: a result ends at the limits of a page, unless it is asked for whole.
func TestCut(t *testing.T) {
	d := opened(t, sitetest.Local(t), func(c *Config) { c.Limits.Rows, c.Limits.Bytes = 100, 1<<20 })
	q := submitted(t, d, bob, "SELECT n FROM UNNEST(sequence(1, 1000)) AS t(n)")
	require.Equal(t, []any{int64(100), query.CutRows}, []any{q.Rows, q.Cut})
	require.Len(t, q.Notes, 1)
	q, err := d.Submit(t.Context(), bob, Request{SQL: "SELECT n FROM UNNEST(sequence(1, 1000)) AS t(n)", Rows: 10})
	require.NoError(t, err)
	q, err = d.Wait(t.Context(), bob, q.ID, time.Minute)
	require.NoError(t, err)
	require.Equal(t, int64(10), q.Rows)
	require.Equal(t, int64(1000), duck(t, d, "SELECT i FROM range(1000) AS t(i)").Rows)
	few := *bob
	few.Limits.Rows = 5
	q, err = d.Submit(t.Context(), &few, Request{SQL: "SELECT i FROM range(1000) AS t(i)", Dialect: query.DuckDB, Whole: true})
	require.NoError(t, err)
	q, err = d.Wait(t.Context(), bob, q.ID, time.Minute)
	require.NoError(t, err)
	require.Equal(t, int64(5), q.Rows)
}

// TestHugeCell: a value of many megabytes is one like others, and no rows are a result.
func TestHugeCell(t *testing.T) {
	d := opened(t, sitetest.Local(t))
	q := duck(t, d, "SELECT repeat('x', 30000000) AS t, 1 AS n")
	rows := rowsOf(t, d, bob, q.ID, 0, 10)
	require.Len(t, rows[0][0], 30_000_000)
	q = duck(t, d, "SELECT 1 AS a, 2 AS a WHERE false")
	require.Empty(t, rowsOf(t, d, bob, q.ID, 0, 10))
	r, err := d.Result(t.Context(), bob, q.ID)
	require.NoError(t, err)
	defer r.Close()
	var out bytes.Buffer
	require.NoError(t, r.WriteParquet(&out))
	require.NotZero(t, out.Len())
}

// TestDamage: a result of which a byte is lost or changed is an error with its remedy, and never another result.
func TestDamage(t *testing.T) {
	d := opened(t, sitetest.Local(t))
	q := duck(t, d, "SELECT i AS n FROM range(20000) AS t(i)")
	path := d.results.path(q.ID)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	var want bytes.Buffer
	read := func(w io.Writer) error {
		r, err := d.Result(t.Context(), bob, q.ID)
		if err != nil {
			return err
		}
		defer r.Close()
		return r.WriteCSV(w)
	}
	require.NoError(t, read(&want))
	try := func(data []byte, what string) {
		require.NoError(t, os.WriteFile(path, data, 0o600))
		var got bytes.Buffer
		if err := read(&got); err == nil {
			require.Equal(t, want.String(), got.String(), what)
		} else {
			require.ErrorIs(t, err, ErrDamaged, what)
		}
	}
	for range 60 {
		at := rand.IntN(len(whole))
		try(whole[:at], fmt.Sprint("cut at ", at))
		data := bytes.Clone(whole)
		data[at] ^= 1 << rand.IntN(8)
		try(data, fmt.Sprint("bit of ", at))
	}
	try(nil, "empty")
	require.NoError(t, os.Remove(path))
	require.ErrorIs(t, read(io.Discard), ErrResultRemoved)
}

// TestExpiry: results go when they are old, and the oldest when all are too large.
func TestExpiry(t *testing.T) {
	now := time.Now()
	d := opened(t, sitetest.Local(t), func(c *Config) {
		c.Now, c.Keep, c.KeepBytes = func() time.Time { return now }, time.Hour, 1<<20
	})
	first := duck(t, d, "SELECT i AS n FROM range(30000) AS t(i)") // 240 KB
	require.Equal(t, now.Add(time.Hour).UTC(), first.Expires)
	now = now.Add(time.Minute)
	for range 4 {
		duck(t, d, "SELECT i AS n FROM range(30000) AS t(i)")
	}
	_, err := d.Result(t.Context(), bob, first.ID)
	require.ErrorIs(t, err, ErrResultRemoved)
	last := duck(t, d, "SELECT 1 AS n")
	now = now.Add(time.Hour + time.Second)
	_, err = d.Result(t.Context(), bob, last.ID)
	require.ErrorIs(t, err, ErrResultRemoved)
	duck(t, d, "SELECT 1 AS n")
	files, err := filepath.Glob(filepath.Join(d.Place.Dir, "results", "*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
}

// TestFormats: files of all formats have the same rows.
func TestFormats(t *testing.T) {
	d := opened(t, sitetest.Local(t))
	q := duck(t, d, "SELECT i AS n, CAST(i AS DECIMAL(20,3)) / 3 AS d, TIMESTAMP '2018-03-01 00:00:00' + INTERVAL (i) SECOND AS t, [i, "+
		"NULL] AS l, INTERVAL (i) DAY AS v, 'x' AS n FROM range(130000) AS r(i)")
	r, err := d.Result(t.Context(), bob, q.ID)
	require.NoError(t, err)
	defer r.Close()
	var text, parquet bytes.Buffer
	require.NoError(t, r.WriteCSV(&text))
	records, err := csv.NewReader(&text).ReadAll()
	require.NoError(t, err)
	require.Len(t, records, 130001)
	require.Equal(t, []string{"n", "d", "t", "l", "v", "n"}, records[0])
	require.NoError(t, r.WriteParquet(&parquet))
	in, err := file.NewParquetReader(bytes.NewReader(parquet.Bytes()))
	require.NoError(t, err)
	require.Equal(t, int64(130000), in.NumRows())
	require.Greater(t, in.NumRowGroups(), 1)
	reader, err := pqarrow.NewFileReader(in, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	require.NoError(t, err)
	table, err := reader.ReadTable(t.Context())
	require.NoError(t, err)
	defer table.Release()
	require.Equal(t, "n_1", table.Schema().Field(5).Name)
	require.Equal(t, r.Fields[1].Type.String(), table.Schema().Field(1).Type.String())
	var arrow bytes.Buffer
	require.NoError(t, r.WriteArrow(&arrow))
	require.Equal(t, r.Size(), int64(arrow.Len()))
}

// TestFullDisk: a query whose result has no room fails and says so.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no small file system to be had: %s", out)
	}
	t.Cleanup(func() { require.NoError(t, exec.Command("umount", "-l", dir).Run()) })
	d := opened(t, sitetest.Local(t), func(c *Config) { c.Place.Dir, c.Limits = dir, worker.Limits{Threads: 1, Memory: 512 << 20} })
	q, err := d.Submit(t.Context(), bob, Request{SQL: "SELECT i AS n FROM range(1000000) AS t(i)", Dialect: query.DuckDB})
	require.NoError(t, err)
	q, err = d.Wait(t.Context(), bob, q.ID, time.Minute)
	require.NoError(t, err)
	require.Equal(t, Failed, q.State)
	require.Equal(t, "No space", q.Error.Kind)
	require.Equal(t, Done, submitted(t, d, bob, "SELECT 1").State)
	require.NoError(t, d.Close())
}

// FuzzResult: a file of anything is a result or damaged.
func FuzzResult(f *testing.F) {
	d := opened(f, sitetest.Local(f))
	q := duck(f, d, "SELECT 1 AS n, ['x'] AS l")
	whole, err := os.ReadFile(d.results.path(q.ID))
	require.NoError(f, err)
	f.Add(whole)
	f.Add([]byte(strings.Repeat("\xff", 100) + fileKind))
	path := filepath.Join(f.TempDir(), "x")
	f.Fuzz(func(t *testing.T, data []byte) {
		require.NoError(t, os.WriteFile(path, data, 0o600))
		r, err := openResult(path, q)
		if err == nil {
			err = r.WriteNDJSON(io.Discard)
			require.NoError(t, r.Close())
		}
		if err != nil {
			require.ErrorIs(t, err, ErrDamaged)
		}
	})
}
