package iceberg

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/lake/iceberg/format"
	"github.com/pingmill/pingmill/store"
)

// recent is the number of the last days that are compared each time in a bucket, where another process may have
// published them. Older ones are compared when this process publishes them, and once a day.
const recent = 10

// compare finds the days that are to be changed.
func (s *syncing) compare(ctx context.Context, days []string) error {
	published, err := s.published(ctx)
	if err != nil {
		return err
	}
	s.schema, s.older = nil, s.byNewer(ctx, published)
	if !s.older {
		err = s.evolve()
	}
	if err != nil {
		return err
	}
	before, known := s.before()
	s.changes, s.looked = nil, map[string]store.Identity{}
	for i, day := range published {
		_, has := s.now[day]
		if known && has && !s.whole && !slices.Contains(days, day) && i < len(published)-recent && !store.HasDirs(s.table.Bucket()) {
			s.looked[day] = before[day] // each look would be a request
			continue
		}
		if s.whole || !known || !has || slices.Contains(days, day) {
			if err := s.look(ctx, day); err != nil {
				return err
			}
			continue
		}
		id, err := s.table.Identify(ctx, day)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
		if was, is := before[day]; err == nil && is && was == id {
			s.looked[day] = id
		} else if err := s.look(ctx, day); err != nil {
			return err
		}
	}
	for day := range s.now {
		if _, is := s.looked[day]; !is && !slices.ContainsFunc(s.changes, func(c change) bool { return c.day == day }) {
			s.changes = append(s.changes, change{day: day})
		}
	}
	slices.SortFunc(s.changes, func(a, b change) int { return strings.Compare(a.day, b.day) })
	return nil
}

// byNewer reports whether a newer version of the program made the newest day. Its columns stay then.
func (s *syncing) byNewer(ctx context.Context, days []string) bool {
	for _, day := range slices.Backward(days) {
		m, err := s.table.Partition(ctx, day)
		if err == nil && m.Live == nil && !m.Unchecked {
			return m.ByNewer(s.table.Schema)
		}
	}
	return false
}

// published returns the days that the table should have: all, or the newest snapshot of a table of snapshots. While that is
// unusable, the snapshot stays that the table has.
func (s *syncing) published(ctx context.Context) ([]string, error) {
	days, err := s.table.Days(ctx)
	if err != nil || !s.table.Schema.IsSnapshots() {
		return days, err
	}
	for _, day := range slices.Backward(days) {
		_, err := s.table.Partition(ctx, day)
		switch {
		case err == nil:
			return []string{day}, nil
		case lake.Unusable(err) && len(s.now) > 0:
			return slices.Collect(maps.Keys(s.now)), nil
		case !lake.Unusable(err) && !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return nil, nil
}

// before returns the state of the last comparison, if the table is unchanged.
func (s *syncing) before() (map[string]store.Identity, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last, ok := s.seen[s.table.Schema.Name]
	return last.days, ok && s.base.CurrentSnapshotID != nil && last.snapshot == *s.base.CurrentSnapshotID
}

// evolve gives the table the columns that its definition has.
func (s *syncing) evolve() error {
	columns, last, changed, err := format.Evolve(s.base.Schema(), s.base.LastColumnID, s.table.Schema.Columns)
	if err != nil || !changed {
		s.schema = nil
		return err
	}
	for i := range s.base.Schemas {
		columns.ID = max(columns.ID, s.base.Schemas[i].ID+1)
	}
	s.schema, s.columns = columns, last
	return nil
}

// look compares a day.
func (s *syncing) look(ctx context.Context, day string) error {
	id, err := s.table.Identify(ctx, day)
	if err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	m, err := s.table.Partition(ctx, day)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case lake.Unusable(err): // a run mends it: until then the table has what it has
		s.log.Warn("a day is not compared with its Iceberg table", "table", s.name.String(), "day", day, "error", err)
		if _, has := s.now[day]; has {
			s.looked[day] = id
		}
		return nil
	case err != nil:
		return err
	}
	files := s.place.dataFiles(ctx, s.table, m)
	if m.Live != nil || len(files) == 0 { // live rows are for our own queries: a file has rows of all samples
		return nil // it is no part of the table
	}
	s.looked[day] = id
	c := content{day, m.Generation, fingerprint(files)}
	if now, has := s.now[day]; !has || now.content != c {
		s.changes = append(s.changes, change{day, m, c, files})
	}
	return nil
}

// fingerprint names a set of files.
func fingerprint(files []dataFile) string {
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%s %d %d\n", f.location, f.Rows, f.Bytes)
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}
