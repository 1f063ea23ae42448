//go:build !unix

package job

// locked cannot tell here, and takes it that nobody writes.
func locked(string) (pid int, is bool, err error) { return 0, false, nil }
