package site

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// TidyTemp removes temporary files, as of queries, that are older than a moment.
func (s *Site) TidyTemp(before time.Time) error {
	if s.Temp == "" {
		return nil
	}
	entries, err := os.ReadDir(s.Temp)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || e.Name() == filepath.Base(s.LockFiles.dir) || info.ModTime().After(before) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(s.Temp, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// ReadTemp is the folder of temporary files for a user who may only read: that of
// the system, "", where the installation has none to write in.
func (s *Site) ReadTemp() string {
	if info, err := os.Stat(s.Temp); err != nil || !info.IsDir() || !writable(s.Temp) {
		return ""
	}
	return s.Temp
}
