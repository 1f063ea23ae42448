package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table/column"
)

// source is a bucket that counts what is read, and may fail.
type source struct {
	store.Bucket
	bytes, ranges atomic.Int64
	before        func(ctx context.Context) error
}

func (s *source) ReadRange(ctx context.Context, name string, p []byte, off int64, content string) (string, error) {
	if s.before != nil {
		if err := s.before(ctx); err != nil {
			return "", err
		}
	}
	s.ranges.Add(1)
	s.bytes.Add(int64(len(p)))
	return store.ReadRange(ctx, s.Bucket, name, p, off, content)
}

const columns = 40

// parquetFile returns a file of columns a0, a1, … of numbers that do not compress.
func parquetFile(t testing.TB, rows int) []byte {
	var cols []schema.Column
	for i := range columns {
		cols = append(cols, schema.Column{Name: "a" + strconv.Itoa(i), Type: schema.Type{Kind: schema.Long}})
	}
	layout, err := parquet.NewLayout(cols)
	require.NoError(t, err)
	b := column.NewBatch(cols)
	for r := range rows {
		for i := range b.Leaves {
			b.Leaves[i].Longs = append(b.Leaves[i].Longs, int64(uint64(r*columns+i+1)*0x9E3779B97F4A7C15))
			if b.Leaves[i].MaxDef > 0 {
				b.Leaves[i].Def = append(b.Leaves[i].Def, 1)
			}
		}
	}
	b.Filled(rows)
	var buf bytes.Buffer
	w, err := parquet.NewWriter(&buf, layout, parquet.Options{})
	require.NoError(t, err)
	require.NoError(t, w.Group(b.Leaves, rows))
	_, err = w.Close()
	require.NoError(t, err)
	return buf.Bytes()
}

// newSource returns a bucket with a number of equal files.
func newSource(t testing.TB, files, rows int) (s *source, all []File, data []byte) {
	s, data = &source{Bucket: store.NewMemory()}, parquetFile(t, rows)
	for i := range files {
		f := File{Bucket: s, Name: fmt.Sprintf("t/day=%d/f.parquet", i), Size: int64(len(data))}
		f.Place = "x/" + f.Name
		require.NoError(t, store.WriteFile(t.Context(), s, f.Name, data))
		all = append(all, f)
	}
	return s, all, data
}

// has checks that the chunks of a column are as they should be, and reports whether all other bytes are.
func has(t testing.TB, c *Cache, f File, data []byte, name string) (whole bool) {
	t.Helper()
	got, err := os.ReadFile(c.path(&f))
	require.NoError(t, err)
	require.Len(t, got, len(data))
	file, err := parquet.Open(bytes.NewReader(got), f.Size)
	require.NoError(t, err)
	at, _, ok := file.Find(name)
	require.True(t, ok)
	for _, r := range file.Chunks(at) {
		require.Equal(t, data[r.Offset:r.Offset+r.Size], got[r.Offset:r.Offset+r.Size])
	}
	return bytes.Equal(got, data)
}

func newCache(t testing.TB, size int64) *Cache { return New(t.TempDir(), size, time.Now) }

// Of many who ask for the same at once each gets it, and it comes once. Another column comes beside it.
func TestShared(t *testing.T) {
	s, files, data := newSource(t, 3, 10_000)
	dir := t.TempDir()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			c := New(dir, 1<<30, time.Now)
			if err := c.Bring(t.Context(), files, []string{"a3", "of another table"}); err != nil {
				t.Error(err)
			}
			has(t, c, files[0], data, "a3")
		})
	}
	group.Wait()
	require.Less(t, s.bytes.Load(), int64(len(data))/2*3)
	before := s.bytes.Load()
	c := New(dir, 1<<30, time.Now)
	require.NoError(t, c.Bring(t.Context(), files, []string{"a3"}))
	require.Equal(t, before, s.bytes.Load())
	require.False(t, has(t, c, files[1], data, "a3"))
	var observed atomic.Int64
	require.NoError(t, c.Bring(WithObserver(t.Context(), func(n int64) { observed.Add(n) }), files, []string{"a4"}))
	has(t, c, files[2], data, "a4")
	require.Equal(t, s.bytes.Load()-before, observed.Load())
	require.NoError(t, c.Bring(t.Context(), files, nil))
	_, err := os.Stat(filepath.Join(dir, "x"))
	require.NoError(t, err)
}

// What was not used for longest makes room, unless a query that runs has used it.
func TestRoom(t *testing.T) {
	_, files, data := newSource(t, 10, 10_000)
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	c := New(t.TempDir(), int64(len(data))*3, func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Minute)
		return now
	})
	pins := func() int {
		entries, _ := os.ReadDir(filepath.Join(c.dir, pinDir)) // it is made by the first query
		return len(entries)
	}
	use := func(f File) error {
		ctx, end := context.WithCancel(t.Context())
		before := pins()
		err := c.Bring(ctx, []File{f}, nil)
		end()
		require.Eventually(t, func() bool { return pins() <= before }, 10*time.Second, time.Millisecond, "the query has not ended")
		return err
	}
	there := func(f File) bool { return readRecord(c.path(&f), f.Size).Ranges != nil }
	for i := range 3 {
		require.NoError(t, use(files[i]))
	}
	require.NoError(t, use(files[0]))
	require.NoError(t, use(files[3]))
	require.True(t, there(files[0]), "it was used last")
	require.False(t, there(files[1]))
	require.True(t, there(files[3]))
	hole, err := os.ReadFile(c.path(&files[1]))
	require.NoError(t, err)
	require.Equal(t, make([]byte, len(data)), hole, "a hole stays")
	// A query that runs keeps what it reads.
	running, end := context.WithCancel(t.Context())
	require.NoError(t, c.Bring(running, files[4:6], nil))
	for range 2 {
		require.NoError(t, use(files[7]))
		require.True(t, there(files[4]) && there(files[5]))
	}
	require.ErrorIs(t, use(files[8]), ErrRoom)
	end()
	require.Eventually(t, func() bool { return use(files[8]) == nil }, 10*time.Second, time.Millisecond)
	require.ErrorIs(t, c.Bring(t.Context(), files, nil), ErrRoom)
}

// Records and files that cannot be used are nothing that is there.
func TestBadRecords(t *testing.T) {
	s, files, data := newSource(t, 1, 10_000)
	c, f := newCache(t, 1<<30), files[0]
	require.NoError(t, c.Bring(t.Context(), files, nil))
	good, err := os.ReadFile(c.path(&f) + recordSuffix)
	require.NoError(t, err)
	for _, bad := range []string{
		"", "{", `{"format":2}`, `{"format":1,"size":1}`,
		fmt.Sprintf(`{"format":1,"size":%d,"ranges":[{"Offset":5,"Size":-1}]}`, f.Size),
		fmt.Sprintf(`{"format":1,"size":%d,"ranges":[{"Offset":5,"Size":9},{"Offset":3,"Size":1}]}`, f.Size),
		fmt.Sprintf(`{"format":1,"size":%d,"ranges":[{"Offset":-5,"Size":9}]}`, f.Size),
		fmt.Sprintf(`{"format":1,"size":%d,"ranges":[{"Offset":5,"Size":%d}]}`, f.Size, f.Size),
	} {
		require.NoError(t, os.WriteFile(c.path(&f)+recordSuffix, []byte(bad), 0o600))
		s.bytes.Store(0)
		require.NoError(t, c.Bring(t.Context(), files, []string{"a1"}), bad)
		require.Positive(t, s.bytes.Load(), bad)
		has(t, c, f, data, "a1")
	}
	// A removed file, or one of another size, and a record that outlived it.
	for _, size := range []int64{-1, 0, f.Size - 1} {
		require.NoError(t, os.WriteFile(c.path(&f)+recordSuffix, good, 0o600))
		if require.NoError(t, os.Remove(c.path(&f))); size >= 0 {
			require.NoError(t, os.WriteFile(c.path(&f), make([]byte, size), 0o600))
		}
		require.NoError(t, c.Bring(t.Context(), files, []string{"a2"}))
		has(t, c, f, data, "a2")
	}
}

// Errors of the bucket are the caller's, what has come stays, and who ends the work ends it.
func TestFails(t *testing.T) {
	s, files, data := newSource(t, 1, 10_000)
	c := newCache(t, 1<<30)
	away := errors.New("the bucket is away")
	n := 0
	s.before = func(context.Context) error {
		if n++; n == 2 {
			return away
		}
		return nil
	}
	require.ErrorIs(t, c.Bring(t.Context(), files, []string{"a1"}), away)
	came := s.bytes.Load()
	require.Positive(t, came)
	require.NoError(t, c.Bring(t.Context(), files, []string{"a1"}))
	has(t, c, files[0], data, "a1")
	ctx, end := context.WithCancel(t.Context())
	s.before = func(inner context.Context) error { end(); <-inner.Done(); return context.Cause(inner) }
	require.ErrorIs(t, c.Bring(ctx, files, []string{"a30"}), context.Canceled)
	s.before = nil
	require.NoError(t, s.Delete(t.Context(), files[0].Name))
	require.ErrorIs(t, c.Bring(t.Context(), files, []string{"a20"}), fs.ErrNotExist)
	require.NoError(t, c.Bring(t.Context(), files, []string{"a1"}))
	_, err := New("/proc/nowhere", 1<<30, time.Now).Reserve(files[0])
	require.Error(t, err)
	require.ErrorIs(t, c.explain(&fs.PathError{Err: syscall.ENOSPC}), ErrRoom)
}

// TestKilled kills processes that bring files into one folder, again and again. What is said to be there is.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("FETCH_TEST_DIR"); dir != "" {
		_, files, _ := newSource(t, 4, 10_000)
		c := New(dir, 1<<20, time.Now)
		for i := 0; ; i++ {
			ctx, end := context.WithCancel(t.Context())
			_ = c.Bring(ctx, files[i%4:], []string{"a" + strconv.Itoa(i%columns)})
			end()
		}
	}
	dir := t.TempDir()
	_, files, data := newSource(t, 4, 10_000)
	for n := range 6 {
		var all []*exec.Cmd
		for range 2 {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=TestKilled$")
			cmd.Env = append(os.Environ(), "FETCH_TEST_DIR="+dir)
			require.NoError(t, cmd.Start())
			all = append(all, cmd)
		}
		time.Sleep(time.Duration(100+n*23) * time.Millisecond)
		for _, cmd := range all {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
		c := New(dir, 1<<20, time.Now)
		for _, f := range files {
			got, err := os.ReadFile(c.path(&f))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			require.NoError(t, err)
			for _, r := range readRecord(c.path(&f), f.Size).Ranges {
				require.Equal(t, data[r.Offset:r.Offset+r.Size], got[r.Offset:r.Offset+r.Size])
			}
		}
		require.NoError(t, New(dir, 1<<30, time.Now).Bring(t.Context(), files, []string{"a7"}))
		has(t, c, files[3], data, "a7")
	}
}
