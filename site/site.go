package site

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the ledger's driver

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// Site is one installation: the places of pings and tables, and the tables' definitions.
type Site struct {
	Data
	LockFiles

	Ledger *job.Ledger

	// Keep is the retention of data. Planning of partitions takes the retention of tables into account; only
	// Retain removes data.
	Keep Retention
	// Forgotten holds the clients that have asked to be forgotten.
	Forgotten *forget.Registry

	// DoubleLiterals makes numbers with a point doubles in queries in Presto's SQL.
	DoubleLiterals bool

	// Notes lists unusual states of the installation that do not prevent work.
	Notes []string

	db      *sql.DB
	closers []io.Closer
	endings []func() error
	places  Roots
	remote  bool // some of the data is in buckets, which other servers may use
	reading bool // nothing is to be made or changed

	Dir  string // folder of this machine's files
	Temp string // folder of queries' temporary files; that of the lock files is in it
}

// Open opens the installation with a data folder, which is created if it is missing. The folder has archive,
// lake, pipeline and restricted, unless At sets other places, and the ledger. Only its owner can read
// restricted and the deletion requests in the archive's folder.
func Open(ctx context.Context, dir string, set *schema.Set, opts ...Option) (*Site, error) {
	existed, err := Exists(dir)
	if err != nil {
		return nil, err
	}
	s, err := newSite(ctx, dir, set, opts...)
	if err != nil {
		return nil, err
	}
	if err := s.MayWrite(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.openLedger(ctx, existed); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	err = s.Forgotten.Mirror(ctx)
	if damaged := (*store.StateError)(nil); errors.As(err, &damaged) {
		s.note("%s: queries and decoding wait for it", OneLine(err.Error())) // the edge does not
		err = nil
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Read opens the installation with a data folder for reading, as far as the user's permissions allow. It
// creates and changes nothing and takes no lock.
func Read(ctx context.Context, dir string, set *schema.Set, opts ...Option) (*Site, error) {
	s, err := newSite(ctx, dir, set, append(opts, reading)...)
	if err != nil {
		return nil, err
	}
	if err := s.mayRead(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.readLedger(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func newSite(ctx context.Context, dir string, set *schema.Set, opts ...Option) (*Site, error) {
	s := &Site{
		Data:      Data{Set: *set, Roots: map[schema.Root]store.Bucket{}},
		LockFiles: LockFiles{filepath.Join(dir, "tmp", "locks")},
		Dir:       dir, Temp: filepath.Join(dir, "tmp"),
	}
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	s.remote, s.reading, s.places = o.roots.Remote(), o.reading, o.roots.in(dir)
	if err := o.roots.Check(dir); err != nil {
		return nil, err
	}
	if err := s.openBuckets(ctx, &o); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// AtClose registers a function that Close calls first, while everything is open.
func (s *Site) AtClose(end func() error) { s.endings = append(s.endings, end) }

// Close releases the ledger and the buckets.
func (s *Site) Close() error {
	var all []error
	for _, end := range s.endings {
		all = append(all, end())
	}
	if s.db != nil {
		all = append(all, s.db.Close())
	}
	for _, c := range s.closers {
		all = append(all, c.Close())
	}
	return errors.Join(all...)
}

// Exist reports whether there is an installation with a data folder or with these roots: a new server begins
// with an empty data folder.
func (r Roots) Exist(ctx context.Context, dir string) (is bool, err error) {
	if is, err := Exists(dir); is || err != nil || r.Archive == "" {
		return is, err
	}
	p := place{root: r.Archive}
	if err := p.open(ctx, true); err != nil {
		return false, err
	}
	if c, ok := p.bucket.(io.Closer); ok {
		defer func() { err = errors.Join(err, c.Close()) }()
	}
	for _, err := range p.bucket.List(ctx, "") {
		return err == nil, err
	}
	return false, nil
}

// Exists reports whether a data folder holds an installation.
func Exists(dir string) (bool, error) {
	for _, name := range []string{archiveFolder, ledgerName} {
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
