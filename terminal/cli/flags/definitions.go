package flags

import (
	"maps"
	"slices"

	"github.com/spf13/pflag"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
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
	defs, err := glean.ReadAll(d.Glean, d.Shown)
	if err != nil {
		return nil, cli.Usage(err)
	}
	return schema.NewSet(p, defs.Tables()...), nil
}

// Installed returns the tables of an installation: those that runs make.
func (d *Definitions) Installed(p *schema.Probes) (*schema.Set, error) {
	set, err := d.Set(p)
	if err == nil {
		set.Tables = slices.DeleteFunc(set.Tables, glean.Unplanned)
	}
	return set, err
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
