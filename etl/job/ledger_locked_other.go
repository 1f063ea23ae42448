//go:build !unix

package job

// lockWatch cannot find the writer of a database on this system, and assumes that there is none.
type lockWatch struct{}

func (*lockWatch) locked(string) (pid int, is bool, err error) { return 0, false, nil }
