package spool

import "os"

// makePipe makes a folder: this system has no pipes with a path.
func makePipe(path string) error { return os.Mkdir(path, 0o700) }
