package lake

import (
	"sync"

	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/store"
)

// footersSize is the largest memory of Footers, in bytes: many times the footers of a small day, where
// reading them is much of the work.
const footersSize = 16 << 20

// Footers caches the footers of files by the hash of their content, for work that opens the same files
// several times: parsing a footer of many columns takes longer than reading some columns of a small file. It
// also caches the rows of small files that it finished itself, see Finish. When the cache is full, the oldest
// entries are evicted. Footers is safe for concurrent use; a nil *Footers caches nothing.
type Footers struct {
	mu    sync.Mutex
	files map[string]*parquet.File
	order []string // of the hashes, oldest first
	size  int
	limit int
	rows  rowCache
}

// NewFooters returns an empty cache.
func NewFooters() *Footers { return &Footers{files: map[string]*parquet.File{}, limit: footersSize} }

// Open opens the parquet file f through r, like OpenFile.
func (c *Footers) Open(r store.Reader, f File) (*FileReader, error) {
	if c == nil || f.SHA256 == "" || r.Size() != f.Bytes {
		return OpenFile(r)
	}
	if file := c.find(f.SHA256); file != nil {
		return &FileReader{file: file.At(r)}, nil
	}
	file, err := OpenFile(r)
	if err == nil {
		c.keep(f.SHA256, file.file.At(nil))
	}
	return file, err
}

func (c *Footers) find(hash string) *parquet.File {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.files[hash]
}

func (c *Footers) keep(hash string, file *parquet.File) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.files[hash] != nil || file.Size() > c.limit/8 {
		return
	}
	c.files[hash], c.order = file, append(c.order, hash)
	for c.size += file.Size(); c.size > c.limit; c.order = c.order[1:] {
		c.size -= c.files[c.order[0]].Size()
		delete(c.files, c.order[0])
	}
}
