// Package folder keeps dashboards and their saved queries in a folder of files, for version control. A change of one side is
// copied to the other. A change of both sides is a conflict, which is reported and left to people.
package folder

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/dashboard"
	"github.com/pingmill/pingmill/sql/dashboard/files"
	"github.com/pingmill/pingmill/sql/saved"
)

// Accounts finds accounts by id or name.
type Accounts interface {
	Account(ctx context.Context, idOrName string) (*access.Account, error)
}

// Folder is a folder of files with the dashboards of a store.
type Folder struct {
	Dir      string
	Boards   *dashboard.Store
	Accounts Accounts
	Log      *slog.Logger // may be nil

	mu        sync.Mutex
	conflicts []files.Problem
}

// Done is what Sync did, and what it did not.
type Done struct {
	Read, Written, Removed []string        // paths of files
	Conflicts              []files.Problem // files that cannot be read, and those that changed on both sides
}

// side is one side of a file: its text, "" if there is none.
type side struct {
	text     string
	exists   bool
	revision int // of what is stored
}

// Sync compares all files with what is stored, and copies what changed on one side. Files of queries come first, as dashboards
// name them.
func (f *Folder) Sync(ctx context.Context) (done Done, err error) {
	all, problems, err := Read(f.Dir)
	if err != nil {
		return done, err
	}
	done.Conflicts = problems
	states, err := f.Boards.FileStates(ctx)
	if err != nil {
		return done, err
	}
	stored, err := f.stored(ctx, slices.Concat(slices.Collect(maps.Keys(all)), slices.Collect(maps.Keys(states))))
	if err != nil {
		return done, err
	}
	paths := map[string]bool{}
	for _, m := range []map[string]side{all, stored} {
		for path := range m {
			paths[path] = true
		}
	}
	for path := range states {
		paths[path] = true
	}
	for _, p := range problems { // an unreadable file is not a missing one
		delete(paths, p.Path)
	}
	for _, path := range slices.Backward(slices.Sorted(maps.Keys(paths))) { // queries/ before dashboards/
		var state *dashboard.FileState
		if s, known := states[path]; known {
			state = &s
		}
		if err := f.one(ctx, path, all[path], stored[path], state, &done); err != nil {
			return done, fmt.Errorf("file of dashboards %s: %w", path, err)
		}
	}
	f.report(done.Conflicts)
	return done, nil
}

// one does what is to do with a file.
func (f *Folder) one(ctx context.Context, path string, file, stored side, state *dashboard.FileState, done *Done) (err error) {
	revision := stored.revision
	act, why := decide(file, stored, state)
	switch act {
	case nothing:
		return nil
	case conflict:
		done.Conflicts = append(done.Conflicts, files.Problem{Path: path, Message: why})
		return nil
	case forget:
		return f.Boards.SetFileState(ctx, path, nil)
	case remove:
		if err := os.Remove(f.file(path)); err != nil {
			return err
		}
		done.Removed = append(done.Removed, path)
		return f.Boards.SetFileState(ctx, path, nil)
	case load:
		if revision, err = f.load(ctx, path, file.text); err != nil {
			done.Conflicts = append(done.Conflicts, files.Problem{Path: path, Message: err.Error()})
			return nil
		}
		done.Read = append(done.Read, path)
	case write:
		if err := Write(f.file(path), stored.text); err != nil {
			return err
		}
		file.text = stored.text
		done.Written = append(done.Written, path)
	}
	return f.Boards.SetFileState(ctx, path, &dashboard.FileState{Revision: revision, Hash: hash(file.text)})
}

func (f *Folder) file(path string) string { return filepath.Join(f.Dir, filepath.FromSlash(path)) }

// load stores a file, and returns the revision.
func (f *Folder) load(ctx context.Context, path, text string) (revision int, err error) {
	id, isDashboard, _ := files.ID(path)
	if isDashboard {
		d, err := files.ReadDashboard(text)
		if err != nil {
			return 0, err
		}
		owner, err := f.ownerID(ctx, d.Owner)
		if err != nil {
			return 0, err
		}
		put, err := f.Boards.Put(ctx, id, owner, d.Doc)
		if err != nil {
			return 0, err
		}
		return put.Revision, nil
	}
	q, err := files.ReadQuery(text)
	if err != nil {
		return 0, err
	}
	owner, err := f.ownerID(ctx, q.Owner)
	if err != nil {
		return 0, err
	}
	put, err := f.Boards.Queries.Put(ctx, id, owner, q.Doc)
	if err != nil {
		return 0, err
	}
	return put.Revision, nil
}

// ownerID returns the id of an owner, "" for no name and for a name without an account.
func (f *Folder) ownerID(ctx context.Context, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	a, err := f.Accounts.Account(ctx, name)
	if errors.Is(err, access.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return a.ID, nil
}

func (f *Folder) ownerName(ctx context.Context, id string) (string, error) {
	if id == "" {
		return "", nil
	}
	a, err := f.Accounts.Account(ctx, id)
	if errors.Is(err, access.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return a.Name, nil
}

// stored returns what the store has, as files: all dashboards of people, the queries that they use, and the queries of the given
// paths.
func (f *Folder) stored(ctx context.Context, paths []string) (map[string]side, error) {
	boards, err := f.Boards.All(ctx)
	if err != nil {
		return nil, err
	}
	all, queries := map[string]side{}, map[string]bool{}
	for _, path := range paths {
		if id, isDashboard, ok := files.ID(path); ok && !isDashboard {
			queries[id] = true
		}
	}
	for _, d := range boards {
		owner, err := f.ownerName(ctx, d.Owner)
		if err != nil {
			return nil, err
		}
		text, err := (&files.Dashboard{ID: d.ID, Owner: owner, Doc: d.Doc}).Text()
		if err != nil {
			return nil, err
		}
		all[files.DashboardPath(d.ID)] = side{text, true, d.Revision}
		for _, id := range d.UsedQueries() {
			queries[id] = true
		}
	}
	for id := range queries {
		q, err := f.Boards.Queries.Read(ctx, id)
		if errors.Is(err, saved.ErrNotFound) || err == nil && q.Builtin {
			continue
		}
		if err != nil {
			return nil, err
		}
		owner, err := f.ownerName(ctx, q.Owner)
		if err != nil {
			return nil, err
		}
		text, err := (&files.Query{ID: id, Owner: owner, Doc: q.Doc}).Text()
		if err != nil {
			return nil, err
		}
		all[files.QueryPath(id)] = side{text, true, q.Revision}
	}
	return all, nil
}

// report logs conflicts that are new.
func (f *Folder) report(conflicts []files.Problem) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range conflicts {
		if f.Log != nil && !slices.Contains(f.conflicts, c) {
			f.Log.Warn("a file of dashboards was not taken", "file", c.Path, "reason", c.Message)
		}
	}
	f.conflicts = conflicts
}

// Conflicts returns the conflicts of the last Sync.
func (f *Folder) Conflicts() []files.Problem {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.conflicts)
}

// Run keeps folder and store equal until ctx ends. wait waits for a time, or until ctx ends.
func (f *Folder) Run(ctx context.Context, interval time.Duration, wait func(context.Context, time.Duration) error) error {
	for {
		if _, err := f.Sync(ctx); err != nil && ctx.Err() == nil && f.Log != nil {
			f.Log.Warn("the folder of dashboards could not be compared", "error", err)
		}
		if wait(ctx, interval) != nil {
			return nil //nolint:nilerr // it ended
		}
	}
}
