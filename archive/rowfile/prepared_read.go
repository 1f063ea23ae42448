package rowfile

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"iter"
	"slices"

	"github.com/klauspost/compress/s2"

	"github.com/pingmill/pingmill/store"
)

// PreparedName names a file of prepared rows, and the SHA-256 of the file of pings that it must belong to.
type PreparedName struct{ Name, Data string }

// PreparedError means that a file of prepared rows is damaged or could not be read on. The documents have the same rows.
type PreparedError struct {
	Name string
	Err  error
}

// Error implements error.
func (e *PreparedError) Error() string { return fmt.Sprintf("prepared rows %s: %v", e.Name, e.Err) }

// Unwrap returns the cause.
func (e *PreparedError) Unwrap() error { return e.Err }

var errPrepared = errors.New("other bytes than were written")

// Preparations are the prepared rows that a reader wants. Files without them, or with those of other keys, are read with
// their bodies.
type Preparations struct {
	Table PreparedTable
	// Damaged is called for each file whose prepared rows cannot be used because they are damaged.
	Damaged func(error)
}

// mergePrepared is Merge of all columns. But rows of files with prepared ones have Prepared and Place instead of Body. If prepared
// rows turn out to be damaged later, the error is a PreparedError, and the rows before it were right.
func mergePrepared(ctx context.Context, b store.Bucket, files []*File, p *Preparations, heads, whole *Pool,
	lo, hi int) iter.Seq2[*Record, error] {
	return merge(ctx, files, func(f *File) (*cursor, error) {
		c, err := newCursor(ctx, b, f, whole, lo, hi)
		if c == nil || err != nil || f.Prepared == nil {
			return c, err
		}
		r, err := openPrepared(ctx, b, f, &p.Table)
		if err != nil && ctx.Err() == nil {
			p.Damaged(&PreparedError{f.Prepared.Name, err})
		}
		if r != nil {
			c.prepared, c.pool = r, heads
		}
		return c, nil
	})
}

// preparedReader reads the prepared rows of a file, block by block.
type preparedReader struct {
	ctx    context.Context
	bucket store.Bucket
	name   string
	table  int // of the wanted table
	blocks []preparedBlock

	source      store.Reader // nil: not opened
	at          int          // 1 + index of the block in memory
	raw, packed []byte
	rest        []byte // of raw, behind the current row
	row         int    // index of the next row in the block
}

// openPrepared returns nil if the file has no prepared rows of the table, or they are of another key.
func openPrepared(ctx context.Context, b store.Bucket, f *File, t *PreparedTable) (*preparedReader, error) {
	source, err := b.Open(ctx, f.Prepared.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer source.Close()
	end, err := readPreparedEnd(source)
	if err != nil || end.Format != preparedFormat {
		return nil, err
	}
	table := slices.Index(end.Tables, *t)
	if table < 0 || end.Data != f.Prepared.Data {
		return nil, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if !slices.EqualFunc(f.groups, end.Blocks, func(g group, b preparedBlock) bool { return g.rows == b.Rows }) {
		return nil, errors.New("its rows are not those of the file of pings")
	}
	return &preparedReader{ctx: ctx, bucket: b, name: f.Prepared.Name, table: table, blocks: end.Blocks}, nil
}

// guess is about the size of most ends.
const guess = 16 << 10

func readPreparedEnd(source store.Reader) (end preparedEnd, err error) {
	data := make([]byte, min(guess, source.Size()))
	if int64(len(data)) < preparedTail {
		return end, errPrepared
	}
	if _, err := source.ReadAt(data, source.Size()-int64(len(data))); err != nil {
		return end, fmt.Errorf("read its end: %w", err)
	}
	tail := data[int64(len(data))-preparedTail:]
	size := int64(binary.LittleEndian.Uint32(tail[4:])) + preparedTail
	if string(tail[8:]) != preparedMagic || size > source.Size() {
		return end, errPrepared
	}
	if size > int64(len(data)) {
		data = make([]byte, size)
		if _, err := source.ReadAt(data, source.Size()-size); err != nil {
			return end, fmt.Errorf("read its end: %w", err)
		}
	}
	data = data[int64(len(data))-size:]
	data, tail = data[:size-preparedTail], data[size-preparedTail:]
	if crc32.Checksum(data, castagnoli) != binary.LittleEndian.Uint32(tail) {
		return end, errPrepared
	}
	err = json.Unmarshal(data, &end)
	return end, err
}

// set sets what is prepared of a row of a group, behind which left rows follow. A nil reader sets nothing.
func (p *preparedReader) set(r *Record, g *group, left int) error {
	if p == nil {
		return nil
	}
	err := p.seek(g, g.rows-left-1)
	if err != nil {
		return &PreparedError{p.name, err}
	}
	size, n := binary.Uvarint(p.rest)
	if n <= 0 || size > uint64(len(p.rest)-n) {
		return &PreparedError{p.name, errPrepared}
	}
	r.Place = p.table
	r.Prepared, p.rest = p.rest[n:n+int(size)], p.rest[n+int(size):]
	p.row++
	return nil
}

// seek makes the rest begin with a row of a group.
func (p *preparedReader) seek(g *group, row int) error {
	if p.at != g.index+1 {
		if err := p.load(&p.blocks[g.index]); err != nil {
			return err
		}
		p.at, p.row = g.index+1, 0
	}
	if p.row != row {
		return errPrepared // rows are read in order, each once
	}
	return nil
}

// load reads a block.
func (p *preparedReader) load(b *preparedBlock) (err error) {
	if p.source == nil {
		if p.source, err = p.bucket.Open(p.ctx, p.name); err != nil {
			return err
		}
	}
	p.packed = slices.Grow(p.packed[:0], int(b.Bytes))[:b.Bytes]
	if _, err := p.source.ReadAt(p.packed, b.Start); err != nil {
		return fmt.Errorf("read %d bytes at %d: %w", b.Bytes, b.Start, err)
	}
	if crc32.Checksum(p.packed, castagnoli) != b.Sum {
		return errPrepared
	}
	if n, err := s2.DecodedLen(p.packed); err != nil || n != b.Raw {
		return errPrepared
	}
	p.raw = slices.Grow(p.raw[:0], b.Raw)[:b.Raw]
	p.rest, err = s2.Decode(p.raw, p.packed)
	return err
}

func (p *preparedReader) close() {
	if p != nil && p.source != nil {
		p.source.Close()
		p.source = nil
	}
}
