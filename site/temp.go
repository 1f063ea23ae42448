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

// cacheDir is the folder, in that of temporary files, with what queries read of files in buckets, and cacheSize what it may have unless
// something else is set.
const (
	cacheDir  = "cache"
	cacheSize = 10 << 30
)

// SetCache sets the folder and the size of that cache; "" is one in the installation.
func (s *Site) SetCache(dir string, size int64, now func() time.Time) {
	if dir == "" {
		dir = filepath.Join(s.Temp, cacheDir)
	}
	s.Cache = fetch.New(dir, size, now)
}

// caching guards the caches of all sites.
var caching sync.Mutex

// CacheOf is the cache of what queries read of files in buckets.
func (s *Site) CacheOf(now func() time.Time) *fetch.Cache {
	caching.Lock()
	defer caching.Unlock()
	if s.Cache == nil {
		s.SetCache("", cacheSize, now)
	}
	return s.Cache
}

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
		if err != nil || e.Name() == filepath.Base(s.LockFiles.dir) || e.Name() == cacheDir || info.ModTime().After(before) {
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
