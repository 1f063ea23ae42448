package iceberg

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/pingmill/pingmill/internal/retry"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/lake/iceberg/catalog"
	"github.com/pingmill/pingmill/lake/iceberg/format"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// syncing is the work on one table.
type syncing struct {
	*Follower
	table  *lake.Table
	place  place
	name   *catalog.Name
	whole  bool
	result *Result

	state   *state
	base    *catalog.Table
	now     map[string]manifest // of the current snapshot, by day
	foreign int                 // manifests of other programs

	suspects []string // days whose files may have to be removed at once
	changes  []change
	looked   map[string]store.Identity // partitions that are, or will be, in the table
	schema   *format.Schema            // new; nil: that of the table
	older    bool                      // than the program that made the newest day
	columns  int                       // the highest id of a column then
}

// manifest is one of the current snapshot.
type manifest struct {
	format.ManifestFile
	content
}

// change is a day that is to be another one.
type change struct {
	day      string
	manifest *lake.Manifest // nil: the day goes
	content  content
	files    []dataFile
}

// wholeInterval is the interval at which all days are compared.
const wholeInterval = 24 * time.Hour

// conflicts are the pauses after commits that conflict with others.
var conflicts = retry.Policy{First: 20 * time.Millisecond, Max: time.Second, Tries: 4}

// run compares and commits. days were published.
func (s *syncing) run(ctx context.Context, days []string) (err error) {
	if s.state, err = readState(ctx, s.place.bucket, s.table.Schema); err != nil {
		return err
	}
	s.whole = s.whole || s.clock().Sub(s.state.Whole) >= wholeInterval
	again := retry.Loop{Policy: conflicts, What: "update Iceberg table " + s.name.String()}
	for {
		err = s.once(ctx, slices.Concat(days, s.state.Pending))
		if !errors.Is(err, catalog.ErrConflict) && !errors.Is(err, catalog.ErrUncertain) && !errors.Is(err, errMoved) {
			return err
		}
		if err := again.Again(ctx, err); err != nil {
			return err
		}
		s.log.Info("an Iceberg table is compared again", "table", s.name.String(), "reason", err)
	}
}

func (s *syncing) clock() time.Time { return s.Follower.now() }

// once compares and commits, if nobody else does.
func (s *syncing) once(ctx context.Context, days []string) error {
	if err := s.load(ctx); err != nil {
		return err
	}
	s.suspects = slices.Concat(days, s.state.Held)
	slices.Sort(s.suspects)
	s.suspects = slices.Compact(s.suspects)
	if err := s.compare(ctx, days); err != nil {
		return err
	}
	if err := s.commit(ctx); err != nil {
		return err
	}
	return s.done(ctx)
}

// load gets the table, which is made if it is missing, and what its current snapshot has.
func (s *syncing) load(ctx context.Context) (err error) {
	s.base, err = s.catalog.Load(ctx, s.name)
	if errors.Is(err, catalog.ErrNoTable) {
		err = s.create(ctx)
	}
	if err != nil {
		return err
	}
	if v := s.base.Properties[versionProperty]; v != s.table.Schema.Version {
		return fmt.Errorf("the catalog has it as of version %q, it is %s now: rename the table in the catalog, or drop it; a new one is "+
			"made then",
			v, s.table.Schema.Version)
	}
	s.now, s.foreign = map[string]manifest{}, 0
	current := s.base.Current()
	if current == nil {
		return nil
	}
	all, err := s.manifests(ctx, current)
	if err != nil {
		return err
	}
	for _, m := range all {
		c, ours := contentOf(m.Path)
		if _, twice := s.now[c.day]; !ours || twice || m.Content != 0 || int(m.SpecID) != s.base.DefaultSpecID {
			s.foreign++
		} else if m.Live() > 0 {
			s.now[c.day] = manifest{m, c}
		}
	}
	if s.foreign > 0 {
		s.log.Warn("another program has changed an Iceberg table: it is made what is published again", "table", s.name.String(), "manifests",
			s.foreign)
		s.whole = true
	}
	return nil
}

// manifests returns the manifests of a snapshot.
func (s *syncing) manifests(ctx context.Context, snapshot *format.Snapshot) ([]format.ManifestFile, error) {
	b, err := s.place.Read(ctx, snapshot.ManifestList)
	if err != nil {
		return nil, fmt.Errorf("read the list of manifests of snapshot %d: %w", snapshot.ID, err)
	}
	return format.DecodeList(b)
}

// The table's properties.
const (
	versionProperty = "pingmill.version"
	tableProperty   = "pingmill.table"
)

// create makes the table, without rows.
func (s *syncing) create(ctx context.Context) error {
	t := s.table.Schema
	columns, last, _, err := format.Evolve(nil, 0, t.Columns)
	if err != nil {
		return err
	}
	id, err := uuid.NewRandom()
	if err != nil {
		return err
	}
	s.base, err = s.catalog.Create(ctx, s.name, &catalog.New{
		UUID: id.String(), Location: s.place.location(dir(t)), Schema: columns, LastColumn: last, Day: dayColumn(t),
		Properties: s.properties(),
	}, s.clock().UnixMilli())
	if errors.Is(err, catalog.ErrConflict) { // another server has made it
		s.base, err = s.catalog.Load(ctx, s.name)
	}
	if err == nil {
		s.whole = true
	}
	return err
}

// dayColumn names the column by whose values the files of a table are partitioned, or is empty.
func dayColumn(t *schema.Table) string {
	if t.IsSnapshots() {
		return ""
	}
	return t.PartitionKeys[0]
}

// properties returns the properties of a new table.
func (s *syncing) properties() map[string]string {
	t := s.table.Schema
	return map[string]string{
		"format-version": "2", "comment": t.Doc, tableProperty: t.Name, versionProperty: t.Version,
		// The bounds of columns are not exact: no engine may answer min and max by them.
		"write.metadata.metrics.default": "none",
		// Engines that change the table leave our files alone, and so does what expires its snapshots.
		"gc.enabled": "false",
		"write.metadata.delete-after-commit.enabled": "true", "write.metadata.previous-versions-max": "10",
	}
}

// done records that the table equals the published files.
func (s *syncing) done(ctx context.Context) error {
	current := int64(0)
	if s.base.CurrentSnapshotID != nil {
		current = *s.base.CurrentSnapshotID
	}
	s.mu.Lock()
	if len(s.changes) == 0 {
		s.seen[s.table.Schema.Name] = seen{current, maps.Clone(s.looked)}
	} else {
		delete(s.seen, s.table.Schema.Name) // what changed is looked at once more
	}
	s.mu.Unlock()
	s.result.Snapshot = current
	was := *s.state
	at := s.clock()
	s.state.Pending, s.state.Error, s.state.Failing, s.state.Snapshot = nil, "", time.Time{}, current
	if s.whole {
		s.state.Whole = at
	}
	if s.state.Synced = at; was.Error == "" && was.Pending == nil && was.Snapshot == current && !s.whole &&
		slices.Equal(was.Held, s.state.Held) && at.Sub(was.Synced) < wholeInterval {
		return nil // nothing that anybody else needs to know
	}
	return s.state.write(ctx, s.place.bucket, s.table.Schema)
}

// failed remembers that it is not, and why.
func (s *syncing) failed(ctx context.Context, days []string) error {
	if s.state == nil {
		return nil
	}
	if s.state.Failing.IsZero() {
		s.state.Failing = s.clock()
	}
	s.state.Error = s.result.Err.Error()
	s.state.Pending = append(s.state.Pending, days...)
	return s.state.write(ctx, s.place.bucket, s.table.Schema)
}
