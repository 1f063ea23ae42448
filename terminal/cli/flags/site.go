// Package flags holds flags that several commands share: installation, checks, retention, and decoding.
package flags

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/lake/iceberg"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/sql/presto"
	"github.com/pingmill/pingmill/terminal/cli"
)

// Site holds the flags that select an installation.
type Site struct {
	Data    string
	Storage config.Storage
	Definitions
	Now   func() time.Time
	Makes bool     // the command makes tables: the lake keeps the definitions that it is given
	Days  []string // to make tables from; none: all
	Apps  []string // applications whose pings become rows; none: the tables' defaults

	shared  string // name of this server in a shared lake
	iceberg config.Iceberg
	cmd     *cobra.Command
	grace   lake.Grace

	literals string // what numbers with a point are in queries

	samples   []string // of tables of snapshots
	snapshots int      // that are kept
}

// Add adds the flags to a command.
func (f *Site) Add(cmd *cobra.Command, now func() time.Time) {
	f.cmd, f.Now = cmd, now
	config.Flag(cmd.Flags(), "data", &f.Data)
	f.Storage.Add(cmd.Flags())
	f.Definitions.Add(cmd.Flags())
}

// AddApps adds the flag of commands that make tables.
func (f *Site) AddApps(cmd *cobra.Command) {
	config.Flag(cmd.Flags(), "apps", &f.Apps)
	config.Flag(cmd.Flags(), "glean.unknown", &f.unknown)
	config.Flag(cmd.Flags(), "tables.snapshot-samples", &f.samples)
	config.Flag(cmd.Flags(), "tables.snapshots", &f.snapshots)
}

// AddQueries adds the flag of commands that answer queries.
func (f *Site) AddQueries(cmd *cobra.Command) {
	config.Flag(cmd.Flags(), "query.decimal-literals", &f.literals)
}

// AddPublishing adds the flags of commands that may publish.
func (f *Site) AddPublishing(cmd *cobra.Command) {
	config.Flag(cmd.Flags(), "schedule.shared-as", &f.shared)
	config.Flag(cmd.Flags(), "publish.grace", &f.grace.For)
	config.Flag(cmd.Flags(), "publish.bucket-grace", &f.grace.InBucket)
	f.iceberg.Add(cmd.Flags())
}

// Open opens the installation for work. It must exist unless create is set.
func (f *Site) Open(ctx context.Context, create bool) (*site.Site, error) {
	cli.Finishes(ctx, func() string { return "what was begun" })
	s, err := f.openBy(ctx, site.Open, create, f.Makes)
	if err == nil && f.cmd != nil {
		for _, note := range s.Notes {
			cli.NewLog(f.cmd.ErrOrStderr()).Warn(note)
		}
	}
	if err == nil && f.iceberg.On() {
		if err = iceberg.Attend(ctx, s, f.iceberg.Config, f.Now, cli.NewLog(f.cmd.ErrOrStderr())); err != nil {
			err = errors.Join(err, s.Close())
		}
	}
	return s, err
}

// Read opens an existing installation for reading, without changes or locks.
func (f *Site) Read(ctx context.Context) (*site.Site, error) {
	return f.openBy(ctx, site.Read, false, false)
}

// OpenOrRead opens an existing installation, for reading only if read is set.
func (f *Site) OpenOrRead(ctx context.Context, read bool) (*site.Site, error) {
	if read {
		return f.Read(ctx)
	}
	return f.Open(ctx, false)
}

// opening is the type of site.Open and site.Read.
type opening func(context.Context, string, *schema.Set, ...site.Option) (*site.Site, error)

func (f *Site) openBy(ctx context.Context, open opening, create, record bool) (*site.Site, error) {
	p, err := LoadProbes(f.Probes)
	if err != nil {
		return nil, err
	}
	set, err := f.Set(p)
	if err != nil {
		return nil, err
	}
	roots, err := f.Storage.Roots()
	if err != nil {
		return nil, cli.Usage(err)
	}
	if !create {
		is, err := f.Exists(ctx)
		if err == nil && !is {
			err = fmt.Errorf("open installation %s: there is none: load pings first (%s)", f.Data, f.Command("load FILE…"))
		}
		if err != nil {
			return nil, err
		}
	}
	s, err := open(ctx, f.Data, set, site.At(roots))
	if err != nil {
		return nil, err
	}
	if err := f.Extend(ctx, &s.Data, f.extension(record)); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if len(f.Apps) > 0 {
		s.SetApps(f.Apps)
	}
	f.setSnapshots(s)
	f.Storage.SetCache(s, f.Now)
	s.Grace = f.grace
	s.DoubleLiterals = f.literals == presto.DoubleLiterals
	s.Grace.Now = f.Now
	if err := s.Share(ctx, f.shared, f.Now); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Known returns the given Glean definitions together with those that the lake keeps, if there is an installation.
func (f *Site) Known(ctx context.Context) (defs glean.Definitions, err error) {
	if defs, err = f.given(); err != nil {
		return nil, err
	}
	roots, err := f.Storage.Roots()
	if err != nil {
		return nil, cli.Usage(err)
	}
	if is, err := roots.Exist(ctx, f.Data); err != nil || !is {
		return defs, err
	}
	if roots, err = roots.Below(f.Data); err != nil {
		return nil, cli.Usage(err)
	}
	lake, err := site.OpenRoot(ctx, roots.Lake)
	if err != nil {
		return nil, err
	}
	stored, err := glean.Stored(ctx, lake)
	if c, ok := lake.(io.Closer); ok {
		err = errors.Join(err, c.Close())
	}
	if err != nil {
		return nil, err
	}
	defs, err = glean.Joined(stored, defs)
	return defs, cli.Usage(err)
}

// Decoding makes the decoder take the pings of the applications that have definitions, given ones or those that the lake
// keeps: a client deletes a ping that is refused once.
func (f *Site) Decoding(ctx context.Context, c *ingest.Config) error {
	defs, err := f.Known(ctx)
	if err == nil {
		decodeBy(defs, c)
	}
	return err
}

// Changes returns what the definitions of Glean applications in a folder would change. It returns false for another folder.
func (f *Site) Changes(ctx context.Context, dir string) (changes []glean.Change, is bool, err error) {
	if !glean.IsFolder(dir) {
		return nil, false, nil
	}
	inUse, err := f.Known(ctx)
	if err != nil {
		return nil, true, err
	}
	newer, err := glean.ReadAll([]string{dir}, f.Shown)
	if err == nil {
		changes, err = glean.Changes(inUse, newer)
	}
	return changes, true, cli.Usage(err)
}

func (f *Site) extension(record bool) Extension {
	x := Extension{Makes: f.Makes, Record: record, Days: f.Days, Now: f.Now}
	if f.cmd != nil {
		x.Note = func(text string) { cli.NewLog(f.cmd.ErrOrStderr()).Warn(text) }
	}
	return x
}

// ExtendData extends the tables of an installation that a task opened by its places.
func (f *Site) ExtendData(ctx context.Context, data *site.Data) error {
	return f.Extend(ctx, data, f.extension(false))
}

// setSnapshots sets which clients snapshots have, and how many are kept.
func (f *Site) setSnapshots(s *site.Site) {
	var samples []int
	for _, text := range f.samples {
		if n, err := strconv.Atoi(text); err == nil { // config has checked it
			samples = append(samples, n)
		}
	}
	slices.Sort(samples)
	s.SetSnapshots(slices.Compact(samples), f.snapshots)
}

// Exists reports whether the installation exists.
func (f *Site) Exists(ctx context.Context) (bool, error) {
	roots, err := f.Storage.Roots()
	if err != nil {
		return false, cli.Usage(err)
	}
	return roots.Exist(ctx, f.Data)
}

// Command returns a command line for the same installation, quoted for a shell.
func (f *Site) Command(args string) string { return cli.CommandLine(f.cmd, args) }
