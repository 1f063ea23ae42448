// Package pipe reads and writes files that may wait for the process at the other
// end, such as standard input and named pipes, for as long as a context lasts.
package pipe

import (
	"context"
	"io"
	"os"
	"sync"
)

// Open opens a file to be read from its beginning to its end. Once ctx ends,
// opening and reading fail with its cause.
func Open(ctx context.Context, name string) (io.ReadCloser, error) {
	return open(ctx, name, os.O_RDONLY)
}

// OpenToWrite opens an existing file, such as a named pipe. Once ctx ends,
// opening and writing fail with its cause.
func OpenToWrite(ctx context.Context, name string) (io.WriteCloser, error) {
	return open(ctx, name, os.O_WRONLY)
}

// open leaves a goroutine behind when ctx ends first: the system has no way
// to stop waiting for the other end of a named pipe.
func open(ctx context.Context, name string, flag int) (io.ReadWriteCloser, error) {
	type result struct {
		file *os.File
		err  error
	}
	done := make(chan result, 1)
	go func() {
		f, err := os.OpenFile(name, flag, 0)
		done <- result{f, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return nil, r.err
		}
		return newFile(ctx, r.file), nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// file is closed when its context ends, which ends calls that wait.
type file struct {
	file *os.File
	ctx  context.Context
	stop func() bool
}

func newFile(ctx context.Context, f *os.File) *file {
	return &file{f, ctx, context.AfterFunc(ctx, func() { _ = f.Close() })}
}

func (f *file) Read(p []byte) (int, error) {
	n, err := f.file.Read(p)
	return n, f.cause(err)
}

func (f *file) Write(p []byte) (int, error) {
	n, err := f.file.Write(p)
	return n, f.cause(err)
}

func (f *file) cause(err error) error { return causeOf(f.ctx, err) }

// causeOf returns the cause of a failed call. A signal to a whole pipeline ends the other side as well: then
// the end of the input must not be taken for its real end.
func causeOf(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// Close does nothing if the context has closed the file.
func (f *file) Close() error {
	if !f.stop() {
		return nil
	}
	return f.file.Close()
}

// Reader reads from r, which may block. Once ctx ends, reads fail with its cause; a blocked call of r continues
// in vain. Reader reads nothing from r before the first call.
func Reader(ctx context.Context, r io.Reader) io.Reader {
	return &reader{ctx: ctx, from: r}
}

type reader struct {
	ctx   context.Context
	from  io.Reader
	begin sync.Once
	pipe  *io.PipeReader
}

func (r *reader) Read(p []byte) (int, error) {
	r.begin.Do(r.start)
	n, err := r.pipe.Read(p)
	return n, causeOf(r.ctx, err)
}

func (r *reader) start() {
	pr, pw := io.Pipe()
	r.pipe = pr
	stop := context.AfterFunc(r.ctx, func() { _ = pw.CloseWithError(context.Cause(r.ctx)) })
	go func() {
		defer stop()
		_, err := io.CopyBuffer(pw, onlyReader{r.from}, make([]byte, bufferSize))
		_ = pw.CloseWithError(err) // nil: the end
	}()
}

// bufferSize is the largest size of one read of standard input.
const bufferSize = 1 << 18

// onlyReader hides other methods, so that the buffer is used.
type onlyReader struct{ io.Reader }

// Writer writes to w until ctx ends. It does not interrupt a blocked call of w.
func Writer(ctx context.Context, w io.Writer) io.Writer { return writer{ctx, w} }

type writer struct {
	ctx context.Context
	to  io.Writer
}

func (w writer) Write(p []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	return w.to.Write(p)
}
