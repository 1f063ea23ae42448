//go:build unix

package site

import "golang.org/x/sys/unix"

// writable reports whether this user may write in a folder.
func writable(dir string) bool { return unix.Access(dir, unix.W_OK) == nil }
