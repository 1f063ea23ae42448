package worker

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/query"
)

// spilling is a query whose data do not fit in little memory: some 100 MB.
const spilling = "SELECT sum(n) FROM (SELECT row_number() OVER (ORDER BY x) AS n FROM (SELECT repeat(md5(CAST(i AS varchar)), 3) AS x " +
	"FROM range(1000000) AS t(i)))"

// TestDisk: a query ends at its limit of temporary data, whether DuckDB writes them because of memory or a statement does.
func TestDisk(t *testing.T) {
	const limit = 8 << 20
	for name, q := range map[string]Request{
		"spill": {SQL: spilling, Limits: Limits{Memory: 64 << 20, Threads: 1, Spill: limit}},
		"write": {SQL: "COPY (SELECT i, repeat('x', 100) AS text FROM range(20000000) AS t(i)) TO 'many' (FORMAT csv, FILE_SIZE_BYTES '1MB')",
			Limits: Limits{Memory: 512 << 20, Threads: 1, Spill: limit}, ungated: true},
	} {
		t.Run(name, func(t *testing.T) {
			q.Dialect, q.Format = query.DuckDB, query.FormatCSV
			temp := t.TempDir()
			_, err := (&Runner{Temp: temp}).Run(t.Context(), q, io.Discard, nil)
			var limited *LimitError
			require.ErrorAs(t, err, &limited)
			require.Equal(t, "the query has more than 8.0 MiB of temporary data on disk, its limit", limited.Text)
			left, err := os.ReadDir(temp)
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
	_, err := (&Runner{Temp: t.TempDir()}).Run(t.Context(),
		Request{SQL: spilling, Dialect: query.DuckDB, Format: query.FormatCSV, Limits: Limits{Memory: 64 << 20, Threads: 1, Spill: 4 << 30}},
		io.Discard, nil)
	require.NoError(t, err, "what does not fit in memory goes to disk")
}

// TestDiskTogether: of queries that have too much together, the one with most ends, and the other goes on.
func TestDiskTogether(t *testing.T) {
	r := &Runner{Temp: t.TempDir(), Spill: 64 << 20}
	own, err := newFolder(r.base())
	require.NoError(t, err)
	defer own.remove()
	require.NoError(t, os.WriteFile(filepath.Join(own.path, "x"), make([]byte, 20<<20), 0o600))
	ended := make(chan error, 1)
	watching, stop := context.WithCancel(t.Context())
	var other sync.WaitGroup
	other.Go(func() { r.disk.watch(watching, own.path, 0, r.Spill, func(err error) { ended <- err }) })
	_, err = r.Run(t.Context(), Request{SQL: spilling, Dialect: query.DuckDB, Format: query.FormatCSV,
		Limits: Limits{Memory: 64 << 20, Threads: 1}}, io.Discard, nil)
	require.ErrorContains(t, err, "have more than 64 MiB of temporary data on disk, their limit, and this one has the most")
	stop()
	other.Wait()
	require.Empty(t, ended)
	require.Empty(t, r.disk.used)
}
