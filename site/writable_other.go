//go:build !unix

package site

import "os"

// writable reports whether this user may write in a folder, as far as the system shows it.
func writable(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.Mode().Perm()&0o200 != 0
}
