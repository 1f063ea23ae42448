package blob

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/pingmill/pingmill/store"
)

// ReadRange implements store.Ranger.
func (b *Bucket) ReadRange(ctx context.Context, name string, p []byte, off int64, content string) (now string, err error) {
	if err := b.start(ctx, "read", name); err != nil {
		return "", err
	}
	err = b.again(ctx, func() error {
		in, o, err := b.service.get(ctx, b.prefix+name, content, off, int64(len(p)))
		if err != nil {
			return err
		}
		defer in.Close()
		if err := o.versioned(); err != nil {
			return err
		}
		if now = o.version; content != "" && now != content {
			return errReplaced
		}
		if _, err = io.ReadFull(in, p); err != nil {
			return &broken{err}
		}
		return nil
	})
	if _, status := b.service.failure(err); status == 412 || errors.Is(err, errReplaced) {
		return "", fmt.Errorf("read %s: %w", b.path(name), store.ErrChanged)
	}
	if err != nil {
		return "", b.explain(ctx, "read", name, err)
	}
	return now, nil
}
