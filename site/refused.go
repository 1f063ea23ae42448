package site

import (
	"errors"
	"io/fs"

	"github.com/pingmill/pingmill/store/blob"
)

// IsRefused reports whether an error means that this process may not read a root, or has no credentials for it. An edge alone
// needs neither.
func IsRefused(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, blob.ErrNoCredentials)
}
