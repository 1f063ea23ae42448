package iceberg

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/lake/iceberg/format"
)

// Snapshots are expired some at a time, as each time takes requests: this number, or the ones that expired this long
// ago.
const (
	expireMany = 8
	expireLate = time.Hour
)

// expire chooses the snapshots that go when next, if not nil, becomes the current one: those that another one replaced longer
// ago than the time they are kept, and at once those that name files with rows of forgotten clients.
func (s *syncing) expire(ctx context.Context, next *format.Snapshot) (old []format.Snapshot, updates []format.Update, err error) {
	purge, err := s.purged(ctx, next)
	if err != nil {
		return nil, nil, err
	}
	all := slices.Clone(s.base.Snapshots)
	if next != nil {
		all = append(all, *next)
	}
	slices.SortFunc(all, func(a, b format.Snapshot) int { return int(a.Sequence - b.Sequence) })
	now := s.clock()
	many := 0
	var late bool
	for i, one := range all {
		if s.isCurrent(one.ID, next) || i == len(all)-1 {
			continue
		}
		over := now.Sub(time.UnixMilli(all[i+1].Time)) - s.config.Keep
		refs := s.refs(one.ID)
		switch {
		case one.Sequence < purge:
			for _, name := range refs {
				s.log.Warn("a branch or tag goes with the snapshot of forgotten clients", "table", s.name.String(), "name", name)
				updates = append(updates, format.Update{Action: "remove-snapshot-ref", Ref: name})
			}
			late = true
		case over < 0 || len(refs) > 0:
			continue
		}
		late = late || over >= expireLate
		many++
		old = append(old, one)
	}
	if len(old) == 0 || !late && many < expireMany && !s.whole {
		return nil, nil, nil
	}
	var ids []int64
	for _, one := range old {
		ids = append(ids, one.ID)
	}
	return old, append(updates, format.RemoveSnapshots(ids)), nil
}

func (s *syncing) isCurrent(id int64, next *format.Snapshot) bool {
	if next != nil {
		return id == next.ID
	}
	return s.base.CurrentSnapshotID != nil && id == *s.base.CurrentSnapshotID
}

// refs returns the branches and tags of a snapshot, but for main.
func (s *syncing) refs(id int64) (names []string) {
	for name, r := range s.base.Refs {
		if r.SnapshotID == id && name != format.MainBranch {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// purged returns the sequence number before which all snapshots go at once: they name files that the lake wants to
// remove, as forgotten clients have rows in them. 0: there are none.
func (s *syncing) purged(ctx context.Context, next *format.Snapshot) (before int64, err error) {
	for _, day := range s.suspects {
		replaced, err := s.table.ReplacedOf(ctx, day)
		if err != nil {
			return 0, err
		}
		if !replaced.Due {
			continue
		}
		if next != nil && slices.ContainsFunc(s.changes, func(c change) bool { return c.day == day }) {
			return next.Sequence, nil // above all others
		}
		r, err := readRecord(ctx, s.place.bucket, s.table.Schema, day)
		if err != nil {
			return 0, err
		}
		before = max(before, r.last())
	}
	return before, nil
}

// dropped records which files the new snapshot does not name any more.
func (s *syncing) dropped(ctx context.Context, next *format.Snapshot) error {
	for i := range s.changes {
		c := &s.changes[i]
		r, err := readRecord(ctx, s.place.bucket, s.table.Schema, c.day)
		if err != nil {
			return err
		}
		if r.drop(c.files, next.Sequence) {
			if err := r.write(ctx, s.place.bucket, s.table.Schema, c.day); err != nil {
				return err
			}
		}
		if r.last() > 0 {
			s.state.Held = append(s.state.Held, c.day)
		}
	}
	return nil
}

// release lets files go that no snapshot names.
func (s *syncing) release(ctx context.Context) error {
	oldest := s.base.LastSequence
	for i := range s.base.Snapshots {
		oldest = min(oldest, s.base.Snapshots[i].Sequence)
	}
	if oldest == s.state.Oldest && !s.whole {
		return nil
	}
	var held []string
	for _, day := range slices.Compact(slices.Sorted(slices.Values(s.state.Held))) {
		r, err := readRecord(ctx, s.place.bucket, s.table.Schema, day)
		if err != nil {
			return err
		}
		if r.release(oldest) {
			if err := r.write(ctx, s.place.bucket, s.table.Schema, day); err != nil {
				return err
			}
		}
		if r.last() > 0 {
			held = append(held, day)
		}
	}
	s.state.Held, s.state.Oldest = held, oldest
	return nil
}

// clean removes the files of expired snapshots that no other has. What fails is left for the next whole comparison.
func (s *syncing) clean(ctx context.Context, old []format.Snapshot) {
	unused := map[string]bool{}
	for i := range old {
		all, err := s.manifests(ctx, &old[i])
		if err != nil {
			return
		}
		for _, m := range all {
			unused[m.Path] = true
		}
	}
	if err := s.keepNamed(ctx, old, unused); err != nil {
		return
	}
	for at := range unused {
		if _, ours := contentOf(at); ours {
			_ = s.place.Delete(ctx, at)
		}
	}
	for i := range old {
		_ = s.place.Delete(ctx, old[i].ManifestList)
	}
}

// keepNamed takes the manifests that snapshots of the table have out of those that are to go.
func (s *syncing) keepNamed(ctx context.Context, old []format.Snapshot, unused map[string]bool) error {
	for _, one := range s.neighbours(old) {
		all, err := s.manifests(ctx, &one)
		if err != nil {
			return err
		}
		for _, m := range all {
			delete(unused, m.Path)
		}
	}
	return nil
}

// neighbours returns the snapshots that may share manifests with old ones. Where each snapshot was made from the one
// before, a manifest is in all from its first to its last: it is enough to know those beside what goes.
func (s *syncing) neighbours(old []format.Snapshot) (all []format.Snapshot) {
	isOld := map[int64]bool{}
	whole := slices.Clone(s.base.Snapshots)
	for _, one := range old {
		isOld[one.ID] = true
		whole = append(whole, one)
	}
	slices.SortFunc(whole, func(a, b format.Snapshot) int { return int(a.Sequence - b.Sequence) })
	for i := 1; i < len(whole); i++ {
		if p := whole[i].Parent; p == nil || *p != whole[i-1].ID {
			return s.base.Snapshots
		}
	}
	for i, one := range whole {
		if isOld[one.ID] {
			continue
		}
		if i > 0 && isOld[whole[i-1].ID] || i+1 < len(whole) && isOld[whole[i+1].ID] {
			all = append(all, one)
		}
	}
	return all
}

// orphanAge is the age from which on an unused file is removed: the commit of a younger one may still be under way.
const orphanAge = 24 * time.Hour

// sweep removes files of metadata that a killed process has left, and that no snapshot has.
func (s *syncing) sweep(ctx context.Context) error {
	var old []string
	prefix := metadataDir(s.table.Schema) + "/"
	for e, err := range s.place.bucket.List(ctx, prefix) {
		if err != nil {
			return err
		}
		if at, ok := madeAt(madePart(e.Name)); ok && s.clock().Sub(at) >= orphanAge {
			old = append(old, e.Name)
		}
	}
	if len(old) == 0 {
		return nil
	}
	named := map[string]bool{}
	for i := range s.base.Snapshots {
		named[s.base.Snapshots[i].ManifestList] = true
		all, err := s.manifests(ctx, &s.base.Snapshots[i])
		if err != nil {
			return fmt.Errorf("look for what is left over: %w", err)
		}
		for _, m := range all {
			named[m.Path] = true
		}
	}
	for _, name := range old {
		if !named[s.place.location(name)] {
			if err := s.place.bucket.Delete(ctx, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// madePart returns the part of the name of a list or a manifest that unique has made.
func madePart(name string) string {
	parts := strings.Split(path.Base(name), ".")
	if len(parts) < 3 || parts[len(parts)-1] != "avro" {
		return ""
	}
	return parts[len(parts)-2]
}
