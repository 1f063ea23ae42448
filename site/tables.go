package site

import (
	"context"
	"slices"
	"time"

	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/lake/fetch"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// Data holds the archive and the tables of an installation.
type Data struct {
	Archive store.Bucket
	Roots   map[schema.Root]store.Bucket
	schema.Set

	// EdgeTimeout is the time for which an edge may be silent before days stop waiting for it; 0: forever.
	EdgeTimeout time.Duration
	// Sharing, if not nil, configures several servers that publish into one lake.
	Sharing *Sharing
	// Grace defines for how long replaced files of the lake remain.
	Grace lake.Grace
	// Cache, if not nil, caches the parts of files in buckets that queries read. See CacheOf.
	Cache *fetch.Cache
	// Holder, if not nil, knows which other readers still use such files.
	Holder lake.Retainer
	// OnPublish, if not nil, is called whenever a partition is published or removed.
	OnPublish func(t *schema.Table, day string)
}

// Graph returns the dependencies between the tables.
func (d *Data) Graph() (*job.Graph, error) {
	var nodes []job.Node
	for _, t := range d.Tables {
		n := job.Node{Name: t.Name, Needs: t.Needs, Chained: t.Chained()}
		if t.IsSnapshots() {
			n.Since = t.Snapshots.First
		}
		nodes = append(nodes, n)
	}
	return job.New(nodes)
}

// Direct returns the names of the tables that are made as pings arrive, without a daily job.
func (d *Data) Direct() []string { return schema.Direct(d.Tables) }

// TableOf returns the table in the lake.
func (d *Data) TableOf(t *schema.Table) *lake.Table {
	lt := lake.Open(d.Roots[t.Root], t)
	lt.Grace, lt.Retainer, lt.OnPublish = d.Grace, d.Holder, d.OnPublish
	if d.Sharing != nil {
		lt.Token = d.Sharing.Holder
	}
	return lt
}

// Table returns the named table of the lake.
func (d *Data) Table(name string) (*lake.Table, error) {
	t, err := schema.Find(d.Tables, name)
	if err != nil {
		return nil, err
	}
	return d.TableOf(t), nil
}

// Versions lists the tables, each after its inputs, in all versions
// that have a location.
func (d *Data) Versions(ctx context.Context) (all []*lake.Table, err error) {
	for _, t := range d.Tables {
		versions, err := d.TableOf(t).Versions(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, versions...)
	}
	return all, nil
}

// SetApps sets the applications whose pings the tables include, for all tables that are restricted to
// applications.
func (d *Data) SetApps(apps []string) {
	d.Tables = slices.Clone(d.Tables)
	for i, t := range d.Tables {
		if t.Apps != nil {
			own := *t
			own.Apps = apps
			d.Tables[i] = &own
		}
	}
}

// SetSnapshots sets the samples whose clients snapshots have, and how many snapshots are kept. Nil and 0 leave what is.
func (d *Data) SetSnapshots(samples []int, keep int) {
	d.Tables = slices.Clone(d.Tables)
	for i, t := range d.Tables {
		if t.Snapshots == nil {
			continue
		}
		own, snapshots := *t, *t.Snapshots
		if samples != nil {
			snapshots.Samples = samples
		}
		if keep > 0 {
			snapshots.Keep = keep
		}
		own.Snapshots = &snapshots
		d.Tables[i] = &own
	}
}

// Edges returns the progress of the edges that days wait for, and of the edges that have been silent for too
// long.
func (d *Data) Edges(ctx context.Context, now time.Time) (awaited, silent []edgestate.Progress, err error) {
	all, err := edgestate.ReadProgress(ctx, d.Archive)
	awaited, silent = edgestate.Silent(all, now, d.EdgeTimeout)
	return awaited, silent, err
}
