package tables

import (
	"context"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/rows"
)

// TableSummary is a table in the list.
type TableSummary struct {
	Name       string      `json:"name"`
	Version    string      `json:"version"`
	Doc        string      `json:"doc"`
	Grain      string      `json:"grain" doc:"one row for each of these"`
	Refresh    string      `json:"refresh"`
	Restricted bool        `json:"restricted" doc:"it wants a grant of its own"`
	Large      bool        `json:"large" doc:"queries must be limited by day"`
	Direct     bool        `json:"direct" doc:"rows come as pings arrive"`
	Reads      bool        `json:"reads" doc:"you may ask it"`
	Rows       string      `json:"rows,omitempty" doc:"the rows that you may read, such as: country DE or AT; absent: all"`
	Columns    int         `json:"columns"`
	Published  TableTotals `json:"published"`
	Fresh      Freshness   `json:"fresh"`
}

// TableTotals sums up the published partitions. Files, rows and bytes are 0 if the person may not read the table.
type TableTotals struct {
	Days  int    `json:"days"`
	First string `json:"first,omitempty"`
	Last  string `json:"last,omitempty"`
	Files int    `json:"files"`
	Rows  int64  `json:"rows"`
	Bytes int64  `json:"bytes"`
}

// Freshness describes the newest published rows.
type Freshness struct {
	Newest    string     `json:"newest,omitempty" doc:"newest published day"`
	Complete  string     `json:"complete,omitempty" doc:"newest published day of which everything has been decoded"`
	Age       *int64     `json:"age,omitempty" doc:"seconds since that day ended"`
	Published *time.Time `json:"published,omitempty" doc:"when the newest day was published last"`
	Since     *int64     `json:"since,omitempty" doc:"seconds since then"`
}

// Table describes one table.
type Table struct {
	TableSummary
	Use           string         `json:"use"`
	Notes         []string       `json:"notes"`
	Location      string         `json:"location"`
	PartitionKeys []string       `json:"partitionKeys"`
	Checks        []TableRule    `json:"checks" doc:"rules that it keeps"`
	Lineage       Lineage        `json:"lineage"`
	Schema        []TableColumn  `json:"schema"`
	Examples      []TableExample `json:"examples"`
}

// TableRule is a check of a table.
type TableRule struct {
	Name string `json:"name"`
	Rule string `json:"rule"`
}

// TableColumn describes one column.
type TableColumn struct {
	Name      string      `json:"name"`
	Type      string      `json:"type"`
	Nullable  bool        `json:"nullable"`
	Doc       string      `json:"doc"`
	Source    string      `json:"source" doc:"path in the ping, or columns of the table it is made from"`
	Rule      string      `json:"rule,omitempty" doc:"how the value is computed from the source; by its type without one"`
	Arg       string      `json:"arg,omitempty"`
	Partition bool        `json:"partition,omitempty"`
	Probe     bool        `json:"probe,omitempty" doc:"a probe definition has it made"`
	From      []ColumnRef `json:"from,omitempty" doc:"columns that it is computed from"`
	Into      []ColumnRef `json:"into,omitempty" doc:"columns that are computed from it"`
}

// ColumnRef names a column.
type ColumnRef struct {
	Table  string `json:"table"`
	Column string `json:"column"`
}

func (c *catalog) summary(ctx context.Context, p *access.Person, t *schema.Table) (TableSummary, error) {
	stored := c.stored(t)
	_, reads := p.Reads(stored)
	s := TableSummary{
		Name: t.Name, Version: t.Version, Doc: t.Doc, Grain: t.Grain, Refresh: t.Refresh,
		Restricted: t.Restricted, Large: t.Large, Direct: t.Direct, Reads: reads, Rows: rows.Text(p.Rows(stored)),
		Columns: len(t.Columns),
	}
	all, err := c.published(ctx, c.Site, stored.Name)
	if err != nil {
		return s, err
	}
	now := c.Now()
	edges, _, err := c.Site.Edges(ctx, now)
	if err != nil {
		return s, err
	}
	today := job.FormatDay(now)
	for _, part := range all {
		if s.Published.add(part); !p.Counts(stored) {
			s.Published.Files, s.Published.Rows, s.Published.Bytes = 0, 0, 0
		}
		if s.Fresh.Newest = part.Day; part.Day < today && edgestate.Complete(ping.Day(part.Day), edges) {
			s.Fresh.Complete = part.Day
		}
		s.Fresh.Published = part.Published
	}
	if day, err := job.ParseDay(s.Fresh.Complete); err == nil {
		s.Fresh.Age = seconds(now.Sub(day.AddDate(0, 0, 1)))
	}
	if s.Fresh.Published != nil {
		s.Fresh.Since = seconds(now.Sub(*s.Fresh.Published))
	}
	return s, nil
}

func (t *TableTotals) add(p TablePartition) {
	if t.Days++; t.First == "" {
		t.First = p.Day
	}
	t.Last = p.Day
	t.Files += p.Files
	t.Rows += p.Rows
	t.Bytes += p.Bytes
}

func seconds(d time.Duration) *int64 {
	s := max(0, int64(d/time.Second))
	return &s
}
