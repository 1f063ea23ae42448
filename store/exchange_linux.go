package store

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// exchange exchanges two paths. File systems that cannot return EINVAL, kernels
// before 3.15 ENOSYS.
func exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	return err
}
