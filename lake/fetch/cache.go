// Package fetch copies the parts of a bucket's files that queries read to the local disk: the footers and the
// needed column chunks. A local file has the size of the object, with holes for the parts that were not
// fetched. A hole is never read as values, because zeros are no valid page header. Any number of queries and
// processes may share the folder.
package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/dustin/go-humanize"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/pingmill/pingmill/internal/retry"
	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/store"
)

const (
	// filesAtOnce and rangesAtOnce limit the concurrently fetched files, and ranges of all files together;
	// maxRange is the largest range in bytes. Together they limit the memory.
	filesAtOnce  = 32
	rangesAtOnce = 32
	maxRange     = 4 << 20
	// gap is the largest gap between two ranges, in bytes, that is fetched as well: a request costs as much
	// time as about that many bytes.
	gap = 64 << 10
	// last is the number of bytes at the end of a file that are fetched first: they contain most footers.
	// Smaller files are fetched completely.
	last = 128 << 10
)

// Cache is the folder of the fetched files. It is safe for concurrent use.
type Cache struct {
	dir  string
	size int64 // bytes that it may have
	now  func() time.Time

	ranges *semaphore.Weighted
	room   room
}

// New returns a cache of up to size bytes in dir. It creates the folder if needed.
func New(dir string, size int64, now func() time.Time) *Cache {
	return &Cache{dir: dir, size: size, now: now, ranges: semaphore.NewWeighted(rangesAtOnce)}
}

// Dir returns the folder of the cache.
func (c *Cache) Dir() string { return c.dir }

// File is a file in a bucket and its place in the cache. Files of different content must have different places.
type File struct {
	Bucket store.Bucket
	Name   string // in the bucket
	Place  string // below the folder, with slashes
	Size   int64
}

// Key returns a name, for use in a place, of the content that the words describe.
func Key(words ...string) string {
	h := sha256.New()
	for _, w := range words {
		fmt.Fprintln(h, w)
	}
	return hex.EncodeToString(h.Sum(nil))[:24]
}

func (c *Cache) path(f *File) string { return filepath.Join(c.dir, filepath.FromSlash(f.Place)) }

// Reserve creates a file of holes in the place of a file, unless it exists already, so that queries can be
// planned. It returns the path.
func (c *Cache) Reserve(f File) (path string, err error) {
	path = c.path(&f)
	if path, err = filepath.Abs(path); err != nil {
		return "", err
	}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() == f.Size {
		return path, nil
	}
	unlock, err := c.lock(context.Background(), f.Place)
	if err != nil {
		return "", err
	}
	defer unlock()
	return path, c.explain(reset(path, f.Size))
}

// Bring fetches the footers of files and the named columns, or all columns if columns is nil, unless they are
// cached. The error matches fs.ErrNotExist if a file is not in the bucket, and ErrRoom if there is not enough
// space. Nothing fetched for ctx is evicted before ctx ends.
func (c *Cache) Bring(ctx context.Context, files []File, columns []string) error {
	if err := c.pin(ctx); err != nil {
		return c.explain(err)
	}
	observe, _ := ctx.Value(telling{}).(func(int64))
	if observe == nil {
		observe = func(int64) {}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(filesAtOnce)
	for i := range files {
		group.Go(func() error {
			f := &files[i]
			if err := c.bring(ctx, f, columns, observe); err != nil {
				return fmt.Errorf("bring %s: %w", store.Place(f.Bucket, f.Name), c.explain(err))
			}
			return nil
		})
	}
	return group.Wait()
}

// telling is the context key of the observer.
type telling struct{}

// WithObserver returns a context with which Bring reports the number of bytes that it fetches. It calls observe from
// several goroutines.
func WithObserver(ctx context.Context, observe func(bytes int64)) context.Context {
	return context.WithValue(ctx, telling{}, observe)
}

// Drop removes the cached parts of a file.
func (c *Cache) Drop(f File) error {
	unlock, err := c.lock(context.Background(), f.Place)
	if err != nil {
		return err
	}
	defer unlock()
	return c.explain(reset(c.path(&f), f.Size))
}

func (c *Cache) bring(ctx context.Context, f *File, columns []string, observe func(int64)) (err error) {
	unlock, err := c.lock(ctx, f.Place)
	if err != nil {
		return err
	}
	defer unlock()
	h, err := c.open(f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	h.observe = observe
	again := retry.Loop{Policy: retry.Policy{First: 10 * time.Millisecond, Max: time.Second, Tries: 2}, What: "read a replaced file again"}
	for {
		if err = h.bring(ctx, columns); !errors.Is(err, store.ErrChanged) {
			return err
		}
		if err := again.Again(ctx, err); err != nil {
			return err
		}
		if err := h.reset(); err != nil { // the object is another one: nothing of the old one stays
			return err
		}
	}
}

// explain adds advice to an error of a full disk.
func (c *Cache) explain(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w: the disk of %s is full: make room there, or set query.cache-dir to a folder on another one: %w", ErrRoom, c.dir,
			err)
	}
	return err
}

// ErrRoom means that the cache has no space for the parts that a query reads.
var ErrRoom = errors.New("no room for what the query reads from the bucket")

// noRoom returns the error of a cache that is too small for the needed bytes.
func (c *Cache) noRoom(need, used int64) error {
	return fmt.Errorf("%w: %s more are needed, and of query.cache (%s) %s are in use by running queries",
		ErrRoom, humanize.IBytes(uint64(need)), humanize.IBytes(uint64(c.size)), humanize.IBytes(uint64(used)))
}

// reset replaces a file by a hole. Readers that opened the file before continue to read the old one.
func reset(path string, size int64) error {
	err := os.Remove(path + recordSuffix)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	w, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(w.Truncate(size), w.Close())
}

// wanted returns the ranges of columns in a file.
func wanted(file *parquet.File, columns []string) (all []parquet.Range) {
	names := map[string]bool{}
	for _, name := range columns {
		names[name] = true
	}
	for i := range file.Columns {
		if columns == nil || names[file.Columns[i].Name] {
			all = append(all, file.Chunks(i)...)
		}
	}
	return all
}
