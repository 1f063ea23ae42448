package lake

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// Limits of the rows that Footers caches, in bytes of memory: enough for 100 files of main_summary with some 40 rows
// each. Larger ones than wideFileBytes get no compact files, which need all rows again.
const (
	cachedFileBytes = 512 << 10 // of a file
	wideFileBytes   = 800 << 10 // of a file with wideLeaves, which takes longer to read
	wideLeaves      = 500
	cacheBytes      = 64 << 20
)

// cachedBytes returns the most memory of a file's rows in the cache.
func cachedBytes(b *column.Batch) int64 {
	if len(b.Leaves) >= wideLeaves {
		return wideFileBytes
	}
	return cachedFileBytes
}

// rowCache caches the rows of small files that were just written, for their next readers: checks, compact
// files, and derived tables. Opening a file of many columns takes longer than writing it.
type rowCache struct {
	mu     sync.RWMutex
	files  map[string]cachedFile // by the hash of their content
	hashes []string              // oldest first
	size   int64
	kinds  columnCache[*rowKind]
}

// rowKind describes the rows of files with the same columns.
type rowKind struct {
	batch  *column.Batch     // without rows
	places map[string][2]int // of columns by name: number, and first leaf
}

// cachedFile holds the rows of a file.
type cachedFile struct {
	kind *rowKind
	data *column.Packed
	rows int
	size int64
}

// memory returns the size of the rows in memory, with the places of their leaves.
func (f *cachedFile) memory() int64 { return f.size + int64(16*len(f.kind.batch.Leaves)) }

// Finish completes a file; after an error it aborts the file. Written then returns the rows of a small file.
func (c *Footers) Finish(w *FileWriter, s *FileSink) (File, error) {
	cached := w.cached
	if c != nil && w.err == nil && w.memory.rows() > 0 && w.info.RowGroups == 0 &&
		w.size <= cachedBytes(w.memory.pending) {
		cached = c.rows.put(w.memory.pending, w.size)
	}
	info, err := w.Close()
	if err != nil {
		return File{}, errors.Join(err, s.Abort())
	}
	f, err := s.Finish()
	if err != nil {
		return File{}, err
	}
	f.Rows = info.Rows
	if cached.data != nil {
		c.rows.name(f.SHA256, cached)
	}
	return f, nil
}

// Written opens a file from its cached rows, without reading it. It returns nil if the rows are not cached.
func (c *Footers) Written(f File) *FileReader {
	if c == nil || f.SHA256 == "" {
		return nil
	}
	c.rows.mu.RLock()
	defer c.rows.mu.RUnlock()
	cached, ok := c.rows.files[f.SHA256]
	if !ok {
		return nil
	}
	return &FileReader{cached: &cachedReader{cachedFile: cached}}
}

// put copies the rows of a file whose hash is not known yet.
func (s *rowCache) put(b *column.Batch, size int64) cachedFile {
	kind, _ := s.kinds.get(b.Columns, func(cols []schema.Column) (*rowKind, error) { return newRowKind(cols), nil })
	return newCachedFile(kind, b, size)
}

func newCachedFile(kind *rowKind, b *column.Batch, size int64) cachedFile {
	return cachedFile{kind: kind, data: column.Pack(b), rows: b.Rows, size: size}
}

func newRowKind(columns []schema.Column) *rowKind {
	k := &rowKind{batch: column.NewBatch(columns), places: map[string][2]int{}}
	for i := range columns {
		k.places[columns[i].Name] = [2]int{i, k.batch.Node(i).Leaf}
	}
	return k
}

// name makes a file available under its hash, and evicts the oldest ones if there is no space for it.
func (s *rowCache) name(hash string, f cachedFile) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files == nil {
		s.files = map[string]cachedFile{}
	}
	if _, known := s.files[hash]; known {
		return
	}
	s.files[hash], s.hashes, s.size = f, append(s.hashes, hash), s.size+f.memory()
	for ; s.size > cacheBytes; s.hashes = s.hashes[1:] {
		oldest := s.files[s.hashes[0]]
		s.size -= oldest.memory()
		delete(s.files, s.hashes[0])
	}
}

// cachedReader reads the cached rows of a file, for a FileReader.
type cachedReader struct {
	cachedFile

	leaves []int // selected leaves of the file, -1 for none
	done   int   // rows already read
}

// find returns the index of the named column and of its first leaf.
func (k *cachedReader) find(name string) (i, leaf int, ok bool) {
	at, ok := k.kind.places[name]
	return at[0], at[1], ok
}

// begin rewinds to the first row.
func (k *cachedReader) begin(leaves int) { k.done, k.leaves = 0, make([]int, 0, leaves) }

// choose selects the next leaf to read, -1 for a leaf that is null.
func (k *cachedReader) choose(leaf int) { k.leaves = append(k.leaves, leaf) }

// next implements FileReader.Next.
func (k *cachedReader) next(b *column.Batch, step int) error {
	if len(b.Leaves) != len(k.leaves) {
		return fmt.Errorf("read kept rows: batch of %d leaf columns for %d selected", len(b.Leaves), len(k.leaves))
	}
	b.Reset()
	if k.more(b, step) == 0 {
		return io.EOF
	}
	return nil
}

// more appends the next rows to a batch, at most step.
func (k *cachedReader) more(b *column.Batch, step int) (rows int) {
	if rows = min(step, k.rows-k.done); rows == 0 {
		return 0
	}
	for i, leaf := range k.leaves {
		if leaf < 0 {
			absent(&b.Leaves[i], rows)
			continue
		}
		l := k.part(leaf, rows)
		b.Leaves[i].Append(&l, nil)
	}
	k.done += rows
	b.Filled(b.Rows + rows)
	return rows
}

// rowSizes returns the size in bytes of each row of the file.
func (k *cachedReader) rowSizes() []int64 {
	sizes := make([]int64, k.rows)
	for leaf := range k.kind.batch.Leaves {
		l := k.part(leaf, k.rows)
		l.AddSizes(sizes)
	}
	return sizes
}

// part returns a leaf of the next rows. It shares memory that never changes.
func (k *cachedReader) part(leaf, rows int) column.Leaf {
	l := k.data.Leaf(leaf, &k.kind.batch.Leaves[leaf])
	if rows == k.rows {
		return l
	}
	from := column.Position{}.After(&l, k.done)
	return l.Between(from, from.After(&l, rows))
}

// take adds rows to the row groups, which end where a FileWriter would end them.
func (c *compacting) take(k cachedReader) error {
	o := compaction.options.withDefaults()
	var sizes []int64 // of the remaining rows, if they may fill the row group
	if c.size+k.size > o.RowGroupBytes || c.rows+k.rows > o.RowGroupRows {
		sizes = k.rowSizes()
	} else {
		c.size += k.size
	}
	for k.done < k.rows {
		n, ends := o.next(c.rows, &c.size, sizes, k.rows-k.done)
		c.group = append(c.group, rowRange{k, n})
		c.rows, k.done = c.rows+n, k.done+n
		sizes = sizes[min(n, len(sizes)):]
		if ends {
			if err := c.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush writes the row group to all files. Rows read earlier are then needed only for the rest of the current file.
func (c *compacting) flush() error {
	var narrow *parquet.Part
	if len(c.files) > 1 {
		narrow = &parquet.Part{Writer: c.files[0].out.encoder, Leaves: c.files[0].leaves}
		c.files[0].out.wrote(c.rows)
	}
	if err := c.files[len(c.files)-1].out.writeGroupOf(c.rows, c.gather, narrow); err != nil {
		return err
	}
	clear(c.group)
	c.group, c.rows, c.size = c.group[:0], 0, 0
	return nil
}

// gather assembles a leaf of the row group.
func (c *compacting) gather(leaf int) *column.Leaf {
	c.leaf.Like(&c.read.Leaves[leaf])
	for _, r := range c.group {
		part := r.part(leaf, r.n)
		c.leaf.Append(&part, nil)
	}
	return &c.leaf
}
