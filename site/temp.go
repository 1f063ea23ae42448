package site

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/pingmill/pingmill/lake/fetch"
)

// cacheDir is the folder, below the folder of temporary files, that caches what queries read of files in
// buckets; cacheSize is its default size in bytes.
const (
	cacheDir  = "cache"
	cacheSize = 10 << 30
)

// SetCache sets the folder and the size of that cache; "" means the folder in the installation.
func (s *Site) SetCache(dir string, size int64, now func() time.Time) {
	if dir == "" {
		dir = filepath.Join(s.Temp, cacheDir)
	}
	s.Cache = fetch.New(dir, size, now)
}

// caching guards the caches of all sites.
var caching sync.Mutex

// CacheOf returns the cache of the parts of files in buckets that queries read.
func (s *Site) CacheOf(now func() time.Time) *fetch.Cache {
	caching.Lock()
	defer caching.Unlock()
	if s.Cache == nil {
		s.SetCache("", cacheSize, now)
	}
	return s.Cache
}

// TidyTemp removes temporary files, as of queries, that are older than before.
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
		if err != nil || e.Name() == filepath.Base(s.LockFiles.dir) || e.Name() == cacheDir || info.ModTime().After(before) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(s.Temp, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// ReadTemp returns the folder of temporary files of a reading user: "", the system's folder, if the user cannot write
// to the installation's.
func (s *Site) ReadTemp() string {
	if info, err := os.Stat(s.Temp); err != nil || !info.IsDir() || !writable(s.Temp) {
		return ""
	}
	return s.Temp
}
