package store

import (
	"context"
	"errors"
	"io"
)

// Ranger is a Bucket that reads a part of an object in one request.
type Ranger interface {
	// ReadRange fills p with the bytes from an offset on, of the object with the content
	// that an earlier call gave, "" of any: the error matches ErrChanged if it has another.
	ReadRange(ctx context.Context, name string, p []byte, off int64, content string) (now string, err error)
}

// ReadRange calls Bucket's method, or opens the object. Where b does not know it, content is
// "".
func ReadRange(ctx context.Context, b Bucket, name string, p []byte, off int64, content string) (now string, err error) {
	if r, ok := b.(Ranger); ok {
		return r.ReadRange(ctx, name, p, off, content)
	}
	r, err := b.Open(ctx, name)
	if err != nil {
		return "", err
	}
	_, err = r.ReadAt(p, off)
	if errors.Is(err, io.EOF) && off+int64(len(p)) == r.Size() {
		err = nil
	}
	return "", errors.Join(err, r.Close())
}
