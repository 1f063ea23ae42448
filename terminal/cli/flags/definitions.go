package flags

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/terminal/cli"
)

// Definitions holds the flags that determine the tables and their columns.
type Definitions struct {
	Probes string   // folder of probe definitions
	Glean  []string // folders of Glean definitions, each one a newer version of the ones before
	Shown  []string // metrics that get a column of the metrics ping; none: all

	unknown string // what becomes of pings without definitions
}

// Add adds the flags to a command.
func (d *Definitions) Add(fs *pflag.FlagSet) {
	config.Flag(fs, "probes", &d.Probes)
	config.Flag(fs, "glean.definitions", &d.Glean)
	config.Flag(fs, "glean.columns", &d.Shown)
}

// Load returns the tables. Invalid definitions are a usage error.
func (d *Definitions) Load() (*schema.Set, error) {
	p, err := LoadProbes(d.Probes)
	if err != nil {
		return nil, err
	}
	return d.Set(p)
}

// Set returns the tables with these probe definitions. Invalid definitions are a usage error.
func (d *Definitions) Set(p *schema.Probes) (*schema.Set, error) {
	defs, err := d.given()
	if err != nil {
		return nil, err
	}
	return schema.NewSet(p, defs.Tables()...), nil
}

func (d *Definitions) given() (glean.Definitions, error) {
	defs, err := glean.ReadAll(d.Glean, d.Shown)
	if err != nil {
		return nil, invalid(err)
	}
	return defs, nil
}

// invalid makes an error in definitions a usage error, unless files that are there cannot be read.
func invalid(err error) error {
	var unread *fs.PathError
	if errors.As(err, &unread) && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return cli.Usage(err)
}

// Extend adds the tables of the lake's definitions to an installation and, if the settings say so, tables of unknown
// pings of the archive, of some days or of all. record adds both, and the given definitions, to the stored ones.
func (d *Definitions) Extend(ctx context.Context, data *site.Data, x Extension) error {
	lake := data.Roots[schema.StorageRoot]
	given, err := d.given()
	if err != nil {
		return err
	}
	stored, err := glean.Stored(ctx, lake)
	if err != nil {
		return err
	}
	all := stored
	if len(given) > 0 {
		if all, err = glean.Joined(stored, given); err != nil {
			return cli.Usage(err)
		}
	}
	if x.Makes && d.unknown == glean.UnknownGeneric {
		kinds, err := archivedKinds(ctx, data.Archive, x.Days)
		if err != nil {
			return err
		}
		generic, left := all.Generic(kinds)
		if len(left) > 0 && x.Note != nil {
			x.Note(fmt.Sprintf("%d types of pings get no table: their names are not of Glean's form, or there are too many: %s, …", len(left),
				left[0]))
		}
		given, all = glean.Union(given, generic), glean.Union(all, generic)
	}
	if x.Record && len(given) > 0 {
		if all, err = glean.Keep(ctx, lake, given, x.Now()); err != nil {
			return err
		}
	}
	if len(all) > 0 {
		data.Set = *schema.NewSet(data.Probes, all.Tables()...)
	}
	return nil
}

// LocalTables returns the tables of the program, of the definitions that the flags of a command name, and of those that the lake
// in its data folder keeps. It changes nothing, and leaves out what cannot be read.
func LocalTables(cmd *cobra.Command) []*schema.Table {
	dirs, _ := cmd.Flags().GetStringSlice("definitions")
	defs, _ := glean.ReadAll(dirs, nil)
	if data := cmd.Flag("data"); data != nil {
		lake, err := store.OpenLocal(filepath.Join(data.Value.String(), schema.StorageRoot.Folder()), store.AsIs())
		if err == nil {
			stored, _ := glean.Stored(cmd.Context(), lake)
			defs = glean.Union(stored, defs)
		}
	}
	return schema.NewSet(&schema.Probes{}, defs.Tables()...).Tables
}

// Extension defines how the tables of an installation are extended.
type Extension struct {
	Makes  bool // the command makes tables
	Record bool // the lake keeps the definitions
	Days   []string
	Now    func() time.Time
	Note   func(string)
}

// archivedKinds returns the kinds of pings of the archive, of some days or of all. Damaged days have none: it is reported
// when they are read.
func archivedKinds(ctx context.Context, b store.Bucket, days []string) (kinds []ping.DocType, err error) {
	if days == nil {
		all, err := archive.Days(ctx, b)
		for _, d := range all {
			kinds = append(kinds, d.DocType)
		}
		return kinds, err
	}
	for _, d := range days {
		types, err := archive.DocTypes(ctx, b, ping.Day(d))
		if err != nil && !archive.IsDamage(err) {
			return nil, err
		}
		kinds = append(kinds, types...)
	}
	return kinds, nil
}

// Decoding makes the decoder take the pings of the applications that have definitions, with or without info sections as
// these say. Invalid definitions are a usage error.
func (d *Definitions) Decoding(c *ingest.Config) error {
	defs, err := d.given()
	if err == nil {
		decodeBy(defs, c)
	}
	return err
}

// decodeBy makes the decoder know the applications of definitions.
func decodeBy(defs glean.Definitions, c *ingest.Config) {
	if len(defs) == 0 {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(defs)) {
		if !defs[id].Generic() && !slices.Contains(c.Glean.Applications, id) {
			c.Glean.Applications = append(slices.Clone(c.Glean.Applications), id)
		}
	}
	c.Glean.InfoSections = func(application, docType string) ingest.InfoSections {
		switch has, known := defs.InfoSections(application, docType); {
		case !known:
			return ingest.InfoUnknown
		case has:
			return ingest.WithInfo
		}
		return ingest.WithoutInfo
	}
}

// LoadProbes loads probe definitions. Invalid ones are a usage error.
func LoadProbes(dir string) (*schema.Probes, error) {
	p, err := schema.LoadProbes(dir)
	if err != nil {
		return nil, cli.Usage(err)
	}
	return p, nil
}
