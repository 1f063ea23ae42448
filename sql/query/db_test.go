package query

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOpen(t *testing.T) {
	ctx := context.Background()
	twice := []View{{Name: "a"}, {Name: "b", Aliases: []string{"A"}}}
	if _, err := Open(ctx, twice, Options{}); err == nil || err.Error() != "open query database: A is the name of two tables, a and b" {
		t.Errorf("a name twice: %v", err)
	}
	if _, err := Open(ctx, nil, Options{MemoryLimit: "much"}); err == nil || !strings.HasPrefix(err.Error(), "open query database: ") {
		t.Errorf("bad limit: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	if _, err := Open(ctx, nil, Options{TempDir: file}); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("a file as temporary directory: %v", err)
	}
	db, err := Open(ctx, nil, Options{Threads: 3, MemoryLimit: "1GB"})
	require.NoError(t, err)
	if got := values(t, db,
		"SELECT current_setting('threads'), current_setting('memory_limit'), current_setting('TimeZone')"); got != `3,"953.6 MiB","UTC"` {
		t.Errorf("settings: %s", got)
	}
	temp := db.tempDir
	require.NoError(t, db.Close())
	if _, err := os.Stat(temp); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("temporary directory after Close: %v", err)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Open(canceled, nil, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("open when canceled: %v", err)
	}
}

// TestPieces reads results of several pieces, in order, within a limit that
// the whole result exceeds.
func TestPieces(t *testing.T) {
	db, err := Open(t.Context(), nil, Options{Threads: 2, MemoryLimit: "64MB", TempDir: t.TempDir()})
	require.NoError(t, err)
	defer db.Close()
	rows, err := db.Query(t.Context(), "SELECT range AS n, repeat(chr(CAST(97 + range % 26 AS INTEGER)), 600) AS s FROM range(139999, -1, -1)")
	require.NoError(t, err)
	defer rows.Close()
	want := int64(139999)
	for {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if row[0] != want || row[1].(string)[0] != byte('a'+want%26) {
			t.Fatalf("row %v, want %d", row[0], want)
		}
		want--
	}
	if want != -1 {
		t.Errorf("ends before row %d", want)
	}
	if _, err := rows.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("behind the end: %v", err)
	}
}

// TestOrder checks that rows come in the order of the query.
func TestOrder(t *testing.T) {
	db := open(t)
	rows, err := db.Query(t.Context(), "SELECT range % 7 AS a, range AS b FROM range(200000) ORDER BY a, b DESC")
	require.NoError(t, err)
	defer rows.Close()
	var a, b int64 = -1, -1
	for n := 0; ; n++ {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			if n != 200000 {
				t.Errorf("%d rows", n)
			}
			return
		}
		require.NoError(t, err)
		if x, y := row[0].(int64), row[1].(int64); x < a || x == a && y >= b {
			t.Fatalf("row %d: %d, %d after %d, %d", n, x, y, a, b)
		} else {
			a, b = x, y
		}
	}
}

func TestCancel(t *testing.T) {
	db := open(t, sharedDays(t)...)
	const endless = "SELECT sum(a.range * b.range) FROM range(1000000000) a, range(1000000000) b"
	for _, f := range Formats {
		ctx, cancel := context.WithCancel(t.Context())
		rows, err := db.Query(ctx, endless)
		require.NoError(t, err)
		time.AfterFunc(20*time.Millisecond, cancel)
		if _, err := rows.Write(io.Discard, f, WriteOptions{}); !errors.Is(err, context.Canceled) ||
			err.Error() != "run query: context canceled" {
			t.Errorf("%s: %v", f, err)
		}
		assert.NoError(t, rows.Close())
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	rows, err := db.Query(ctx, "SELECT * FROM range(300000)")
	require.NoError(t, err)
	if _, err := rows.Next(); err != nil {
		t.Fatal(err)
	}
	stopped := errors.New("the user left")
	cancel(stopped)
	for err == nil {
		_, err = rows.Next()
	}
	if !errors.Is(err, stopped) {
		t.Errorf("between pieces: %v", err)
	}
	assert.NoError(t, rows.Close())
	if _, err := db.Query(ctx, "SELECT * FROM clients_daily"); !errors.Is(err, stopped) && !errors.Is(err, context.Canceled) {
		t.Errorf("canceled before: %v", err)
	}
	if got := values(t, db, "SELECT count(*) FROM clients_daily"); got != "12" {
		t.Errorf("afterwards: %s", got)
	}
}

// TestConcurrent runs queries side by side that make the same views.
func TestConcurrent(t *testing.T) {
	db := open(t, sharedDays(t)...)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for _, table := range []string{"clients_daily", "crash_summary_v1", "main_summary"} {
				if got := values(t, db, "SELECT count(*) > 0 FROM "+table); got != "true" {
					t.Errorf("%s: %s", table, got)
				}
			}
		})
	}
	wait.Wait()
}

func TestCopy(t *testing.T) {
	db := open(t)
	path := filepath.Join(t.TempDir(), "x.csv")
	if got := values(t, db, "COPY (SELECT count(DISTINCT a) FROM (VALUES (1), (2)) AS t(a)) TO "+quoteText(path)); got != "1" {
		t.Errorf("copied %s rows", got)
	}
	if b, err := os.ReadFile(path); err != nil || !strings.Contains(string(b), "2") {
		t.Errorf("copied %q, %v", b, err)
	}
}
