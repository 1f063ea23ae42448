//go:build !linux && !darwin

package store

import "errors"

// exchange is not available on this system.
func exchange(a, b string) error { return errors.ErrUnsupported }
