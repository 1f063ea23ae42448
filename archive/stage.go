package archive

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/store"
)

// stage is the directory of one unfinished writer: _staging/OWNER/TOKEN. Its files are 000001.parquet and so on;
// load.json, if it exists, means that all of them are complete, and has their names.
type stage struct {
	bucket store.Bucket
	dir    string
}

const stageRecord = "load.json"

func newStage(b store.Bucket, owner string) stage {
	return stage{b, naming.Staging + "/" + owner + "/" + rand.Text()}
}

func (s stage) file(n int) string { return fmt.Sprintf("%s/%06d.parquet", s.dir, n) }

// publish makes the load visible: its files get their names, then its record
// is committed. Done twice it changes nothing.
func (s stage) publish(ctx context.Context, l *Load) error {
	for i, f := range l.Files {
		if err := s.place(ctx, s.file(i+1), f); err != nil {
			return fmt.Errorf("place %s: %w", f.Name, err)
		}
		if err := s.placePrepared(ctx, i+1, &f); err != nil {
			return fmt.Errorf("place the prepared rows of %s: %w", f.Name, err)
		}
	}
	return writeLoad(ctx, s.bucket, naming.Record(l.ID), l)
}

// place gives a staged file its name. If it is missing it must have been placed.
func (s stage) place(ctx context.Context, from string, f LoadFile) error {
	err := store.Rename(ctx, s.bucket, from, f.Name)
	if errors.Is(err, errors.ErrUnsupported) {
		err = store.Copy(ctx, s.bucket, from, f.Name)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	r, openErr := s.bucket.Open(ctx, f.Name)
	if openErr != nil {
		return err
	}
	defer r.Close()
	if r.Size() != f.Bytes {
		return fmt.Errorf("%w, and the file there has %d bytes instead of %d", err, r.Size(), f.Bytes)
	}
	return nil
}

// finish removes the stage of a published load, after it is in the index and its replaced files are deleted: as long as
// the stage is there they may not be.
func (s stage) finish(ctx context.Context, l *Load) error {
	if err := addToIndex(ctx, s.bucket, l, nil); err != nil {
		return err
	}
	if err := deleteReplaced(ctx, s.bucket, l); err != nil {
		return err
	}
	if err := pruneIndex(ctx, s.bucket, l); err != nil {
		return err
	}
	return s.remove(ctx)
}

// remove deletes the stage and all in it.
func (s stage) remove(ctx context.Context) error {
	return store.DeleteTree(ctx, s.bucket, s.dir)
}

// recoverStages finishes or drops what dead writers of an owner have left.
func recoverStages(ctx context.Context, b store.Bucket, owner string, o Order) error {
	dir := naming.Staging + "/" + owner
	for e, err := range store.Children(ctx, b, dir) {
		if err != nil {
			return fmt.Errorf("list %s: %w", dir, err)
		}
		token, isDir := strings.CutSuffix(e.Name, "/")
		if !isDir {
			continue
		}
		s := stage{b, token}
		if err := s.recover(ctx, o); err != nil {
			return fmt.Errorf("recover %s: %w", s.dir, err)
		}
	}
	return nil
}

// FinishStages finishes or drops what a killed writer of an owner has left. No writer of the owner may be open.
func FinishStages(ctx context.Context, b store.Bucket, owner string) error {
	return recoverStages(ctx, b, owner, nil)
}

// recover publishes the load if it was complete and had its turn, and removes the stage.
func (s stage) recover(ctx context.Context, o Order) error {
	l, err := readLoad(ctx, s.bucket, s.dir+"/"+stageRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return s.remove(ctx)
	}
	if err != nil {
		return err
	}
	_, done, err := Loaded(ctx, s.bucket, l.ID)
	if err == nil && !done && o != nil {
		had, err := o.Had(ctx, l.ID, s.dir)
		if err != nil {
			return err
		}
		if !had {
			return s.remove(ctx)
		}
	}
	if err == nil && !done {
		err = s.republish(ctx, l)
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrReplaced) {
		return s.remove(ctx)
	}
	if err != nil {
		return err
	}
	return s.finish(ctx, l)
}

// RemoveStages removes the stages of the owners for which dead returns true. None of their loads may have had
// its turn.
func RemoveStages(ctx context.Context, b store.Bucket, dead func(owner string) bool) error {
	for e, err := range store.Children(ctx, b, naming.Staging) {
		if err != nil {
			return fmt.Errorf("list %s: %w", naming.Staging, err)
		}
		dir, isDir := strings.CutSuffix(e.Name, "/")
		if !isDir || !dead(strings.TrimPrefix(dir, naming.Staging+"/")) {
			continue
		}
		if err := store.DeleteTree(ctx, b, dir); err != nil {
			return fmt.Errorf("remove %s: %w", dir, err)
		}
	}
	return nil
}

// Settle finishes the commit of a load that has had its turn and waits in a stage, on behalf of a server that
// has died. It reports whether the load is in the archive. Repeated calls, also beside that server, have no
// further effect.
func Settle(ctx context.Context, b store.Bucket, load, dir string) (done bool, err error) {
	if !strings.HasPrefix(dir, naming.Staging+"/") {
		return false, fmt.Errorf("settle load %.100q: %.100q is no stage", load, dir)
	}
	if _, done, err = Loaded(ctx, b, load); err != nil {
		return false, err
	}
	s := stage{b, dir}
	l, err := readLoad(ctx, b, dir+"/"+stageRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return done, nil
	}
	if err != nil {
		return false, err
	}
	if l.ID != load {
		return false, fmt.Errorf("settle load %s: %s is of load %.100q", load, dir, l.ID)
	}
	if !done {
		err = s.publish(ctx, l)
	}
	if errors.Is(err, fs.ErrNotExist) { // its server has just finished it
		_, done, err = Loaded(ctx, b, load)
		return done, err
	}
	if err != nil {
		return false, err
	}
	return true, s.finish(ctx, l)
}

// republish publishes what a dead writer has left, unless another load has
// replaced the same files since: then it can only be done again.
func (s stage) republish(ctx context.Context, l *Load) error {
	err := Unreplaced(ctx, s.bucket, l.Replaces)
	if err == nil {
		return s.publish(ctx, l)
	}
	if errors.Is(err, ErrReplaced) {
		for _, f := range l.Files {
			if err := s.bucket.Delete(ctx, f.Name); err != nil {
				return fmt.Errorf("drop %s: %w", f.Name, err)
			}
		}
	}
	return err
}

// removeUnlessComplete removes the stage of a failed writer, but not one whose
// load.json is there: its files may be in place in part, and a later writer
// can finish it.
func (s stage) removeUnlessComplete(ctx context.Context) error {
	r, err := s.bucket.Open(ctx, s.dir+"/"+stageRecord)
	if err == nil {
		return r.Close()
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err // it may be there
	}
	return s.remove(ctx)
}
