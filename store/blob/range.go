package blob

import (
	"context"
	"errors"
	"fmt"
	"io"

	cloud "gocloud.dev/blob"

	"github.com/pingmill/pingmill/store"
)

// ReadRange implements store.Ranger.
func (b *Bucket) ReadRange(ctx context.Context, name string, p []byte, off int64, content string) (now string, err error) {
	if err := b.start(ctx, "read", name); err != nil {
		return "", err
	}
	err = b.again(ctx, func() error {
		var o *cloud.ReaderOptions
		if content != "" {
			o = b.service.reading(content)
		}
		in, err := b.cloud.NewRangeReader(ctx, b.prefix+name, off, int64(len(p)), o)
		if err != nil {
			return err
		}
		defer in.Close()
		if now = b.service.version(in.As); content != "" && now != content {
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
