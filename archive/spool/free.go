package spool

// FreeSpace is how many bytes are free on the disk of a folder.
func FreeSpace(dir string) (int64, error) { return freeSpace(dir) }
