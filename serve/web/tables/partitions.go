package tables

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// TablePartition is a published day of a table. Rows, bytes and files are 0 if the person may not read the table.
type TablePartition struct {
	Day        string           `json:"day"`
	Rows       int64            `json:"rows"`
	Bytes      int64            `json:"bytes"`
	Files      int              `json:"files"`
	Compact    int64            `json:"compact,omitempty" doc:"bytes of files that have the same rows once more, for queries"`
	Generation string           `json:"generation,omitempty"`
	Published  *time.Time       `json:"published,omitempty"`
	Run        int64            `json:"run,omitempty" doc:"the run that published it"`
	Code       string           `json:"code,omitempty" doc:"version of the program that made it, where the history of runs has it"`
	Growing    bool             `json:"growing,omitempty" doc:"rows of pings that are not in the archive yet are among them"`
	Older      bool             `json:"older,omitempty" doc:"it has other columns than the table has now"`
	Rewritten  bool             `json:"rewritten,omitempty" doc:"rows were removed from it since it was made"`
	Skipped    []string         `json:"skippedChecks,omitempty"`
	Damaged    bool             `json:"damaged,omitempty" doc:"its manifest cannot be read"`
	Inputs     []PartitionInput `json:"inputs,omitempty"`
}

// PartitionInput is an input of a partition with its generation.
type PartitionInput struct {
	Name       string `json:"name"`
	Generation string `json:"generation"`
}

// partitionCache caches the content of manifests by table and day until they change.
type partitionCache struct {
	mu    sync.Mutex
	known map[string]map[string]known
}

type known struct {
	manifest  store.Identity
	partition TablePartition
}

// published returns the published partitions of a table, ordered by day.
func (c *partitionCache) published(ctx context.Context, s *site.Site, table string) ([]TablePartition, error) {
	lt, err := s.Table(table)
	if err != nil {
		return nil, err
	}
	days, err := lt.Days(ctx)
	if err != nil {
		return nil, err
	}
	committed, err := s.Ledger.Committed(ctx, job.Filter{Table: table})
	if err != nil {
		return nil, err
	}
	runs := map[string]job.UnitRecord{}
	for _, r := range committed {
		runs[r.Day] = r
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	before, now := c.known[table], map[string]known{}
	all := make([]TablePartition, 0, len(days))
	for _, day := range days {
		k, err := read(ctx, lt, day, before[day])
		if errors.Is(err, fs.ErrNotExist) {
			continue // it is being published for the first time, or was removed
		}
		if err != nil {
			return nil, err
		}
		now[day] = k
		all = append(all, k.partition.by(runs[day]))
	}
	c.known[table] = now
	return all, nil
}

// read reads a manifest, or returns the cached one if it has not changed.
func read(ctx context.Context, lt *lake.Table, day string, before known) (known, error) {
	id, err := lt.Identify(ctx, day)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		before = known{}
	case err != nil:
		return before, err
	case id == before.manifest:
		return before, nil
	}
	m, err := lt.Partition(ctx, day)
	if lake.Unusable(err) {
		return known{id, TablePartition{Day: day, Damaged: true}}, nil
	}
	if err != nil {
		return before, err
	}
	return known{id, partitionOf(lt, m, id.Changed)}, nil
}

func partitionOf(lt *lake.Table, m *lake.Manifest, published time.Time) TablePartition {
	p := TablePartition{
		Day: m.Day, Rows: m.Rows, Bytes: m.Bytes, Files: len(m.Files), Generation: m.Generation, Rewritten: m.Rewritten != "",
		Skipped: m.SkippedChecks, Older: m.Columns != lake.Fingerprint(lt.Schema.Columns),
		Growing: m.Live != nil || slices.ContainsFunc(m.Files, func(f lake.File) bool { return f.OpenFor != "" }),
	}
	if !published.IsZero() {
		published = published.UTC()
		p.Published = &published
	}
	for _, f := range m.Compact {
		p.Compact += f.Bytes
	}
	for _, i := range m.Inputs {
		p.Inputs = append(p.Inputs, PartitionInput{i.Name, i.Generation})
	}
	return p
}

// by adds the run that published the partition, from the ledger.
func (p TablePartition) by(r job.UnitRecord) TablePartition {
	if r.Generation == p.Generation && p.Generation != "" {
		p.Published, p.Run, p.Code = &r.Ended, r.Run, r.Code
	}
	return p
}

type partitionsInput struct {
	Named
	Limit  int    `query:"limit" default:"100" minimum:"1" maximum:"5000"`
	Cursor string `query:"cursor" doc:"next of the page before: a day"`
}

type partitionsOutput struct {
	Body struct {
		Items []TablePartition `json:"items"`
		Next  string           `json:"next,omitempty"`
	}
}

func (c *catalog) partitions(ctx context.Context, in *partitionsInput) (*partitionsOutput, error) {
	p := access.From(ctx)
	t, err := find(c.visible(p), in.Name)
	if err != nil {
		return nil, err
	}
	t = c.stored(t)
	all, err := c.published(ctx, c.Site, t.Name)
	if err != nil {
		return nil, err
	}
	slices.Reverse(all)
	if in.Cursor != "" {
		all = slices.DeleteFunc(all, func(p TablePartition) bool { return p.Day >= in.Cursor })
	}
	var out partitionsOutput
	out.Body.Items = all
	if len(all) > in.Limit {
		out.Body.Items, out.Body.Next = all[:in.Limit], all[in.Limit-1].Day
	}
	hidden := func(i PartitionInput) bool {
		return slices.ContainsFunc(c.Site.Tables, func(t *schema.Table) bool { return t.Name == i.Name && !p.Knows(t) })
	}
	for i := range out.Body.Items {
		if item := &out.Body.Items[i]; !p.Counts(t) {
			item.Rows, item.Bytes, item.Files, item.Compact = 0, 0, 0, 0
		}
		out.Body.Items[i].Inputs = slices.DeleteFunc(slices.Clone(out.Body.Items[i].Inputs), hidden)
	}
	return &out, nil
}
