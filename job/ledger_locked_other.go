//go:build !unix

package job

// lockWatch cannot tell here who writes a database, and takes it that nobody does.
type lockWatch struct{}

func (*lockWatch) locked(string) (pid int, is bool, err error) { return 0, false, nil }
