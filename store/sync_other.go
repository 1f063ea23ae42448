//go:build !unix

package store

// syncDir does nothing: this system cannot sync directories.
func syncDir(string) error { return nil }
