package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/store"
)

// ErrReplaced marks a file that another load has taken the place of.
var ErrReplaced = errors.New("replaced by another load already")

// Replace makes the load replace a data file of an earlier load, of pings or of rejected submissions. Readers
// see the old file until the load is committed, and the load's files from then on, never both or neither. The
// old file is deleted afterwards; the record of its load remains.
//
// The name must come from Day.Names or Errors.Names. Close refuses other names, files that were replaced
// already (ErrReplaced), and names of loads that do not begin with "re-" or are for files of another day (see
// RewriteName). Writers that may replace the same files must have the same Owner.
func (w *Writer) Replace(name string) { w.replaces = append(w.replaces, name) }

// checkReplaces reports whether the load may replace what it wants to.
func (w *Writer) checkReplaces(ctx context.Context, load string) error {
	slices.Sort(w.replaces)
	w.replaces = slices.Compact(w.replaces)
	scope := scopeOf(load)
	for _, name := range w.replaces {
		if !strings.HasPrefix(name, scope) {
			return fmt.Errorf("replace %s: the name of load %s is for files of %s", name, load, scope)
		}
	}
	if err := Unreplaced(ctx, w.stage.bucket, w.replaces); err != nil {
		return err
	}
	known, seen := map[string]bool{}, map[string]bool{}
	for _, name := range w.replaces {
		id, ok := naming.LoadOf(name)
		if ok && !seen[id] && naming.CheckLoad(id) == nil {
			seen[id] = true
			l, found, err := Loaded(ctx, w.stage.bucket, id)
			if err != nil {
				return err
			}
			for i := 0; found && i < len(l.Files); i++ {
				known[l.Files[i].Name] = true
			}
		}
		if !known[name] {
			return fmt.Errorf("replace %s: no load has that file", name)
		}
	}
	return nil
}

// Unreplaced returns an error that matches ErrReplaced if another load has replaced one of the files.
func Unreplaced(ctx context.Context, b store.Bucket, names []string) error {
	if len(names) == 0 {
		return nil
	}
	records, err := replacing(ctx, b, foldersOf(names)...)
	if err != nil {
		return err
	}
	replaced, err := replacedBy(ctx, b, records)
	if err != nil {
		return err
	}
	for _, name := range names {
		if replaced[name] {
			return fmt.Errorf("replace %s: %w", name, ErrReplaced)
		}
	}
	return nil
}

// checkName refuses the names of replacing loads to others and the other way
// round.
func (w *Writer) checkName(load string) error {
	if err := naming.CheckLoad(load); err != nil {
		return err
	}
	switch prefixed := strings.HasPrefix(load, naming.Replacing); {
	case prefixed && len(w.replaces) == 0:
		return fmt.Errorf("bad load name %q: %q begins those of loads that replace files", load, naming.Replacing)
	case !prefixed && len(w.replaces) > 0:
		return fmt.Errorf("bad load name %q: a load that replaces files needs one that begins with %q", load, naming.Replacing)
	}
	return nil
}

// replacing lists the records of the loads that may replace files below some
// folders, which end with a slash. None comes back: two equal lists mean that
// none was committed in between.
func replacing(ctx context.Context, b store.Bucket, dirs ...string) (records []string, err error) {
	for e, err := range b.List(ctx, naming.Loads+"/"+naming.Replacing) {
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(e.Name, ".json") && concerns(e.Name, dirs) {
			records = append(records, e.Name)
		}
	}
	return records, nil
}

// replacedBy returns the files that loads have taken the place of.
func replacedBy(ctx context.Context, b store.Bucket, records []string) (map[string]bool, error) {
	files := map[string]bool{}
	for _, name := range records {
		l, err := readLoad(ctx, b, name)
		if err != nil {
			return nil, err
		}
		for _, f := range l.Replaces {
			files[f] = true
		}
	}
	return files, nil
}

// Replacements returns the records of the loads that replace files, by name.
func Replacements(ctx context.Context, b store.Bucket) ([]*Load, error) {
	records, err := replacing(ctx, b, "")
	if err != nil {
		return nil, fmt.Errorf("list replacing loads: %w", err)
	}
	var all []*Load
	for _, name := range records {
		l, err := readLoad(ctx, b, name)
		if err != nil {
			return nil, fmt.Errorf("list replacing loads: %w", err)
		}
		all = append(all, l)
	}
	return all, nil
}

// deleteReplaced deletes the files that a committed load has taken the place
// of. Done twice it changes nothing.
func deleteReplaced(ctx context.Context, b store.Bucket, l *Load) error {
	failed := deletePrepared(ctx, b, l.Replaces)
	for _, name := range l.Replaces {
		if err := b.Delete(ctx, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, fmt.Errorf("delete replaced file: %w", err))
		}
	}
	return failed
}

// finishOthers deletes what committed loads of other owners have replaced and
// could not delete any more. Whatever else their stages hold is theirs; so is
// a record that cannot be read.
func finishOthers(ctx context.Context, b store.Bucket, owner string) error {
	for o, err := range store.Children(ctx, b, naming.Staging) {
		if err != nil {
			return fmt.Errorf("list %s: %w", naming.Staging, err)
		}
		name, isDir := strings.CutSuffix(o.Name, "/")
		if !isDir || name == naming.Staging+"/"+owner {
			continue
		}
		for e, err := range store.Children(ctx, b, name) {
			if err != nil {
				return fmt.Errorf("list %s: %w", name, err)
			}
			l, err := readLoad(ctx, b, e.Name+stageRecord)
			if err != nil || len(l.Replaces) == 0 {
				continue
			}
			if _, done, err := Loaded(ctx, b, l.ID); err != nil || !done {
				continue
			}
			_ = deleteReplaced(ctx, b, l) // its owner will have to, and say why it cannot
		}
	}
	return nil
}
