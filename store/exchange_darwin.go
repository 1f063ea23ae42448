package store

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// exchange exchanges two paths, where the file system can.
func exchange(a, b string) error {
	err := unix.RenamexNp(a, b, unix.RENAME_SWAP)
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EINVAL) {
		return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	return err
}
