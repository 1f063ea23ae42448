package flags

import (
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// Program describes the program to its commands.
type Program struct {
	Version string // includes the commit
	Now     func() time.Time
}

// Keep holds the flags for retention and for the edge timeout.
type Keep struct {
	keep   site.Retention
	tables []string
	edges  time.Duration
}

// Add adds the flags to a command.
func (f *Keep) Add(cmd *cobra.Command) {
	fs := cmd.Flags()
	config.Flag(fs, "retention.archive", &f.keep.Archive)
	config.Flag(fs, "retention.errors", &f.keep.Errors)
	config.Flag(fs, "retention.tables", &f.keep.Tables)
	config.Flag(fs, "retention.table", &f.tables)
	config.Flag(fs, "retention.ledger", &f.keep.Ledger)
	config.Flag(fs, "schedule.edge-timeout", &f.edges)
}

// Set applies the flags to a site.
func (f *Keep) Set(s *site.Site) (err error) {
	s.Keep, s.EdgeTimeout = f.keep, f.edges
	if s.Keep.Table, err = config.TableDays(f.tables); err != nil {
		return err
	}
	return f.Check(s.Tables)
}

// Check reports an error if the flags are invalid or name a table that does not exist.
func (f *Keep) Check(tables []*schema.Table) error {
	days, err := config.TableDays(f.tables)
	if err != nil {
		return err
	}
	return config.CheckTables("retention.table", days, tables)
}

// Decode adds the flags for decoding submissions.
func Decode(cmd *cobra.Command, c *ingest.Config) {
	f := cmd.Flags()
	config.Flag(f, "decode.geo", &c.Geo)
	config.Flag(f, "glean.applications", &c.Glean.Applications)
	config.Flag(f, "deletion.metrics", &c.Requests.Metrics)
	config.Flag(f, "decode.cities", &c.Cities)
	config.Flag(f, "decode.schemas", &c.Schemas)
	config.Flag(f, "decode.duplicate-window", &c.DuplicateWindow)
	config.Flag(f, "decode.max-uris", &c.MaxURIs)
	config.Flag(f, "decode.max-body", &c.MaxBody)
	config.Flag(f, "decode.max-ratio", &c.MaxRatio)
}

// Tables returns the table with a name, or all tables for "all".
func Tables(s *site.Site, name string) ([]string, error) {
	if name != "all" {
		_, err := s.Table(name)
		return []string{name}, err
	}
	return schema.Names(slices.DeleteFunc(slices.Clone(s.Tables), (*schema.Table).IsSnapshots)), nil // those are made when asked for
}
