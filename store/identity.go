package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Identify implements Bucket; memory knows no identities.
func (m *Memory) Identify(_ context.Context, name string) (Identity, error) {
	return Identity{}, fmt.Errorf("identify %s: %w", name, errors.ErrUnsupported)
}

// Identify implements Bucket.
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
