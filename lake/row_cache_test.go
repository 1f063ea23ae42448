package lake

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// finishFile makes a file of some rows in a generation.
func finishFile(t *testing.T, c *Footers, g *Generation, name string, first, rows int, o WriterOptions) File {
	t.Helper()
	s, err := g.Create(ctx, name)
	require.NoError(t, err)
	w, err := NewFileWriter(s, fileColumns(), o)
	require.NoError(t, err)
	require.NoError(t, w.Write(fileBatch(t, first, first+rows)))
	f, err := c.Finish(w, s)
	require.NoError(t, err)
	require.Equal(t, int64(rows), f.Rows)
	return f
}

// fileIn opens a file of a generation in the making.
func fileIn(t *testing.T, g *Generation, f File) *FileReader {
	t.Helper()
	data, err := store.ReadFile(ctx, g.table.bucket, g.Path(f.Name))
	require.NoError(t, err)
	return put(t, data)
}

// TestWritten: who reads the rows that were kept reads what is in the file.
func TestWritten(t *testing.T) {
	g, err := opened(store.NewMemory(), narrowed()).Begin(ctx, day, "aa")
	require.NoError(t, err)
	c := NewFooters()
	var files []File
	for i, rows := range []int{7, 1, 120, 7} {
		files = append(files, finishFile(t, c, g, string(rune('a'+i)), 50*i, rows, WriterOptions{}))
	}
	columns := fileColumns()
	older := append(slices.Clone(columns[2:]), schema.Column{Name: "later", Type: schema.MustType("map<string,long>")}, columns[0])
	for _, f := range files {
		read := c.Written(f)
		require.NotNil(t, read, f.Name)
		require.Equal(t, f.Rows, read.Rows())
		for _, cols := range [][]schema.Column{columns, older, columns[4:5], columns} {
			for _, step := range []int{1000, 120, 50, 3, 1} {
				require.Equal(t, rowsOf(t, fileIn(t, g, f), cols, step), rowsOf(t, read, cols, step))
			}
		}
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() { finishFile(t, c, g, f.Name+string(rune('a'+i)), 0, 30, WriterOptions{}) })
			all.Go(func() { rowsOf(t, c.Written(f), columns, 40) })
		}
		all.Wait()
		other := slices.Clone(columns)
		other[1].Type = schema.MustType("long")
		require.Equal(t, fileIn(t, g, f).Select(other, 10), read.Select(other, 10))
		other[1].Name, other[1].NotNull = "new", true
		require.Equal(t, fileIn(t, g, f).Select(other, 10), read.Select(other, 10))
	}
}

// TestNotWritten: of large files, of unknown ones, and by nobody no rows are kept.
func TestNotWritten(t *testing.T) {
	g, err := opened(store.NewMemory(), narrowed()).Begin(ctx, day, "aa")
	require.NoError(t, err)
	c := NewFooters()
	small := finishFile(t, c, g, "small", 0, 9, WriterOptions{})
	require.NotNil(t, c.Written(small))
	var none *Footers
	require.Nil(t, none.Written(small))
	require.Nil(t, none.Written(finishFile(t, nil, g, "nobody's", 0, 9, WriterOptions{})))
	require.Nil(t, c.Written(File{Name: small.Name, Bytes: small.Bytes}))
	require.Nil(t, c.Written(finishFile(t, c, g, "groups", 0, 90, WriterOptions{RowGroupRows: 20})))
	require.Nil(t, c.Written(finishFile(t, c, g, "large", 0, 20_000, WriterOptions{RowGroupRows: 30_000})))
}

// TestKeptRowsAreBounded: the oldest go.
func TestKeptRowsAreBounded(t *testing.T) {
	g, err := opened(store.NewMemory(), narrowed()).Begin(ctx, day, "aa")
	require.NoError(t, err)
	c := NewFooters()
	var files []File
	for i := range 9 {
		files = append(files, finishFile(t, c, g, string(rune('a'+i)), 10*i, 9, WriterOptions{}))
		if i == 7 {
			c.rows.size = cacheBytes - 100 // full
		}
	}
	require.Len(t, c.rows.hashes, 8)
	require.Len(t, c.rows.files, 8)
	require.Nil(t, c.Written(files[0]))
	for _, f := range files[1:] {
		require.Equal(t, rowsOf(t, fileIn(t, g, f), fileColumns(), 20), rowsOf(t, c.Written(f), fileColumns(), 20))
	}
}

// TestCompactOfKeptRows: the compact files are the same, whether the rows are read, kept, or now this and now that; also where row
// groups end in the middle of files, by rows or by bytes. They equal those that a FileWriter writes.
func TestCompactOfKeptRows(t *testing.T) {
	defer func(o WriterOptions) { compaction.options = o }(compaction.options)
	for _, compaction.options = range []WriterOptions{{RowGroupRows: 4}, {RowGroupRows: 100, RowGroupBytes: 1000},
		{RowGroupRows: 3, RowGroupBytes: 500}, {RowGroupBytes: 1}, {}} {
		var made [3][]File
		for i, c := range []*Footers{nil, NewFooters(), NewFooters()} {
			lt := opened(store.NewMemory(), narrowed())
			lt.Footers = c
			g, err := lt.Begin(ctx, day, "aa")
			require.NoError(t, err)
			m := Manifest{Parts: []Part{part0(0, 99)}}
			for n := range 5 {
				keep := c
				if i == 2 && n%2 == 1 {
					keep = nil
				}
				f := finishFile(t, keep, g, g.FileName("", n, 0), 10*n, n+1, WriterOptions{})
				f.Lo, f.Hi = n, n
				m.Files = append(m.Files, f)
			}
			require.NoError(t, g.Publish(ctx, m, nil))
			published, err := lt.Partition(ctx, day)
			require.NoError(t, err)
			made[i] = published.Compact
		}
		require.NotEmpty(t, made[0])
		require.Equal(t, made[0], made[1])
		require.Equal(t, made[0], made[2])

		var file bytes.Buffer
		w, err := NewFileWriter(&file, fileColumns(), compaction.options)
		require.NoError(t, err)
		for n := range 5 {
			require.NoError(t, w.Write(fileBatch(t, 10*n, 10*n+n+1)))
		}
		_, err = w.Close()
		require.NoError(t, err)
		sum := sha256.Sum256(file.Bytes())
		require.Equal(t, hex.EncodeToString(sum[:]), made[0][len(made[0])-1].SHA256)
	}
}

// TestWriteLast: the bytes equal those of Write without copies of rows; a small file keeps its rows.
func TestWriteLast(t *testing.T) {
	for _, c := range []struct {
		rows   int
		pieces []int
		groups int  // before Close
		cached bool // before Finish
	}{{9, []int{9}, 1, true}, {9, []int{4, 5}, 0, false}, {30_000, []int{30_000}, 1, false}, {30_000, []int{10_000, 20_000}, 1, false}} {
		var files [2]bytes.Buffer
		for i := range files {
			w, err := NewFileWriter(&files[i], fileColumns(), WriterOptions{RowGroupRows: 40_000})
			require.NoError(t, err)
			footers := NewFooters()
			at := 0
			for n, piece := range c.pieces {
				b := fileBatch(t, at, at+piece)
				if i == 1 && n == len(c.pieces)-1 {
					require.NoError(t, w.WriteLast(b, footers))
				} else {
					require.NoError(t, w.Write(b))
				}
				at += piece
			}
			require.Equal(t, i*c.groups, w.info.RowGroups)
			require.Equal(t, i == 1 && c.cached, w.cached.data != nil)
			_, err = w.Close()
			require.NoError(t, err)
		}
		require.Equal(t, files[0].Bytes(), files[1].Bytes())
	}
}
