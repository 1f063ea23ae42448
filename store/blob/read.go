package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/changes"
)

type reader struct {
	bucket  *Bucket
	ctx     context.Context // ends with that of Open, or by Close
	cancel  context.CancelFunc
	name    string
	version string
	size    int64
	spans   spans
	pos     int64
}

// Open implements store.Bucket: one request, which brings the first bytes.
func (b *Bucket) Open(ctx context.Context, name string) (store.Reader, error) {
	if err := b.start(ctx, "open", name); err != nil {
		return nil, err
	}
	r := &reader{bucket: b, name: name}
	r.ctx, r.cancel = context.WithCancel(ctx)
	poll := b.changes.Poll(ctx, "open", name)
	if o, ok := poll.Content(); ok {
		if !o.Found {
			r.cancel()
			return nil, fmt.Errorf("open %s: %w", b.path(name), fs.ErrNotExist)
		}
		r.has(int64(len(o.Data)), o.Version, o.Data)
		return r, nil
	}
	if err := b.again(ctx, r.first); err != nil {
		r.cancel()
		err = b.explain(ctx, "open", name, err)
		if errors.Is(err, fs.ErrNotExist) {
			poll.KeepContent(changes.Content{})
		}
		return nil, err
	}
	if r.size <= remembered(ctx) {
		poll.KeepContent(changes.Content{Found: true, Version: r.version, Data: r.spans.head})
	}
	return r, nil
}

// remembered returns the size of the largest object whose content is remembered between two polls, or between two queries: of a
// manifest with some hundred files.
func remembered(ctx context.Context) int64 {
	if _, state := store.AcceptedSince(ctx); state != "" {
		return 64 << 10
	}
	return 4 << 10
}

// has sets what came with the first bytes.
func (r *reader) has(size int64, version string, head []byte) {
	r.size, r.version = size, version
	r.spans.fetch, r.spans.size, r.spans.head, r.spans.expect = r.fetch, size, head, int64(len(head))
}

func (r *reader) first() error {
	in, o, err := r.bucket.service.get(r.ctx, r.bucket.prefix+r.name, "", 0, window)
	if _, status := r.bucket.service.failure(err); status == 416 { // no byte to begin with
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	if err := o.versioned(); err != nil {
		return err
	}
	head := make([]byte, min(window, o.size))
	if _, err = io.ReadFull(in, head); err != nil {
		return &broken{err}
	}
	r.has(o.size, o.version, head)
	return nil
}

// Size implements store.Reader.
func (r *reader) Size() int64 { return r.size }

// ReadAt implements io.ReaderAt.
func (r *reader) ReadAt(p []byte, off int64) (int, error) {
	switch {
	case off < 0:
		return 0, fmt.Errorf("read %s: offset %d", r.bucket.path(r.name), off)
	case off >= r.size:
		return 0, io.EOF
	}
	want := p[:min(int64(len(p)), r.size-off)]
	if err := r.spans.read(want, off); err != nil {
		return 0, r.explain(err)
	}
	if len(want) < len(p) {
		return len(want), io.EOF
	}
	return len(p), nil
}

// fetch reads a range from the server.
func (r *reader) fetch(p []byte, off int64) error {
	return r.bucket.again(r.ctx, func() error { return r.once(p, off) })
}

// once is one request.
func (r *reader) once(p []byte, off int64) error {
	in, o, err := r.bucket.service.get(r.ctx, r.bucket.prefix+r.name, r.version, off, int64(len(p)))
	if err != nil {
		return err
	}
	defer in.Close()
	if o.size != r.size || o.version != r.version {
		return errReplaced
	}
	if _, err = io.ReadFull(in, p); err != nil {
		return &broken{err}
	}
	return nil
}

var errReplaced = fmt.Errorf("it was replaced or deleted while it was read: %w", store.ErrChanged)

func (r *reader) explain(err error) error {
	if errors.Is(err, fs.ErrClosed) || r.spans.ended() {
		return fmt.Errorf("read %s: %w", r.bucket.path(r.name), fs.ErrClosed)
	}
	if _, status := r.bucket.service.failure(err); status == 404 || status == 412 || errors.Is(err, errReplaced) {
		return fmt.Errorf("read %s: %w", r.bucket.path(r.name), errReplaced)
	}
	return r.bucket.explain(r.ctx, "read", r.name, err)
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	n, err := r.ReadAt(p, r.pos)
	r.pos += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

// Seek implements io.Seeker.
func (r *reader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.pos
	case io.SeekEnd:
		offset += r.size
	}
	if offset < 0 {
		return 0, fmt.Errorf("seek %s: to %d", r.bucket.path(r.name), offset)
	}
	r.pos = offset
	return offset, nil
}

// Close implements io.Closer.
func (r *reader) Close() error {
	r.cancel()
	r.spans.close()
	return nil
}
