package site

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the ledger's driver

	"github.com/pingmill/pingmill/forget"
	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// Site is one installation: where pings and tables are kept, and the tables'
// definitions.
type Site struct {
	Data
	LockFiles

	Ledger *job.Ledger

	// Keep says how long data is kept. What it says of tables is considered when
	// partitions are planned; nothing is removed but by Retain.
	Keep Retention
	// Forgotten are the clients that have asked to be forgotten.
	Forgotten *forget.Registry

	// Notes are things that are unusual about the installation but prevent no work.
	Notes []string

	db   *sql.DB
	Dir  string
	Temp string // folder of what queries put on the disk; that of the lock files is in it
}

// Open opens the installation in a local folder, which is made if it is
// missing: archive, lake, pipeline, restricted (readable by its owner only, like
// the deletion requests, which are in the archive's folder) and the ledger.
func Open(ctx context.Context, dir string, p *schema.Probes) (*Site, error) {
	existed, err := Exists(dir)
	if err != nil {
		return nil, err
	}
	s, err := newSite(dir, p)
	if err != nil {
		return nil, err
	}
	if err := s.openLedger(ctx, existed); err != nil {
		return nil, err
	}
	if err := s.Forgotten.Mirror(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Read opens the installation in a local folder to read it, as far as the
// user may: nothing is made or changed, and no lock taken.
func Read(ctx context.Context, dir string, p *schema.Probes) (*Site, error) {
	s, err := newSite(dir, p, store.AsIs())
	if err != nil {
		return nil, err
	}
	if err := s.readLedger(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

func newSite(dir string, p *schema.Probes, opts ...store.Option) (*Site, error) {
	s := &Site{
		Data:      Data{Probes: p, Tables: schema.Tables(p), Roots: map[schema.Root]store.Bucket{}},
		LockFiles: LockFiles{filepath.Join(dir, "tmp", "locks")},
		Dir:       dir, Temp: filepath.Join(dir, "tmp"),
	}
	private := append([]store.Option{store.Private()}, opts...)
	for _, root := range []schema.Root{schema.StorageRoot, schema.PipelineRoot, schema.RestrictedRoot} {
		of := opts
		if root == schema.RestrictedRoot {
			of = private
		}
		b, err := store.OpenLocal(filepath.Join(dir, root.Folder()), of...)
		if err != nil {
			return nil, err
		}
		s.Roots[root] = b
	}
	archive, err := store.OpenLocal(filepath.Join(dir, "archive"), opts...)
	if err != nil {
		return nil, err
	}
	s.Archive = archive
	requests, err := store.OpenLocal(filepath.Join(dir, "archive", "forget"), private...)
	if err != nil {
		return nil, err
	}
	hashes, err := store.OpenLocal(filepath.Join(dir, "archive", "forgotten"), opts...)
	if err != nil {
		return nil, err
	}
	s.Forgotten = forget.Open(requests).MirroredIn(hashes)
	return s, nil
}

// Close releases the ledger.
func (s *Site) Close() error {
	if s.db == nil {
		return nil
	}
	return s.db.Close()
}

// Exists says whether dir holds an installation.
func Exists(dir string) (bool, error) {
	for _, name := range []string{"archive", ledgerName} {
		switch _, err := os.Stat(filepath.Join(dir, name)); {
		case err == nil:
			return true, nil
		case !errors.Is(err, fs.ErrNotExist):
			return false, fmt.Errorf("open installation %s: %w", dir, err)
		}
	}
	return false, nil
}

// OneLine makes one line of the text of errors that were joined.
func OneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' }), "; ")
}
