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

	db      *sql.DB
	closers []io.Closer
	endings []func() error
	places  Roots
	remote  bool // some of the data is in buckets, which other servers may use
	reading bool // nothing is to be made or changed

	Dir  string // folder of what stays on this machine
	Temp string // folder of what queries put on the disk; that of the lock files is in it
}

// Open opens the installation with a data folder, which is made if it is
// missing: archive, lake, pipeline, restricted (readable by its owner only, like
// the deletion requests, which are in the archive's folder) are in it, unless At
// says otherwise, and the ledger.
func Open(ctx context.Context, dir string, p *schema.Probes, opts ...Option) (*Site, error) {
	existed, err := Exists(dir)
	if err != nil {
		return nil, err
	}
	s, err := newSite(ctx, dir, p, opts...)
	if err != nil {
		return nil, err
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

// Read opens the installation with a data folder to read it, as far as the
// user may: nothing is made or changed, and no lock taken.
func Read(ctx context.Context, dir string, p *schema.Probes, opts ...Option) (*Site, error) {
	s, err := newSite(ctx, dir, p, append(opts, reading)...)
	if err != nil {
		return nil, err
	}
	if err := s.readLedger(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func newSite(ctx context.Context, dir string, p *schema.Probes, opts ...Option) (*Site, error) {
	s := &Site{
		Data:      Data{Probes: p, Tables: schema.Tables(p), Roots: map[schema.Root]store.Bucket{}},
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

// AtClose has Close begin with something, while all is open.
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

// Exist says whether there is an installation with a data folder or with these
// roots: a server that is new begins with an empty data folder.
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

// Exists says whether a data folder holds an installation.
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
