package trino

import (
	"bytes"
	"context"
	_ "embed" // the system tables
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/sql/gate"
	"github.com/pingmill/pingmill/sql/lexer"
	"github.com/pingmill/pingmill/sql/presto"
	"github.com/pingmill/pingmill/sql/presto/functions"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
	"github.com/pingmill/pingmill/sql/query/view"
	"github.com/pingmill/pingmill/sql/queryservice"
)

//go:embed system.sql
var systemSQL string

// systemCatalog is the catalog of the system tables.
const systemCatalog = "system"

// systemText is the maximum length of a statement about the catalog in bytes.
const systemText = 64 << 10

// system holds the system tables for the translator and the statements that make them.
type system struct {
	tables  []presto.Table
	setup   string
	schemas []string
}

// systems translates system.sql once.
var systems = sync.OnceValue(func() *system {
	s := &system{}
	base := presto.NewCatalog(baseTables()...)
	for _, statement := range lexer.All(lexer.Presto, systemSQL) {
		t := tokensOf(statement.SQL).from(2) // CREATE VIEW
		path, n := t.path()
		name := "system_" + strings.Join(path, "_")
		translated, err := presto.Translate(t.from(n+1).written(), base)
		if err != nil {
			panic(fmt.Errorf("system table %s: %w", name, err)) // the tables are part of the program
		}
		s.setup += "CREATE VIEW " + view.QuoteName(name) + " AS " + translated.SQL + ";\n"
		s.tables = append(s.tables, presto.Table{Name: name, Aliases: []string{strings.Join(path, ".")}, Columns: translated.Columns})
		if !slices.Contains(s.schemas, path[0]) {
			s.schemas = append(s.schemas, path[0])
		}
	}
	return s
})

func isSystemSchema(name string) bool { return slices.Contains(systems().schemas, name) }

// baseTables returns the tables that system.sql selects from.
var baseTables = sync.OnceValue(func() []presto.Table {
	return []presto.Table{
		made("pm_schemas", "schema_name varchar"),
		made("pm_tables", "schema_name varchar, table_name varchar, comment varchar"),
		made("pm_columns", "schema_name varchar, table_name varchar, column_name varchar, position bigint, type varchar, jdbc bigint, "+
			"size bigint, digits bigint, radix bigint, octets bigint, comment varchar"),
		made("pm_queries", "query_id varchar, state varchar, person varchar, query varchar, queued bigint, created varchar, started varchar, "+
			"ended varchar, error varchar"),
		made("pm_server", "node_version varchar"),
	}
})

func made(name, columns string) presto.Table {
	t := presto.Table{Name: name}
	for column := range strings.SplitSeq(columns, ", ") {
		name, kind, _ := strings.Cut(column, " ")
		t.Columns = append(t.Columns, presto.Column{Name: name, Type: map[string]types.Type{"varchar": varchar, "bigint": bigint}[kind]})
	}
	return t
}

// aboutCatalog reports whether a statement reads the system tables and nothing else, or lists what there is.
func aboutCatalog(tree syntax.Statement) bool {
	switch tree.(type) {
	case *syntax.ShowTables, *syntax.ShowColumns, *syntax.ShowSchemas, *syntax.ShowFunctions:
		return true
	case *syntax.Query:
	default:
		return false
	}
	found, others := false, []string{}
	named := func(n syntax.Name) {
		switch before := n.Parts[:len(n.Parts)-1]; {
		case len(before) > 0 && isSystemSchema(before[len(before)-1].Key()):
			found = true
		case len(before) > 0:
			others = append(others, "")
		default:
			others = append(others, n.Key())
		}
	}
	syntax.Inspect(tree, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.TableName:
			named(n.Name)
		case *syntax.Table:
			named(n.Name)
		}
		return true
	})
	ctes := ctesOf(tree)
	return found && !slices.ContainsFunc(others, func(name string) bool { return !ctes[name] })
}

// ctesOf returns the names that queries of WITH have in a statement.
func ctesOf(tree syntax.Statement) map[string]bool {
	names := map[string]bool{}
	syntax.Inspect(tree, func(n syntax.Node) bool {
		if q, ok := n.(*syntax.Query); ok {
			for _, with := range q.With {
				names[with.Name.Key()] = true
			}
		}
		return true
	})
	return names
}

// qualify writes a schema of the system, if the client's session is in one, before the names that have none.
func qualify(tree syntax.Statement, schema string) {
	if !isSystemSchema(schema) {
		return
	}
	ctes := ctesOf(tree)
	add := func(n *syntax.Name) {
		if len(n.Parts) == 1 && !ctes[n.Key()] {
			n.Parts = []syntax.Ident{{Span: n.Span, Name: schema}, n.Parts[0]}
		}
	}
	if s, ok := tree.(*syntax.ShowTables); ok && s.From == nil {
		s.From = &syntax.Name{Span: s.Span, Parts: []syntax.Ident{{Span: s.Span, Name: schema}}}
	}
	syntax.Inspect(tree, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.TableName:
			add(&n.Name)
		case *syntax.Table:
			add(&n.Name)
		case *syntax.ShowColumns:
			add(&n.Table)
		}
		return true
	})
}

// systemTables returns the tables of a schema of the system under their names in it.
func systemTables(schema string) *presto.Catalog {
	var tables []presto.Table
	for _, t := range systems().tables {
		if name, ok := strings.CutPrefix(t.Aliases[0], schema+"."); ok {
			tables = append(tables, presto.Table{Name: name, Columns: t.Columns})
		}
	}
	return presto.NewCatalog(tables...)
}

// translate translates a statement about the catalog.
func (c *call) translate(text string, tree syntax.Statement) (*presto.Translation, error) {
	switch s := tree.(type) {
	case *syntax.Query:
	case *syntax.ShowTables:
		if s.From != nil && isSystemSchema(s.From.Last().Key()) {
			catalog := systemTables(s.From.Last().Key())
			s.From = nil
			return presto.TranslateStatement(text, tree, catalog)
		}
		return presto.TranslateStatement(text, tree, c.granted())
	case *syntax.ShowColumns:
		if n := len(s.Table.Parts); n > 1 && isSystemSchema(s.Table.Parts[n-2].Key()) {
			catalog := systemTables(s.Table.Parts[n-2].Key())
			s.Table.Parts = s.Table.Parts[n-1:]
			return presto.TranslateStatement(text, tree, catalog)
		}
		return presto.TranslateStatement(text, tree, c.granted())
	default:
		return presto.TranslateStatement(text, tree, c.granted())
	}
	syntax.Inspect(tree, func(n syntax.Node) bool {
		if t, ok := n.(*syntax.TableName); ok && len(t.Name.Parts) == 3 && t.Name.Parts[0].Key() == systemCatalog {
			t.Name.Parts = t.Name.Parts[1:] // the translator knows tables by schema and name
		}
		return true
	})
	return presto.TranslateStatement(text, tree, presto.NewCatalog(systems().tables...))
}

// system runs a statement about the catalog.
func (c *call) system(ctx context.Context, tree syntax.Statement) (*result, error) {
	if len(c.text) > systemText {
		return nil, &problem{notSupported, fmt.Sprintf("a statement about the catalog has more than %d bytes", systemText)}
	}
	t, err := c.translate(c.text, tree)
	if err != nil {
		return nil, err
	}
	setup, err := c.setup(ctx, slices.ContainsFunc(t.Tables, func(name string) bool { return name == "system_runtime_queries" }))
	if err != nil {
		return nil, err
	}
	out := &bounded{most: queryservice.CatalogBytes}
	q := queryservice.CatalogQuery{SQL: t.SQL, Setup: setup, Grants: gate.Grants{Tables: t.Tables, Functions: functions.Internal}}
	if err := c.Executor.Service.Catalog(ctx, c.person, q, out); err != nil {
		return nil, err
	}
	r := &result{rows: &catalogRows{out.Bytes(), c.person.Grants}}
	for _, column := range t.Columns {
		r.names, r.types = append(r.names, column.Name), append(r.types, shownType(column.Type))
	}
	return r, nil
}

// bounded is a buffer with a maximum size in bytes.
type bounded struct {
	bytes.Buffer
	most int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.most {
		return 0, queryservice.ErrCatalogResult
	}
	return b.Buffer.Write(p)
}

// granted returns the tables that the person may read.
func (c *call) granted() *presto.Catalog {
	var tables []presto.Table
	for _, t := range bi.Granted(c.person, c.Tables) {
		table := presto.Table{Name: t.Name}
		for _, v := range t.Columns {
			if typ, err := types.FromDuckDB(v.Type); err == nil {
				table.Columns = append(table.Columns, presto.Column{Name: v.Name, Type: typ, Comment: t.Table.Columns[t.Index(v.Name)].Doc})
			}
		}
		tables = append(tables, table)
	}
	return presto.NewCatalog(tables...)
}
