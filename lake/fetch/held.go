package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/store"
)

// recordSuffix ends the name of the record of a file.
const recordSuffix = ".have"

// recordFormat is the version of record's format.
const recordFormat = 1

// record lists the parts of a file that are cached. It is written after the bytes are on disk, so that it is
// true after a crash as well.
type record struct {
	Format  int             `json:"format"`
	Size    int64           `json:"size"`    // of the file
	Content string          `json:"content"` // identity of the object in the bucket
	Ranges  []parquet.Range `json:"ranges"`  // in order, apart from each other
}

// bytes returns the number of cached bytes.
func (r *record) bytes() (sum int64) {
	for _, at := range r.Ranges {
		sum += at.Size
	}
	return sum
}

// held is a locked file of the cache.
type held struct {
	cache   *Cache
	f       *File
	path    string
	data    *os.File
	have    record
	observe func(int64)
}

// open opens the file in its place. It replaces a file of another size by a hole.
func (c *Cache) open(f *File) (*held, error) {
	h := &held{cache: c, f: f, path: c.path(f)}
	h.have = readRecord(h.path, f.Size)
	info, err := os.Stat(h.path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != f.Size {
		return h, h.reset()
	}
	h.data, err = os.OpenFile(h.path, os.O_RDWR, 0)
	return h, err
}

// readRecord reads the record of a file. An unusable record counts as empty.
func readRecord(path string, size int64) record {
	none := record{Format: recordFormat, Size: size}
	b, err := os.ReadFile(path + recordSuffix)
	var r record
	if err != nil || json.Unmarshal(b, &r) != nil || r.Format != recordFormat || r.Size != size {
		return none
	}
	end := int64(-1)
	for _, at := range r.Ranges {
		if at.Offset <= end || at.Size <= 0 || at.Offset+at.Size > size {
			return none
		}
		end = at.Offset + at.Size
	}
	return r
}

func (h *held) close() error {
	if h.data == nil {
		return nil
	}
	return h.data.Close()
}

// reset removes all cached parts of the file.
func (h *held) reset() error {
	if err := h.close(); err != nil {
		return err
	}
	h.data, h.have = nil, record{Format: recordFormat, Size: h.f.Size}
	err := reset(h.path, h.f.Size)
	if err == nil {
		h.data, err = os.OpenFile(h.path, os.O_RDWR, 0)
	}
	return err
}

// bring fetches the footer and columns.
func (h *held) bring(ctx context.Context, columns []string) error {
	size := h.f.Size
	end := parquet.Range{Offset: max(0, size-last), Size: min(size, last)}
	if err := h.fetch(ctx, []parquet.Range{end}); err != nil {
		return err
	}
	if end.Offset == 0 { // it is there whole
		return h.touch()
	}
	tail := make([]byte, 16)
	if _, err := h.data.ReadAt(tail, size-int64(len(tail))); err != nil {
		return err
	}
	footer, err := parquet.Footer(tail, size)
	if err != nil {
		return nil // the verifier reports it
	}
	if err := h.fetch(ctx, []parquet.Range{footer}); err != nil {
		return err
	}
	file, err := parquet.Open(h.data, size)
	if err != nil {
		return nil
	}
	if err := h.fetch(ctx, wanted(file, columns)); err != nil {
		return err
	}
	return h.touch()
}

// touch sets the time of the last use to now.
func (h *held) touch() error {
	at := h.cache.now()
	err := os.Chtimes(h.path+recordSuffix, at, at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// fetch fetches the missing parts of the ranges.
func (h *held) fetch(ctx context.Context, want []parquet.Range) error {
	lacking := joined(missing(want, h.have.Ranges), h.have.Ranges)
	if len(lacking) == 0 {
		return nil
	}
	var sum int64
	for _, r := range lacking {
		sum += r.Size
	}
	if err := h.cache.makeRoom(ctx, sum); err != nil {
		return err
	}
	if err := h.ranges(ctx, pieces(lacking)); err != nil {
		return err
	}
	if err := h.data.Sync(); err != nil {
		return err
	}
	h.have.Ranges = union(append(slices.Clone(h.have.Ranges), lacking...))
	return h.write()
}

// ranges fetches ranges, several concurrently.
func (h *held) ranges(ctx context.Context, all []parquet.Range) error {
	content := h.have.Content
	if content == "" { // of the first one the others have to be
		now, err := h.one(ctx, all[0], "")
		if err != nil {
			return err
		}
		h.have.Content, content, all = now, now, all[1:]
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(rangesAtOnce)
	for _, r := range all {
		group.Go(func() error {
			_, err := h.one(inner, r, content)
			return err
		})
	}
	return group.Wait()
}

// one fetches one range.
func (h *held) one(ctx context.Context, r parquet.Range, content string) (now string, err error) {
	if err := h.cache.ranges.Acquire(ctx, 1); err != nil {
		return "", context.Cause(ctx)
	}
	defer h.cache.ranges.Release(1)
	p := make([]byte, r.Size)
	if now, err = store.ReadRange(ctx, h.f.Bucket, h.f.Name, p, r.Offset, content); err != nil {
		return "", err
	}
	if _, err := h.data.WriteAt(p, r.Offset); err != nil {
		return "", err
	}
	h.observe(r.Size)
	return now, nil
}

// write writes the record.
func (h *held) write() error {
	b, err := json.Marshal(&h.have)
	if err != nil {
		return err
	}
	temp := h.path + recordSuffix + ".new" // nobody else writes it: the file is locked
	if err := os.WriteFile(temp, b, 0o600); err != nil {
		_ = os.Remove(temp)
		return err
	}
	return os.Rename(temp, h.path+recordSuffix)
}
