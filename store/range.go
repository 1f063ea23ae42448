package store

import (
	"context"
	"errors"
	"io"
)

// Ranger is a Bucket that reads a part of an object in one request.
type Ranger interface {
	// ReadRange fills p with the bytes of the object from an offset on. content is the content identity that an
	// earlier call returned, or "" for any: the error matches ErrChanged if the object has another one.
	ReadRange(ctx context.Context, name string, p []byte, off int64, content string) (now string, err error)
}

// ReadRange calls the method of b, or opens the object. content is "" if b does not support it.
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
