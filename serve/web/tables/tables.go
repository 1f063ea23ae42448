// Package tables serves the catalog of the query tool: descriptions of tables, their published partitions, their
// lineage, and DDL for other engines. A person without a table's grant sees nothing of it.
package tables

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/serve/web/api"
	"github.com/pingmill/pingmill/serve/web/tables/metrics"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/store"
)

// Options holds the dependencies of the catalog.
type Options struct {
	Site         *site.Site
	QueryService *queryservice.Service // for samples
	Root         string                // folder or URL of the installation for other engines
	Now          func() time.Time
}

// Register adds the operations.
func Register(a huma.API, o Options) {
	c := &catalog{Options: o, partitionCache: partitionCache{known: map[string]map[string]known{}}}
	api.Do(a, "GET /tables", "The tables that you may see", api.Member, c.list)
	api.Do(a, "GET /tables/{name}", "One table: what it is, its columns, what it is made from", api.Member, c.get)
	api.Do(a, "GET /tables/{name}/partitions", "What is published of a table, newest day first", api.Member, c.partitions)
	api.Do(a, "GET /tables/{name}/sample", "Some rows of a table's newest day, as a query of yours", api.Member, c.sample)
	api.Do(a, "GET /tables/{name}/ddl", "The statements with which another engine reads a table", api.Member, c.ddl)
	api.Do(a, "GET /columns", "Search the columns of all tables", api.Member, c.columns)
	metrics.Register(a, metrics.Options{Site: o.Site, Now: o.Now})
}

type catalog struct {
	Options
	partitionCache
}

// Named is the input of operations on one table.
type Named struct {
	Name string `path:"name" doc:"name of the table"`
}

type list struct {
	Body struct {
		Items   []TableSummary `json:"items"`
		Engines []string       `json:"engines" doc:"those that DDL is written for"`
	}
}

func (c *catalog) list(ctx context.Context, _ *struct{}) (*list, error) {
	var out list
	out.Body.Engines = schema.Engines()
	p := access.From(ctx)
	for _, t := range c.visible(p) {
		s, err := c.summary(ctx, p, t)
		if err != nil {
			return nil, err
		}
		out.Body.Items = append(out.Body.Items, s)
	}
	return &out, nil
}

type one struct{ Body Table }

func (c *catalog) get(ctx context.Context, in *Named) (*one, error) {
	p := access.From(ctx)
	all := c.visible(p)
	t, err := find(all, in.Name)
	if err != nil {
		return nil, err
	}
	s, err := c.summary(ctx, p, t)
	if err != nil {
		return nil, err
	}
	out := &one{Table{
		TableSummary: s, Use: t.Use, Notes: t.Notes, Location: c.location(t, ""), PartitionKeys: t.PartitionKeys, Checks: []TableRule{},
		Lineage: lineageOf(t, all), Schema: columnsOf(t, all),
	}}
	for _, k := range t.Checks {
		out.Body.Checks = append(out.Body.Checks, TableRule{k.Name, k.Rule})
	}
	out.Body.Examples, err = examplesOf(p, t, c.Site.Tables, s.Fresh.Newest)
	return out, err
}

type ddlInput struct {
	Named
	Engine string `query:"engine" required:"true" doc:"an engine, see the list of tables"`
	Root   string `query:"root" maxLength:"1000" doc:"where the engine finds the installation; default: its folder on the server"`
}

type ddlOutput struct {
	Body struct {
		Engine  string   `json:"engine"`
		DDL     string   `json:"ddl"`
		LeftOut []string `json:"leftOut" doc:"columns whose names the engine does not support"`
	}
}

func (c *catalog) ddl(ctx context.Context, in *ddlInput) (*ddlOutput, error) {
	t, err := find(c.visible(access.From(ctx)), in.Name)
	if err != nil {
		return nil, err
	}
	if stored := c.stored(t); stored != t {
		return nil, huma.Error422UnprocessableEntity("it is a view, which has no files: see " + stored.Name)
	}
	if strings.ContainsAny(in.Root, "'\n\r\\") {
		return nil, huma.Error422UnprocessableEntity("root has a quote, a backslash or a line break")
	}
	var out ddlOutput
	out.Body.Engine, out.Body.LeftOut = in.Engine, slices.Clip(append([]string{}, schema.Unnamable(t, in.Engine)...))
	out.Body.DDL, err = schema.DDL(t, in.Engine, c.location(t, in.Root))
	if err != nil {
		return nil, huma.Error422UnprocessableEntity("there is no such engine: want one of " + strings.Join(schema.Engines(), ", "))
	}
	return &out, nil
}

type columnsInput struct {
	Text  string `query:"text" maxLength:"200" doc:"words that the name, the doc or the source has, in any case"`
	Limit int    `query:"limit" default:"100" minimum:"1" maximum:"1000"`
}

type columnsOutput struct {
	Body struct {
		Items []FoundColumn `json:"items"`
		Total int           `json:"total" doc:"how many there are, also beyond the limit"`
	}
}

// FoundColumn is a result of a search for columns.
type FoundColumn struct {
	Table  string `json:"table"`
	Name   string `json:"name"`
	Type   string `json:"type"`
	Doc    string `json:"doc"`
	Source string `json:"source"`
}

func (c *catalog) columns(ctx context.Context, in *columnsInput) (*columnsOutput, error) {
	words := strings.Fields(strings.ToLower(in.Text))
	var byName, others []FoundColumn
	for _, t := range c.visible(access.From(ctx)) {
		for i := range t.Columns {
			f := FoundColumn{t.Name, t.Columns[i].Name, t.Columns[i].Type.String(), t.Columns[i].Doc, t.Columns[i].SourceText()}
			switch {
			case hasAll(f.Name, words):
				byName = append(byName, f)
			case hasAll(f.Table+" "+f.Name+" "+f.Doc+" "+f.Source, words):
				others = append(others, f)
			}
		}
	}
	var out columnsOutput
	out.Body.Items = append([]FoundColumn{}, append(byName, others...)...)
	out.Body.Total = len(out.Body.Items)
	out.Body.Items = out.Body.Items[:min(in.Limit, out.Body.Total)]
	return &out, nil
}

func hasAll(text string, words []string) bool {
	text = strings.ToLower(text)
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// visible returns the tables that a person may know of, with the views that they may read.
func (c *catalog) visible(p *access.Person) (all []*schema.Table) {
	for _, t := range p.Visible(c.Site.Tables) {
		all = append(all, t)
		if columns, may := p.Reads(t); may && columns == nil {
			all = append(all, t.Views...)
		}
	}
	return all
}

// stored returns the table whose files have the rows of a table: the table that it is a view of, or itself.
func (c *catalog) stored(t *schema.Table) *schema.Table {
	if _, err := c.Site.Find(t.Name); err != nil && len(t.Needs) == 1 {
		if source, err := c.Site.Find(t.Needs[0]); err == nil {
			return source
		}
	}
	return t
}

// find returns the visible table with a name.
func find(tables []*schema.Table, name string) (*schema.Table, error) {
	for _, t := range tables {
		if t.Name == name {
			return t, nil
		}
	}
	return nil, huma.Error404NotFound("there is no such table")
}

// location returns the location of a table for other engines, below root if it is set.
func (c *catalog) location(t *schema.Table, root string) string {
	if root == "" && c.Site.Remote() {
		return store.Place(c.Site.Roots[t.Root], t.Prefix())
	}
	return t.LocationIn(cmp.Or(root, c.Root))
}
