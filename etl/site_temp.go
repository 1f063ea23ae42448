package etl

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// tidyTemp removes temporary files, as of queries, that are older than a moment.
func (s *Site) tidyTemp(before time.Time) error {
	if s.temp == "" {
		return nil
	}
	entries, err := os.ReadDir(s.temp)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || e.Name() == filepath.Base(s.locks) || info.ModTime().After(before) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(s.temp, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
