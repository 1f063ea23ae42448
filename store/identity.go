package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Identity tells a file from another that has taken its place, and from itself
// after somebody has written to it.
type Identity struct {
	Size    int64
	Content string    // of the file: another one, or one that was written to, has another
	State   string    // the same, and also changes with the file's names and rights
	Changed time.Time // when State became what it is
}

// Identifier is a Bucket that knows the identity of objects without reading
// them. See Identify.
type Identifier interface {
	Identify(ctx context.Context, name string) (Identity, error)
}

// Identify returns the identity of an object. The error matches
// errors.ErrUnsupported if b knows none, fs.ErrNotExist if there is no object.
func Identify(ctx context.Context, b Bucket, name string) (Identity, error) {
	if i, ok := b.(Identifier); ok {
		return i.Identify(ctx, name)
	}
	return Identity{}, fmt.Errorf("identify %s: %w", name, errors.ErrUnsupported)
}

// Identify implements Identifier.
func (l *Local) Identify(ctx context.Context, name string) (Identity, error) {
	path, err := l.path(ctx, "identify", name)
	if err != nil {
		return Identity{}, err
	}
	info, err := os.Stat(path)
	if missing(err) || err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "stat", Path: path, Err: fs.ErrNotExist}
	}
	if err != nil {
		return Identity{}, err
	}
	return identity(info), nil
}
