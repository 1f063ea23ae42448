package ingest

import (
	"errors"
	"io"
	"os"
)

// watched is a file that is read again when it changes.
type watched struct {
	path     string      // empty: there is none
	good     os.FileInfo // of the file whose content is in use
	bad      os.FileInfo // of the last file whose content was invalid, or nil
	reported string      // the last returned error about reading the file
}

// errChanging means the file changed while it was read.
var errChanging = errors.New("it changes while it is read")

// open reads the file for the first time.
func (w *watched) open() ([]byte, error) {
	data, info, err := readWhole(w.path)
	w.good = info
	return data, err
}

// reload reads the file if it is not the one in use, and passes its content to use. It returns the same error
// only once.
func (w *watched) reload(use func([]byte) error) (changed bool, err error) {
	if w.path == "" {
		return false, nil
	}
	info, err := os.Stat(w.path)
	if err != nil {
		return false, w.once(err)
	}
	if sameFile(info, w.good) || sameFile(info, w.bad) {
		w.reported = ""
		return false, nil
	}
	data, info, err := readWhole(w.path)
	if errors.Is(err, errChanging) {
		return false, nil
	}
	if err != nil {
		return false, w.once(err)
	}
	w.reported = ""
	if err := use(data); err != nil {
		w.bad = info
		return false, err
	}
	w.good, w.bad = info, nil
	return true, nil
}

// once returns an error unless it was the last one returned.
func (w *watched) once(err error) error {
	if err.Error() == w.reported {
		return nil
	}
	w.reported = err.Error()
	return err
}

// readWhole reads a file. It returns errChanging if the file, or the file at that path, is different
// afterwards.
func readWhole(path string) ([]byte, os.FileInfo, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, nil, err
	}
	after, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !sameFile(before, after) || after.Mode().IsRegular() && int64(len(data)) != after.Size() {
		return nil, nil, errChanging
	}
	return data, after, nil
}

// sameFile reports whether a and b describe the same unchanged file.
func sameFile(a, b os.FileInfo) bool {
	return a != nil && b != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
