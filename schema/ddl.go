package schema

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// dialect says how an engine writes types and tables.
type dialect struct {
	names  map[Kind]string
	quote  string
	array  string // format of an element type
	mapOf  string // format of key and value types
	fields string // between a struct member's name and type
	open   string // around struct members
	close  string
}

var (
	hiveNames = map[Kind]string{Boolean: "BOOLEAN", Int: "INT", Long: "BIGINT", Double: "DOUBLE", String: "STRING"}
	sqlNames  = map[Kind]string{Boolean: "BOOLEAN", Int: "INTEGER", Long: "BIGINT", Double: "DOUBLE", String: "VARCHAR"}

	dialects = map[string]dialect{
		"spark":  {hiveNames, "`", "ARRAY<%s>", "MAP<%s, %s>", ": ", "STRUCT<", ">"},
		"hive":   {hiveNames, "`", "ARRAY<%s>", "MAP<%s, %s>", ":", "STRUCT<", ">"},
		"athena": {hiveNames, "`", "ARRAY<%s>", "MAP<%s, %s>", ":", "STRUCT<", ">"},
		"trino":  {sqlNames, `"`, "ARRAY(%s)", "MAP(%s, %s)", " ", "ROW(", ")"},
		"duckdb": {sqlNames, `"`, "%s[]", "MAP(%s, %s)", " ", "STRUCT(", ")"},
	}
)

// Engines are those that DDL and TypeIn write for.
func Engines() []string { return slices.Sorted(maps.Keys(dialects)) }

func (d dialect) typ(t Type) string {
	switch t.Kind {
	case Decimal:
		return fmt.Sprintf("DECIMAL(%d,%d)", t.Precision, t.Scale)
	case Array:
		return fmt.Sprintf(d.array, d.typ(*t.Elem))
	case Map:
		return fmt.Sprintf(d.mapOf, d.typ(*t.Key), d.typ(*t.Elem))
	case Struct:
		members := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			members[i] = d.quote + f.Name + d.quote + d.fields + d.typ(f.Type)
		}
		return d.open + strings.Join(members, ", ") + d.close
	}
	return d.names[t.Kind]
}

// TypeIn writes a type as an engine does: spark, hive, athena, trino or duckdb.
func TypeIn(engine string, t Type) (string, error) {
	d, ok := dialects[engine]
	if !ok {
		return "", fmt.Errorf("no dialect %q: want one of %s", engine, strings.Join(Engines(), ", "))
	}
	return d.typ(t), nil
}

// DDL writes the statements with which an engine reads the table at a location:
// the table, and the one that finds its partitions, which an engine needs again
// after every publication.
func DDL(t *Table, engine, location string) (string, error) {
	d, ok := dialects[engine]
	if !ok {
		return "", fmt.Errorf("write DDL of %s: no format %q: want text, json, %s", t.Name, engine, strings.Join(Engines(), ", "))
	}
	if engine == "duckdb" {
		return fmt.Sprintf("CREATE VIEW %s AS\nSELECT * FROM read_parquet('%s/**/*.parquet', hive_partitioning = true, hive_types_autocast = false, union_by_name = true);",
			t.Name, location), nil
	}
	data := len(t.Columns) - len(t.PartitionKeys)
	plain, keys := d.columns(t.Columns[:data], engine), d.columns(t.Columns[data:], engine)
	switch engine {
	case "trino":
		return fmt.Sprintf("CREATE TABLE %s (\n%s\n)\nWITH (\n  format = 'PARQUET',\n  external_location = '%s',\n  partitioned_by = ARRAY['%s']\n);\n"+
			"CALL system.sync_partition_metadata(current_schema, '%[1]s', 'FULL');",
			t.Name, strings.Join(append(plain, keys...), ",\n"), location, strings.Join(t.PartitionKeys, "', '")), nil
	case "spark":
		return fmt.Sprintf("CREATE TABLE %s (\n%s\n)\nUSING PARQUET\nPARTITIONED BY (%s)\nLOCATION '%s';\nMSCK REPAIR TABLE %[1]s SYNC PARTITIONS;",
			t.Name, strings.Join(append(plain, keys...), ",\n"), strings.Join(t.PartitionKeys, ", "), location), nil
	}
	repair := "MSCK REPAIR TABLE " + t.Name
	if engine == "hive" {
		repair += " SYNC PARTITIONS"
	}
	return fmt.Sprintf("CREATE EXTERNAL TABLE %s (\n%s\n)\nPARTITIONED BY (\n%s\n)\nSTORED AS PARQUET\nLOCATION '%s';\n%s;",
		t.Name, strings.Join(plain, ",\n"), strings.Join(keys, ",\n"), location, repair), nil
}

// athenaNames are the names of columns that Athena supports in every statement.
var athenaNames = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

func canName(engine string, c *Column) bool {
	return engine != "athena" || athenaNames.MatchString(c.Name)
}

// Unnamable are the columns that DDL leaves out, as the engine does not support
// their names.
func Unnamable(t *Table, engine string) (names []string) {
	for _, c := range t.Columns {
		if !canName(engine, &c) {
			names = append(names, c.Name)
		}
	}
	return names
}

func (d dialect) columns(cols []Column, engine string) []string {
	var lines []string
	for _, c := range cols {
		if !canName(engine, &c) {
			continue
		}
		line := "  " + d.quote + c.Name + d.quote + " " + d.typ(c.Type)
		if engine != "trino" {
			line += " COMMENT '" + strings.ReplaceAll(c.Doc, "'", "\\'") + "'"
		}
		lines = append(lines, line)
	}
	return lines
}

// SourceText says in one line where a column's value comes from.
func (c *Column) SourceText() string {
	s := c.Source
	if c.Arg != "" {
		s += " [" + c.Arg + "]"
	}
	if c.Rule != RulePath {
		s = string(c.Rule) + " of " + s
	}
	return s
}
