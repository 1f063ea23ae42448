package iceberg

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/lake/iceberg/format"
)

// errMoved means that a day was published again while its snapshot was made.
var errMoved = errors.New("a day was published meanwhile")

// commit makes the snapshot with all changes, if there are any, and expires old ones, in one change of the metadata.
func (s *syncing) commit(ctx context.Context) error {
	updates, err := s.shape()
	if err != nil {
		return err
	}
	var next *format.Snapshot
	if len(s.changes) > 0 || s.foreign > 0 {
		if err := s.record(ctx); err != nil {
			return err
		}
		if next, err = s.snapshot(ctx); err != nil {
			return err
		}
		updates = append(updates, format.AddSnapshot(next)...)
	}
	old, more, err := s.expire(ctx, next)
	if err != nil {
		return err
	}
	if updates = append(updates, more...); len(updates) == 0 {
		return s.release(ctx)
	}
	if s.whole {
		if err := s.sweep(ctx); err != nil {
			return err
		}
	}
	if err := s.unmoved(ctx); err != nil {
		return err
	}
	before := s.base
	if s.base, err = s.catalog.Commit(ctx, s.name, before, updates, s.clock().UnixMilli()); err != nil {
		s.base = before
		return err
	}
	s.result.Expired += len(old)
	for i := range s.changes {
		s.result.Days = append(s.result.Days, s.changes[i].day)
	}
	if err := s.dropped(ctx, next); err != nil {
		return err
	}
	s.clean(ctx, old)
	return s.release(ctx)
}

// shape returns the changes of schema and properties.
func (s *syncing) shape() (updates []format.Update, err error) {
	columns := s.base.Schema()
	if s.schema != nil {
		columns = s.schema
		updates = format.AddSchema(s.schema, s.columns)
	}
	mapping, err := columns.NameMapping()
	if err != nil {
		return nil, err
	}
	set := map[string]string{}
	if s.base.Properties[format.MappingProperty] != mapping {
		set[format.MappingProperty] = mapping
	}
	if doc := s.table.Schema.Doc; !s.older && s.base.Properties["comment"] != doc {
		set["comment"] = doc
	}
	if len(set) > 0 {
		updates = append(updates, format.SetProperties(set))
	}
	return updates, nil
}

// record records the files of the changes, before a snapshot names them: from then on the lake keeps them.
func (s *syncing) record(ctx context.Context) error {
	for i := range s.changes {
		c := &s.changes[i]
		if c.manifest == nil {
			continue
		}
		r, err := readRecord(ctx, s.place.bucket, s.table.Schema, c.day)
		if err != nil {
			return err
		}
		if !r.name(c.files) {
			continue
		}
		if err := r.write(ctx, s.place.bucket, s.table.Schema, c.day); err != nil {
			return err
		}
	}
	return nil
}

// unmoved makes sure that what was recorded is still published: else the lake may have removed files before they
// were recorded.
func (s *syncing) unmoved(ctx context.Context) error {
	for i := range s.changes {
		c := &s.changes[i]
		if c.manifest == nil && s.table.Schema.IsSnapshots() {
			continue // a snapshot that is not the newest any more
		}
		m, err := s.table.Partition(ctx, c.day)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			m = nil
		case err != nil:
			return err
		}
		if (m == nil) != (c.manifest == nil) || m != nil && m.Generation != c.manifest.Generation {
			return errMoved
		}
	}
	return nil
}

// snapshot writes the manifests of the days that change, and the list of all.
func (s *syncing) snapshot(ctx context.Context) (*format.Snapshot, error) {
	id, err := randomID()
	if err != nil {
		return nil, err
	}
	columns := s.base.Schema()
	if s.schema != nil {
		columns = s.schema
	}
	next := &format.Snapshot{
		ID: id, Parent: s.base.CurrentSnapshotID, Sequence: s.base.LastSequence + 1,
		Time: max(s.clock().UnixMilli(), s.base.LastUpdated), SchemaID: &columns.ID,
	}
	changed, sums := map[string]bool{}, newSums(s.base.Current())
	var all []format.ManifestFile
	for i := range s.changes {
		m, err := s.manifest(ctx, &s.changes[i], columns, next, sums)
		if err != nil {
			return nil, fmt.Errorf("day %s: %w", s.changes[i].day, err)
		}
		all = append(all, m)
		changed[s.changes[i].day] = true
	}
	for day, m := range s.now {
		if !changed[day] {
			all = append(all, m.ManifestFile)
		}
	}
	slices.SortFunc(all, func(a, b format.ManifestFile) int { return strings.Compare(a.Path, b.Path) })
	next.Summary = sums.summary(all, s.changes)
	next.ManifestList, err = s.write(ctx, fmt.Sprintf("snap-%d.%s.avro", id, unique()),
		func() ([]byte, error) { return format.EncodeList(next, all) })
	return next, err
}

// write writes a file of metadata, and gives its location.
func (s *syncing) write(ctx context.Context, name string, encode func() ([]byte, error)) (string, error) {
	b, err := encode()
	if err != nil {
		return "", err
	}
	at := s.place.location(path.Join(metadataDir(s.table.Schema), name))
	s.result.Bytes += int64(len(b))
	return at, s.place.Write(ctx, at, b)
}

func randomID() (int64, error) {
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return 0, err
	}
	return max(1, int64(binary.BigEndian.Uint64(b[:])>>1)), nil
}

// manifest writes the manifest of a day.
func (s *syncing) manifest(ctx context.Context, c *change, columns *format.Schema, next *format.Snapshot,
	sums *sums) (m format.ManifestFile, err error) {
	var previous []format.Entry
	if now, has := s.now[c.day]; has {
		if previous, err = s.dayEntries(ctx, &now); err != nil {
			return m, err
		}
	}
	entries := s.entries(c, columns, previous, next)
	if c.manifest == nil {
		c.content = content{c.day, "none", "none"}
	}
	m = format.ManifestFile{SpecID: int32(s.base.DefaultSpecID), SnapshotID: next.ID}
	m.Count(entries, next.Sequence)
	m.Partitions = &[]format.Summary{}
	if dayColumn(s.table.Schema) != "" {
		value := []byte(s.table.Schema.PartitionValue(c.day))
		m.Partitions = &[]format.Summary{{Lower: &value, Upper: &value}}
	}
	m.Path, err = s.write(ctx, c.content.manifestName(), func() ([]byte, error) {
		b, err := format.EncodeManifest(columns, s.base.Spec(), entries)
		m.Length = int64(len(b))
		return b, err
	})
	sums.add(entries)
	s.result.Added += int(m.Added)
	s.result.Removed += int(m.Deleted)
	return m, err
}

// dayEntries returns the entries of a day's manifest, with what they inherit from it.
func (s *syncing) dayEntries(ctx context.Context, m *manifest) (all []format.Entry, err error) {
	b, err := s.place.Read(ctx, m.Path)
	if err != nil {
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	entries, err := format.DecodeManifest(b)
	for _, e := range entries {
		if e.Status == format.Deleted {
			continue
		}
		if e.SnapshotID == nil {
			e.SnapshotID = &m.SnapshotID
		}
		if e.Sequence == nil {
			e.Sequence = &m.Sequence
		}
		if e.FileSequence == nil {
			e.FileSequence = &m.Sequence
		}
		all = append(all, e)
	}
	return all, err
}

// entries returns the manifest entries of a day: added, existing and deleted files.
func (s *syncing) entries(c *change, columns *format.Schema, current []format.Entry, next *format.Snapshot) (all []format.Entry) {
	before := map[string]format.Entry{}
	for _, e := range current {
		before[e.File.Path] = e
	}
	for _, f := range c.files {
		file := s.dataFile(c.day, columns, f)
		e, was := before[f.location]
		if was && e.File.Rows == f.Rows && e.File.Bytes == f.Bytes {
			delete(before, f.location)
			e.Status = format.Existing
		} else {
			e = format.Entry{Status: format.Added, SnapshotID: &next.ID}
		}
		e.File = file
		all = append(all, e)
	}
	for _, e := range current {
		if _, removed := before[e.File.Path]; removed {
			e.Status, e.SnapshotID = format.Deleted, &next.ID
			all = append(all, e)
		}
	}
	return all
}
