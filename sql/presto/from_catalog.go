package presto

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// showPartitions is SELECT * FROM "table$partitions".
func (t *translator) showPartitions(s *syntax.ShowPartitions) *Translation {
	last := s.Table.Last()
	last.Name += "$partitions"
	parts := append(slices.Clone(s.Table.Parts[:len(s.Table.Parts)-1]), last)
	from := &syntax.TableName{Span: s.Table.Span, Name: syntax.Name{Span: s.Table.Span, Parts: parts}}
	q := &syntax.Query{Span: s.Span, OrderBy: s.OrderBy, Limit: s.Limit, Body: &syntax.Select{
		Span: s.Span, Items: []syntax.SelectItem{{Span: s.Span, Star: true}}, From: from, Where: s.Where,
	}}
	return t.result(Show, t.ordered(nil, q))
}

// partitions returns the table of a table's partitions, sorted.
func (t *translator) partitions(at *syntax.TableName, name string) relation {
	full := syntax.Name{Span: at.Name.Span, Parts: slices.Clone(at.Name.Parts)}
	full.Parts[len(full.Parts)-1].Name = name
	table := t.tableNamed(at, full)
	if table.Partitions == nil || len(table.PartitionKeys) == 0 {
		t.fail(at, "", "%s has no partitions", name)
	}
	delete(t.tables, table.Name) // it is not read
	alias := t.alias("r")
	r := relation{sql: fmt.Sprintf("%s AS %s(%s)", constants(table.Partitions(), len(table.PartitionKeys)), alias,
		columnList(len(table.PartitionKeys)))}
	for i, key := range table.PartitionKeys {
		r.names = append(r.names, Named{Table: at.Name.Last().Key(), Name: strings.ToLower(key), Shown: key, SQL: alias + "." + column(i),
			Type: varchar})
	}
	return r
}

// informationSchema returns the tables of information_schema that list tables and columns.
func (t *translator) informationSchema(r *syntax.TableName) relation {
	bigint := types.New(types.Bigint)
	at := []Column{{Name: "table_catalog", Type: varchar}, {Name: "table_schema", Type: varchar}, {Name: "table_name", Type: varchar}}
	var columns []Column
	var rows [][]string
	switch r.Name.Last().Key() {
	case "tables":
		columns = append(at, Column{Name: "table_type", Type: varchar})
		for _, table := range t.catalog.Tables {
			rows = append(rows, []string{"hive", "default", table.Name, "BASE TABLE"})
		}
	case "columns":
		columns = append(at, Column{Name: "column_name", Type: varchar}, Column{Name: "ordinal_position", Type: bigint},
			Column{Name: "is_nullable", Type: varchar}, Column{Name: "data_type", Type: varchar})
		for _, table := range t.catalog.Tables {
			for i, c := range table.Columns {
				rows = append(rows, []string{"hive", "default", table.Name, c.Name, strconv.Itoa(i + 1), "YES", c.Type.String()})
			}
		}
	case "schemata":
		columns = []Column{{Name: "catalog_name", Type: varchar}, {Name: "schema_name", Type: varchar}}
		rows = [][]string{{"hive", "default"}}
	default:
		t.refuse(r, "there are information_schema.tables, columns and schemata", "information_schema.%s is not supported", r.Name.Last().Name)
	}
	alias := t.alias("r")
	out := relation{sql: constants(rows, len(columns)) + " AS " + alias + "(" + columnList(len(columns)) + ")"}
	for i, c := range columns {
		sql := alias + "." + column(i)
		if c.Type.Kind == types.Bigint {
			sql = "CAST(" + sql + " AS BIGINT)"
		}
		out.names = append(out.names, Named{Table: r.Name.Last().Key(), Qualifier: []string{"hive", "information_schema"}, Name: c.Name,
			Shown: c.Name, SQL: sql, Type: c.Type})
	}
	return out
}
