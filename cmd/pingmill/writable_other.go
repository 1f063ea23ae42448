//go:build !unix

package main

import "os"

// writable says whether this user may write in a folder, as far as can be told.
func writable(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.Mode().Perm()&0o200 != 0
}
