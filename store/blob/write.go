package blob

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/pingmill/pingmill/store"
)

const (
	// partSize is the size of a request of an upload; a smaller object is one request.
	partSize = 8 << 20
	// partsAtOnce is the number of concurrent parts of an upload. Each is in memory meanwhile.
	partsAtOnce = 3
)

// markKey is metadata of objects: a random text, by which a write is recognised whose answer was lost.
const markKey = "pingmillwrite"

// A writer keeps a small object until its commit. A large one is uploaded in parts meanwhile, which nobody sees.
type writer struct {
	bucket *Bucket
	name   string
	mark   string
	outer  context.Context
	ctx    context.Context // ends with outer, or by Abort
	cancel context.CancelFunc
	small  bytes.Buffer
	large  *io.PipeWriter // nil as long as it is small
	sent   chan error     // has the outcome of the upload
	failed error
	done   bool
}

// Create implements store.Bucket.
func (b *Bucket) Create(ctx context.Context, name string) (store.Writer, error) {
	if err := b.start(ctx, "create", name); err != nil {
		return nil, err
	}
	w := &writer{bucket: b, name: name, mark: rand.Text(), outer: ctx}
	w.ctx, w.cancel = context.WithCancel(ctx)
	return w, nil
}

// Write implements io.Writer.
func (w *writer) Write(p []byte) (int, error) {
	switch {
	case w.done:
		return 0, fmt.Errorf("write %s: %w", w.bucket.path(w.name), fs.ErrClosed)
	case w.failed != nil:
		return 0, w.failed
	case w.large == nil && w.small.Len()+len(p) < partSize:
		return w.small.Write(p)
	case w.large == nil:
		w.begin()
		if _, err := w.large.Write(w.small.Bytes()); err != nil {
			return 0, w.fail(err)
		}
		w.small = bytes.Buffer{}
	}
	n, err := w.large.Write(p)
	if err != nil {
		return n, w.fail(err)
	}
	return n, nil
}

func (w *writer) fail(err error) error {
	w.failed = w.bucket.explain(w.outer, "write", w.name, err)
	return w.failed
}

// begin begins the upload of a large object.
func (w *writer) begin() {
	in, out := io.Pipe()
	w.large, w.sent = out, make(chan error, 1)
	go func() {
		err := w.bucket.service.upload(w.ctx, w.bucket.prefix+w.name, in, w.mark)
		if err == nil {
			in.Close()
		}
		in.CloseWithError(err)
		w.sent <- err
	}()
}

// Commit implements store.Writer. The provider makes the object visible with the last request.
func (w *writer) Commit() error {
	if w.done {
		return fmt.Errorf("commit %s: %w", w.bucket.path(w.name), fs.ErrClosed)
	}
	if err := w.bucket.ended(w.outer, "commit", w.name); err != nil || w.failed != nil {
		w.Abort()
		return errors.Join(w.failed, err)
	}
	w.done = true
	defer w.cancel()
	defer w.bucket.changes.Wrote(w.name)
	var err error
	if w.large == nil {
		_, err = w.bucket.service.put(w.ctx, w.bucket.prefix+w.name, w.small.Bytes(), w.mark, nil)
	} else {
		w.large.Close()
		err = <-w.sent
	}
	if err == nil || w.outer.Err() == nil && w.bucket.marked(w.outer, w.name, w.mark) {
		return nil
	}
	return w.bucket.explain(w.outer, "commit", w.name, err)
}

// Abort implements store.Writer.
func (w *writer) Abort() error {
	if w.done {
		return nil
	}
	w.done = true
	w.cancel() // before the end of the sent bytes, which must not count as the object's
	if w.large != nil {
		w.large.CloseWithError(context.Canceled)
		<-w.sent //nolint:errcheck // records that it was aborted
	}
	w.small = bytes.Buffer{}
	return nil
}

// marked reports whether the object was written by the write with this mark.
func (b *Bucket) marked(ctx context.Context, name, mark string) bool {
	o, err := b.service.head(ctx, b.prefix+name)
	return err == nil && o.mark == mark
}
