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
	bad      os.FileInfo // of a file whose content was of no use, or nil
	reported string      // why the file could not be read, as was said last
}

// errChanging says that a file changed while it was read.
var errChanging = errors.New("it changes while it is read")

// open reads the file for the first time.
func (w *watched) open() ([]byte, error) {
	data, info, err := readWhole(w.path)
	w.good = info
	return data, err
}

// reload reads the file when it is not the one in use, and gives its content to
// use. It says only once why that failed.
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

// once returns an error that was not said before.
func (w *watched) once(err error) error {
	if err.Error() == w.reported {
		return nil
	}
	w.reported = err.Error()
	return err
}

// readWhole reads a file. It has to be the same before and after, also by its
// name.
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

// sameFile reports whether two descriptions are of the same unchanged file.
func sameFile(a, b os.FileInfo) bool {
	return a != nil && b != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
