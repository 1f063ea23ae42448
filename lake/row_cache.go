package lake

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// Limits of the rows that Footers caches, in bytes of memory: enough for 100 files of main_summary with some
// 40 rows each.
const (
	cachedFileBytes = 512 << 10 // of a file
	shelfBytes      = 8 << 20   // of files that are evicted together, about
	cacheBytes      = 64 << 20
)

// shelves caches the rows of small files that were just written, for their next readers: checks, compact
// files, and derived tables. Opening a file of many columns takes longer than writing it.
type shelves struct {
	mu    sync.RWMutex
	files map[string]cachedFile // by the hash of their content
	all   []*shelf              // oldest first
}

// shelf holds the rows of several files with the same columns, one file after the other.
type shelf struct {
	batch  *column.Batch
	at     []column.Position // of the leaves before each file, and after the last one
	size   int64
	hashes []string          // of the files
	places map[string][2]int // of columns by name: number, and first leaf
}

// cachedFile is a file on a shelf.
type cachedFile struct {
	shelf *shelf
	first int // of its positions
	rows  int
	size  int64
}

// Finish completes a file; after an error it aborts the file. Written then returns the rows of a small file.
func (c *Footers) Finish(w *FileWriter, s *FileSink) (File, error) {
	cached := w.cached
	if c != nil && w.err == nil && w.info.RowGroups == 0 && w.size <= cachedFileBytes {
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
	if cached.shelf != nil {
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
	return &FileReader{cached: &cachedReader{cachedFile: cached, all: &c.rows}}
}

// put copies the rows of a file whose hash is not known yet.
func (s *shelves) put(b *column.Batch, size int64) cachedFile {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shelfFor(b).add(b, size)
}

// add copies rows.
func (l *shelf) add(b *column.Batch, size int64) cachedFile {
	first := len(l.at) - len(b.Leaves)
	for i := range b.Leaves {
		to := &l.batch.Leaves[i]
		to.Append(&b.Leaves[i], l.batch.Copy)
		l.at = append(l.at, column.Position{Level: len(to.Def), Value: to.Values()})
	}
	l.size += size + int64(16*len(b.Leaves))
	return cachedFile{shelf: l, first: first, rows: b.Rows, size: size}
}

func newShelf(b *column.Batch) *shelf {
	return &shelf{batch: b, at: make([]column.Position, len(b.Leaves)), places: map[string][2]int{}}
}

// shelfFor returns a shelf with space for the rows of a batch.
func (s *shelves) shelfFor(b *column.Batch) *shelf {
	for _, l := range slices.Backward(s.all) {
		if l.size < shelfBytes && schema.SameColumns(l.batch.Columns, b.Columns) {
			return l
		}
	}
	s.drop()
	l := newShelf(column.NewBatch(b.Columns))
	for i := range b.Columns {
		l.places[b.Columns[i].Name] = [2]int{i, b.Node(i).Leaf}
	}
	s.all = append(s.all, l)
	return l
}

// drop evicts the oldest shelves until there is space for another one.
func (s *shelves) drop() {
	room := int64(cacheBytes - shelfBytes)
	for _, l := range s.all {
		room -= l.size
	}
	for room < 0 {
		for _, hash := range s.all[0].hashes {
			delete(s.files, hash)
		}
		room += s.all[0].size
		s.all = slices.Delete(s.all, 0, 1)
	}
}

// name makes a file available under its hash, unless its shelf was evicted.
func (s *shelves) name(hash string, f cachedFile) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.all, f.shelf) {
		return
	}
	if s.files == nil {
		s.files = map[string]cachedFile{}
	}
	s.files[hash] = f
	f.shelf.hashes = append(f.shelf.hashes, hash)
}

// cachedReader reads the rows of a file from its shelf, for a FileReader.
type cachedReader struct {
	cachedFile

	all    *shelves
	leaves []int // selected leaves of the shelf, -1 for none
	done   int   // rows already read
}

// find returns the index of the named column and of its first leaf.
func (k *cachedReader) find(name string) (i, leaf int, ok bool) {
	at, ok := k.shelf.places[name]
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
	k.all.mu.RLock()
	defer k.all.mu.RUnlock()
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
	k.all.mu.RLock()
	defer k.all.mu.RUnlock()
	sizes := make([]int64, k.rows)
	for leaf := range k.shelf.batch.Leaves {
		l := k.part(leaf, k.rows)
		l.AddSizes(sizes)
	}
	return sizes
}

// part returns a leaf of the next rows. It shares memory that no longer changes.
func (k *cachedReader) part(leaf, rows int) column.Leaf {
	src := &k.shelf.batch.Leaves[leaf]
	begin := k.shelf.at[k.first+leaf]
	if rows == k.rows {
		return src.Between(begin, k.shelf.at[k.first+len(k.shelf.batch.Leaves)+leaf])
	}
	from := begin.After(src, k.done)
	return src.Between(from, from.After(src, rows))
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
	for _, f := range c.files {
		if err := f.out.writeGroupOf(c.rows, func(i int) *column.Leaf { return c.gather(f.leaves[i]) }); err != nil {
			return err
		}
	}
	c.group, c.rows, c.size, c.own = c.group[:0], 0, 0, nil
	return nil
}

// gather assembles a leaf of the row group.
func (c *compacting) gather(leaf int) *column.Leaf {
	c.leaf.Like(&c.read.Leaves[leaf])
	for _, r := range c.group {
		r.all.mu.RLock()
		part := r.part(leaf, r.n)
		c.leaf.Append(&part, nil)
		r.all.mu.RUnlock()
	}
	return &c.leaf
}
