package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// DamageError describes a file or record of the archive that is missing or has changed since it was written.
// The rest of a damaged day must not be used as if it were the whole day.
type DamageError struct {
	Name    string // the object
	Load    string // it belongs to
	Kind    Kind
	Day     ping.Day     // "" when not known
	DocType ping.DocType // of a file of pings
	Reason  string       // such as "is missing"
	Mend    string       // what to do

	// File is the file as its load wrote it; nil if the load's record is damaged.
	File *LoadFile
}

// Error implements error.
func (e *DamageError) Error() string {
	text := "damaged: " + e.Name + " " + e.Reason
	if e.Mend != "" {
		text += ": " + e.Mend
	}
	return text
}

// IsDamage reports whether an error is about damage.
func IsDamage(err error) bool {
	var damage *DamageError
	return errors.As(err, &damage)
}

// damagedFile returns the damage of a file that a load has written.
func damagedFile(f *LoadFile, load, reason string) *DamageError {
	k := KindPings
	if f.Kind == rowfile.Rejected.Name() {
		k = KindErrors
	}
	file := *f
	return &DamageError{
		Name: f.Name, Load: load, Kind: k, Day: ping.Day(f.Day), DocType: ping.DocType(f.DocType), Reason: reason, File: &file,
		Mend: "restore it from a backup, or give it up: pingmill archive drop " + path.Base(f.Name),
	}
}

// damagedRecord returns the damage of a load's record.
func damagedRecord(load string, at partition, reason string) *DamageError {
	k := KindPings
	if at.kind == rowfile.Rejected {
		k = KindErrors
	}
	return &DamageError{
		Name: naming.Record(load), Load: load, Kind: k, Day: at.day, DocType: at.docType, Reason: reason,
		Mend: "restore it from a backup, or rebuild it from its files: pingmill archive rebuild " + load,
	}
}

// unreadable is the error of reading a file: damage, unless the file is missing, which may be right, or the disk or the
// context has failed.
func (f *dayFile) unreadable(err error) error {
	var disk *fs.PathError
	if errors.As(err, &disk) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("read archive file %s: %w", f.Name, err)
	}
	load, _ := naming.LoadOf(f.Name)
	return damagedFile(&f.LoadFile, load, "cannot be read ("+err.Error()+")")
}

// joinDamage makes one error of all damage, nil of none.
func joinDamage(all []*DamageError) error {
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return &moreDamage{all[0], len(all) - 1}
}

// moreDamage is the first of several.
type moreDamage struct {
	*DamageError

	more int
}

func (e *moreDamage) Error() string {
	return fmt.Sprintf("%s (and %d more)", e.DamageError.Error(), e.more)
}
func (e *moreDamage) Unwrap() error { return e.DamageError }

// damageBelow lists the damage of the files in some folders, sorted by day and name. It
// looks at names and sizes, not into files.
func damageBelow(ctx context.Context, b store.Bucket, folders []string) (all []*DamageError, err error) {
	for _, folder := range folders {
		l, err := listFiles(ctx, b, folder)
		if err != nil {
			return nil, err
		}
		all = append(all, l.damage...)
	}
	slices.SortStableFunc(all, func(x, y *DamageError) int {
		return cmp.Or(strings.Compare(string(x.Day), string(y.Day)), strings.Compare(x.Name, y.Name))
	})
	return slices.CompactFunc(all, func(x, y *DamageError) bool { return x.Name == y.Name && x.Day == y.Day && x.Kind == y.Kind }), nil
}
