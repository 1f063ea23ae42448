package presto

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// relation is a translated part of FROM.
type relation struct {
	sql   string  // as it stands in FROM; a join may need brackets
	join  bool    // whether it does
	names []Named // its columns, in order
	rows  []Named // of UNNEST alone: its columns with rows of arrays whole, not as their fields
}

// in writes the relation as the right side of a join.
func (r relation) in() string {
	if r.join {
		return "(" + r.sql + ")"
	}
	return r.sql
}

// from translates a relation. outer is the scope around it.
func (t *translator) from(outer *Scope, r syntax.Relation) relation {
	defer t.deeper(r)()
	switch r := r.(type) {
	case *syntax.TableName:
		return t.table(r)
	case *syntax.Derived:
		return t.derived(outer, r.Query, "")
	case *syntax.Lateral:
		return t.derived(outer, r.Query, "")
	case *syntax.Unnest:
		return t.unnest(outer, r)
	case *syntax.Aliased:
		return t.aliased(t.from(outer, r.Relation), r)
	case *syntax.Sampled:
		return t.sampled(outer, r)
	}
	return t.join(outer, r.(*syntax.Join))
}

func (t *translator) derived(outer *Scope, q *syntax.Query, lateral string) relation {
	sql, columns := t.query(outer, q)
	alias := t.alias("r")
	return relation{sql: lateral + "(" + sql + ") AS " + alias, names: columnsOf(alias, columns)}
}

// of are columns c0, c1, … of a table of the SQL.
func columnsOf(alias string, columns []Named) []Named {
	names := make([]Named, len(columns))
	for i, c := range columns {
		names[i] = Named{Name: c.Name, Shown: c.Shown, Type: c.Type, SQL: alias + "." + column(i), Key: c.Key}
	}
	return names
}

// Where the tables are for those who name it: any of these may stand before a table.
var (
	catalogs = []string{"hive", "awsdatacatalog", "presto", "trino", "iceberg", "delta"}
	schemas  = []string{"default", "telemetry", "main", "public"}
)

// table translates the name of a table or of a query of WITH.
func (t *translator) table(r *syntax.TableName) relation {
	parts := r.Name.Parts
	last := r.Name.Last()
	if c := t.cte(last.Key()); c != nil && len(parts) == 1 {
		alias := t.alias("r")
		names := columnsOf(alias, c.columns)
		for i := range names {
			names[i].Table = c.name
		}
		return relation{sql: c.sql + " AS " + alias, names: names}
	}
	if len(parts) > 1 && parts[len(parts)-2].Key() == "information_schema" && inSchema(t.catalog, r.Name) == nil {
		return t.informationSchema(r)
	}
	if name, ok := strings.CutSuffix(last.Key(), "$partitions"); ok {
		return t.partitions(r, name)
	}
	table := t.tableNamed(r, r.Name)
	qualifier := []string{"hive", "default"}
	for i, p := range parts[:len(parts)-1] {
		qualifier[2-len(parts)+1+i] = p.Key()
	}
	alias := t.alias("r")
	out := relation{sql: duck.Name(table.Name) + " AS " + alias}
	for _, c := range table.Columns {
		out.names = append(out.names, Named{Table: last.Key(), Qualifier: qualifier, Name: strings.ToLower(c.Name), Shown: c.Name,
			SQL: alias + "." + duck.Name(c.Name), Type: c.Type, Key: slices.Contains(table.PartitionKeys, c.Name)})
	}
	return out
}

// inSchema returns the table that a name has in a schema of its own, such as firefox_desktop.baseline; nil if there is none.
func inSchema(c *Catalog, name syntax.Name) *Table {
	n := len(name.Parts)
	if n < 2 || n > 3 || n == 3 && !slices.Contains(catalogs, name.Parts[0].Key()) {
		return nil
	}
	return c.Table(name.Parts[n-2].Key() + "." + name.Last().Key())
}

// tableNamed returns the table of a name with or without schema and catalog.
func (t *translator) tableNamed(at syntax.Node, name syntax.Name) *Table {
	table := inSchema(t.catalog, name)
	if table == nil {
		t.checkPath(name)
		if table = t.catalog.Table(name.Last().Name); table == nil {
			t.fail(at, t.tableHint(name.Last()), "there is no table %s", name.Last().Name)
		}
	}
	t.tables[table.Name] = true
	return table
}

func (t *translator) tableHint(name syntax.Ident) string {
	var known []string
	for _, table := range t.catalog.Tables {
		known = append(known, table.Name)
		known = append(known, table.Aliases...)
	}
	if hint := didYouMean(name.Name, known); hint != "" {
		return hint
	}
	if strings.HasPrefix(name.Key(), "read_") || strings.ContainsAny(name.Name, "./*") {
		return "only tables can be read: SHOW TABLES lists them"
	}
	if len(known) == 0 {
		return "there are no tables"
	}
	return "SHOW TABLES lists the tables"
}

// checkPath refuses other catalogs and schemas than the one there is.
func (t *translator) checkPath(name syntax.Name) {
	before := name.Parts[:len(name.Parts)-1]
	if len(before) > 2 {
		t.fail(name, "", "the name of a table has at most three parts")
	}
	if n := len(before); n > 0 {
		schema := before[n-1]
		if tables := t.catalog.schema(schema.Key()); len(tables) > 0 {
			hint := cmp.Or(didYouMean(name.Last().Name, tables), "SHOW TABLES FROM "+schema.Name+" lists its tables")
			t.fail(name, hint, "there is no table %s.%s", schema.Name, name.Last().Name)
		}
		if !slices.Contains(schemas, schema.Key()) {
			t.fail(schema, "the tables are in hive.default: write "+name.Last().Name, "there is no schema %s", schema.Name)
		}
	}
	if len(before) == 2 && !slices.Contains(catalogs, before[0].Key()) {
		t.fail(before[0], "the tables are in hive.default: write "+name.Last().Name, "there is no catalog %s", before[0].Name)
	}
}

// aliased returns a relation and its columns other names.
func (t *translator) aliased(r relation, a *syntax.Aliased) relation {
	names := r.names
	if len(a.Columns) > 0 && len(a.Columns) != len(names) && len(a.Columns) == len(r.rows) {
		names = r.rows // UNNEST(rows) AS t(r) names the row itself
	} else if len(names) == len(r.rows) {
		names = slices.Clone(names)
		for i, row := range r.rows {
			if row.Type.Kind == types.Row && names[i].SQL != row.SQL {
				names[i].Only = strings.ToLower(row.Type.Names[0])
			}
		}
	}
	out := relation{sql: r.sql, join: r.join}
	for _, n := range t.renamed(a, names, a.Columns) {
		n.Table, n.Qualifier = a.Alias.Key(), nil
		out.names = append(out.names, n)
	}
	return out
}

// sampled translates TABLESAMPLE: each row is in it with the same chance.
func (t *translator) sampled(outer *Scope, s *syntax.Sampled) relation {
	p := t.coerce(t.expr(&Scope{Clause: "TABLESAMPLE"}, s.Percentage), types.New(types.Double))
	r := t.from(outer, s.Relation)
	return t.wrapped(r, nil, " WHERE random() * 100 < "+p.SQL)
}

// wrapped selects the columns of a relation, and more, under the names of the new one.
func (t *translator) wrapped(r relation, more []string, tail string) relation {
	alias := t.alias("r")
	items := make([]string, 0, len(r.names)+len(more))
	out := relation{names: slices.Clone(r.names)}
	var optional strings.Builder
	for i, n := range r.names {
		if len(more) > 0 && duck.Simple(n.SQL) {
			optional.WriteString(duck.Item(alias, column(i), n.SQL))
		} else {
			items = append(items, n.SQL+" AS "+column(i))
		}
		out.names[i].SQL = alias + "." + column(i)
	}
	from := ""
	if r.sql != "" {
		from = " FROM " + r.sql
	}
	out.sql = fmt.Sprintf("(SELECT %s%s%s%s) AS %s", optional.String(), strings.Join(append(items, more...), ", "), from, tail, alias)
	return out
}
