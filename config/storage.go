package config

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/pingmill/pingmill/site"
)

// Storage is the place of an installation that a command reads or changes.
type Storage struct {
	url   string
	roots site.Roots

	cache    int64
	cacheDir string
}

// Add adds the flags.
func (s *Storage) Add(fs *pflag.FlagSet) {
	Flag(fs, "storage.url", &s.url)
	Flag(fs, "storage.archive", &s.roots.Archive)
	Flag(fs, "storage.lake", &s.roots.Lake)
	Flag(fs, "storage.pipeline", &s.roots.Pipeline)
	Flag(fs, "storage.restricted", &s.roots.Restricted)
	Flag(fs, "query.cache", &s.cache)
	Flag(fs, "query.cache-dir", &s.cacheDir)
}

// Roots returns the roots that the flags define together.
func (s *Storage) Roots() (site.Roots, error) { return s.roots.Below(s.url) }

// SetCache sets the cache for the parts of files in buckets that queries of the installation read.
func (s *Storage) SetCache(to *site.Site, now func() time.Time) {
	to.SetCache(s.cacheDir, s.cache, now)
}

var storageKeys = []string{"data", "storage.url", "storage.archive", "storage.lake", "storage.pipeline", "storage.restricted"}

// checkStorage finds roots that cannot be meant together.
func checkStorage(v *Values) error {
	s := Storage{url: v.text("storage.url"), roots: site.Roots{
		Archive: v.text("storage.archive"), Lake: v.text("storage.lake"),
		Pipeline: v.text("storage.pipeline"), Restricted: v.text("storage.restricted"),
	}}
	roots, err := s.Roots()
	if err != nil {
		return err
	}
	return roots.Check(v.text("data"))
}
