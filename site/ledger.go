package site

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/pingmill/pingmill/etl/job"
)

const (
	ledgerName = "ledger.db"
	// asideName is the new name of an unusable ledger, followed by a number.
	asideName = ledgerName + ".damaged-"
	// suspectEnd ends the name of a file that marks the ledger as damaged, as found by a run: in a large ledger
	// damage is not always detected when it is opened.
	suspectEnd = ".suspect"
)

// openLedger opens the ledger to write it. A lost or damaged ledger is replaced by a new one. The damaged file stays
// beside it.
func (s *Site) openLedger(ctx context.Context, existed bool) (err error) {
	path := filepath.Join(s.Dir, ledgerName)
	lost := existed && lostFile(path)
	if err := s.tryLedger(ctx, path); err == nil {
		if lost {
			s.note("the ledger %s was lost: a new one is begun, without the history of past runs", path)
		}
		return nil
	} else if !errors.Is(err, job.ErrDamaged) {
		return err
	}
	lock, err := s.WaitLock(ctx, "ledger")
	if err != nil {
		return fmt.Errorf("begin a new ledger: %w", err)
	}
	defer lock.Close()
	err = s.tryLedger(ctx, path)
	if !errors.Is(err, job.ErrDamaged) {
		return err // another process has begun a new one
	}
	aside := filepath.Join(s.Dir, asideName+strconv.Itoa(len(s.asides())+1))
	s.note("%s; a new one is begun, without the history of past runs, and this one kept as %s", OneLine(err.Error()), aside)
	for _, end := range []string{"-wal", "-shm", ""} {
		if err := os.Rename(path+end, aside+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("keep the damaged ledger aside: %w", err)
		}
	}
	return s.tryLedger(ctx, path)
}

// Suspect handles a run's error because of a damaged ledger: the next command then checks the whole ledger, and
// begins a new one if it is damaged.
func (s *Site) Suspect(err error) error {
	if !job.IsDamage(err) {
		return err
	}
	path := filepath.Join(s.Dir, ledgerName)
	if noteErr := os.WriteFile(path+suspectEnd, nil, 0o644); noteErr != nil {
		return errors.Join(err, noteErr)
	}
	return errors.Join(err, fmt.Errorf("the ledger %s is damaged: give the command again, which begins a new one", path))
}

// lostFile reports whether a file is missing or empty.
func lostFile(path string) bool {
	info, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0
}

func (s *Site) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// tryLedger opens the ledger as it is, and makes one where there is none.
func (s *Site) tryLedger(ctx context.Context, path string) error {
	// SQLite's error lacks the reason why it cannot open a file.
	f, err := openRegular(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return fmt.Errorf("open ledger %s: %w", path, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("open ledger %s: %w", path, err)
	}
	db, err := sql.Open("sqlite", job.DSN(path))
	if err != nil {
		return fmt.Errorf("open ledger %s: %w", path, err)
	}
	open := job.OpenLedger
	if _, err := os.Stat(path + suspectEnd); err == nil {
		open = job.OpenSuspect
	}
	l, err := open(ctx, db)
	if err != nil {
		_ = db.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	s.db, s.Ledger = db, l
	_ = os.Remove(path + suspectEnd) // else the next looks once more
	return nil
}

// openRegular opens a file. A folder, a FIFO, at which opening would wait, or a
// link that leads to itself is a damaged ledger.
func openRegular(path string, flags int) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() || errors.Is(err, syscall.ELOOP) {
		return nil, fmt.Errorf("%w: %s is no file", job.ErrDamaged, path)
	}
	return os.OpenFile(path, flags, 0o644)
}

// readTries is the number of attempts to read a ledger before it counts as damaged: a ledger that another
// process is closing looks damaged, too.
const readTries = 3

// readLedger opens the ledger for reading. Without a ledger nothing is known of past runs.
func (s *Site) readLedger(ctx context.Context) error {
	path := filepath.Join(s.Dir, ledgerName)
	s.Ledger = job.NoLedger()
	if lostFile(path) {
		s.note("the ledger %s is lost: nothing is known of past runs; the next run begins a new one", path)
		return nil
	}
	f, err := openRegular(path, os.O_RDONLY)
	if err != nil {
		s.note("the history of runs cannot be read: %v", err)
		return nil
	}
	_ = f.Close() // nothing was written
	for try := 1; ; try++ {
		db, err := sql.Open("sqlite", job.ReadDSN(path))
		if err != nil {
			return fmt.Errorf("read ledger %s: %w", path, err)
		}
		l, err := job.ReadLedger(ctx, db, path)
		if err == nil {
			s.db, s.Ledger = db, l
			return nil
		}
		_ = db.Close()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if try == readTries {
			s.note("%s (%s): nothing is known of past runs; the next run keeps it aside and begins a new one", OneLine(err.Error()), path)
			return nil
		}
	}
}

// AllNotes returns the present Notes of the installation, with a note about damaged ledgers.
func (s *Site) AllNotes() []string {
	notes := slices.Clone(s.Notes)
	if files := s.asides(); len(files) > 0 {
		notes = append(notes, fmt.Sprintf("damaged ledgers were kept aside, nothing needs them: %s", strings.Join(files, ", ")))
	}
	return notes
}

// asides returns the damaged ledgers that were set aside.
func (s *Site) asides() (files []string) {
	entries, _ := os.ReadDir(s.Dir) // a folder that cannot be listed has none to report
	for _, e := range entries {
		if number, is := strings.CutPrefix(e.Name(), asideName); is && !strings.Contains(number, "-") {
			files = append(files, filepath.Join(s.Dir, e.Name()))
		}
	}
	return files
}
