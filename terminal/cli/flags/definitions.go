package flags

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/ingest"
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
		return nil, cli.Usage(err)
	}
	return defs, nil
}

// Installed returns the tables of an installation that runs make, by the given definitions alone.
func (d *Definitions) Installed(p *schema.Probes) (*schema.Set, error) {
	defs, err := d.given()
	if err != nil {
		return nil, err
	}
	return planned(p, defs), nil
}

// planned returns the tables that runs make.
func planned(p *schema.Probes, defs glean.Definitions) *schema.Set {
	set := schema.NewSet(p, defs.Tables()...)
	set.Tables = slices.DeleteFunc(set.Tables, glean.Unplanned)
	return set
}

// Extend adds the tables of the definitions that the lake keeps to those of an installation. record adds the given
// definitions to the kept ones.
func (d *Definitions) Extend(ctx context.Context, data *site.Data, record bool, now func() time.Time) error {
	defs, err := d.joined(ctx, data.Roots[schema.StorageRoot], record, now)
	if err == nil && len(defs) > 0 {
		data.Set = *planned(data.Probes, defs)
	}
	return err
}

// joined returns the given definitions together with those that the lake keeps.
func (d *Definitions) joined(ctx context.Context, lake store.Bucket, record bool, now func() time.Time) (glean.Definitions, error) {
	given, err := d.given()
	if err != nil {
		return nil, err
	}
	if record && len(given) > 0 {
		given, err = glean.Keep(ctx, lake, given, now())
		return given, err
	}
	kept, err := glean.Kept(ctx, lake)
	if err != nil || len(kept) == 0 {
		return given, err
	}
	return glean.Joined(kept, given)
}

// Decoding makes the decoder take the pings of the applications that have definitions, with or without info sections as
// these say. Invalid definitions are a usage error.
func (d *Definitions) Decoding(c *ingest.Config) error {
	if len(d.Glean) == 0 {
		return nil
	}
	defs, err := glean.ReadAll(d.Glean, nil)
	if err != nil {
		return cli.Usage(err)
	}
	for _, id := range slices.Sorted(maps.Keys(defs)) {
		if !slices.Contains(c.Glean.Applications, id) {
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
	return nil
}

// LoadProbes loads probe definitions. Invalid ones are a usage error.
func LoadProbes(dir string) (*schema.Probes, error) {
	p, err := schema.LoadProbes(dir)
	if err != nil {
		return nil, cli.Usage(err)
	}
	return p, nil
}
