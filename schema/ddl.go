package schema

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/internal/lazy"
)

// dialect defines how an engine writes types and tables.
type dialect struct {
	names  map[Kind]string
	quote  string
	array  string // format of an element type
	mapOf  string // format of key and value types
	fields string // between a struct member's name and type
	open   string // around struct members
	close  string
	ddl    func(d dialect, t *Table, engine, location string) string
}

var (
	hiveNames = map[Kind]string{Boolean: "BOOLEAN", Int: "INT", Long: "BIGINT", Double: "DOUBLE", String: "STRING", Date: "DATE",
		Timestamp: "TIMESTAMP"}
	sqlNames = map[Kind]string{Boolean: "BOOLEAN", Int: "INTEGER", Long: "BIGINT", Double: "DOUBLE", String: "VARCHAR", Date: "DATE",
		Timestamp: "TIMESTAMP"}

	dialects = map[string]dialect{
		"spark":  {hiveNames, "`", "ARRAY<%s>", "MAP<%s, %s>", ": ", "STRUCT<", ">", sparkDDL},
		"hive":   {hiveNames, "`", "ARRAY<%s>", "MAP<%s, %s>", ":", "STRUCT<", ">", hiveDDL},
		"athena": {hiveNames, "`", "ARRAY<%s>", "MAP<%s, %s>", ":", "STRUCT<", ">", athenaDDL},
		"trino":  {sqlNames, `"`, "ARRAY(%s)", "MAP(%s, %s)", " ", "ROW(", ")", prestoDDL},
		"presto": {sqlNames, `"`, "ARRAY(%s)", "MAP(%s, %s)", " ", "ROW(", ")", prestoDDL},
		"duckdb": {sqlNames, `"`, "%s[]", "MAP(%s, %s)", " ", "STRUCT(", ")", viewDDL},
	}
)

// Engines returns the names of the engines that DDL and TypeIn support.
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

// TypeIn writes a type as an engine does: spark, hive, athena, trino, presto or duckdb.
func TypeIn(engine string, t Type) (string, error) {
	d, ok := dialects[engine]
	if !ok {
		return "", fmt.Errorf("no dialect %q: want one of %s", engine, strings.Join(Engines(), ", "))
	}
	return d.typ(t), nil
}

// DDL writes the statements with which an engine reads the table at a location.
//
// Where an engine can, it finds days and samples by itself: it needs no statement after a publication. The others,
// presto and hive, get a last statement that finds the partitions and is to be run again for new ones.
func DDL(t *Table, engine, location string) (string, error) {
	d, ok := dialects[engine]
	if !ok {
		return "", fmt.Errorf("write DDL of %s: no format %q: want text, json, %s", t.Name, engine, strings.Join(Engines(), ", "))
	}
	if t.IsSnapshots() {
		return d.snapshotDDL(t, engine, location), nil
	}
	return d.ddl(d, t, engine, location), nil
}

// snapshotDDL writes the statement for one snapshot. Fill in its day unless the table is one snapshot.
func (d dialect) snapshotDDL(t *Table, engine, location string) string {
	var head string
	if t.Snapshots.day == "" {
		location += "/" + t.PartitionDir("YYYYMMDD")
		head = "-- Replace YYYYMMDD by the day of a snapshot, or name one: pingmill schema " + t.Name + "_v20180630.\n"
	}
	columns := strings.Join(d.columns(t.Columns, engine), ",\n")
	switch engine {
	case "spark":
		return head + fmt.Sprintf("CREATE TABLE %s (\n%s\n)\nUSING PARQUET\nLOCATION '%s';", t.Name, columns, location)
	case "trino", "presto":
		return head + fmt.Sprintf("CREATE TABLE %s (\n%s\n)\nWITH (\n  format = 'PARQUET',\n  external_location = '%s'\n);", t.Name, columns,
			location)
	case "duckdb":
		return head + fmt.Sprintf("CREATE VIEW %s AS\nSELECT * FROM read_parquet('%s/*.parquet', union_by_name = true);", t.Name, location)
	}
	return head + fmt.Sprintf("CREATE EXTERNAL TABLE %s (\n%s\n)\nSTORED AS PARQUET\nLOCATION '%s/';", t.Name, columns, location)
}

func viewDDL(_ dialect, t *Table, _, location string) string {
	return fmt.Sprintf("CREATE VIEW %s AS\nSELECT * FROM read_parquet('%s/**/*.parquet', hive_partitioning = true, hive_types_autocast = "+
		"false, union_by_name = true);",
		t.Name, location)
}

// prestoDDL declares the day alone as a partition. The sample is a column of the files: a catalog that looks into the
// folders of a day finds also those that a published day gets later. Trino finds the days by its projection of
// partitions.
func prestoDDL(d dialect, t *Table, engine, location string) string {
	day, columns := t.dayLast()
	lines := d.columns(columns, engine)
	with := []string{"format = 'PARQUET'", "external_location = '" + location + "'", "partitioned_by = ARRAY['" + day + "']"}
	end := ";\nCALL system.sync_partition_metadata(current_schema, '" + t.Name + "', 'FULL');"
	if engine == "trino" {
		lines[len(lines)-1] += fmt.Sprintf(
			" WITH (partition_projection_type = 'DATE', partition_projection_format = '%s', partition_projection_range = ARRAY['%s', '%s'])",
			t.dayFormat(), t.PartitionValue(firstDay), lastDay)
		with, end = append(with, "partition_projection_enabled = true"), ";"
	}
	return fmt.Sprintf("CREATE TABLE %s (\n%s\n)\nWITH (\n  %s\n)%s", t.Name, strings.Join(lines, ",\n"), strings.Join(with, ",\n  "), end)
}

// sparkDDL has Spark find the partitions in the folders: in a table whose
// partitions it registers, later ones are missing until it registers them.
func sparkDDL(d dialect, t *Table, engine, location string) string {
	return fmt.Sprintf("SET spark.sql.hive.manageFilesourcePartitions = false;\nCREATE TABLE %s (\n%s\n)\nUSING PARQUET\nPARTITIONED BY "+
		"(%s)\nLOCATION '%s';",
		t.Name, strings.Join(d.columns(t.Columns, engine), ",\n"), strings.Join(t.PartitionKeys, ", "), location)
}

// hiveDDL registers days and samples.
func hiveDDL(d dialect, t *Table, engine, location string) string {
	data := len(t.Columns) - len(t.PartitionKeys)
	return d.externalDDL(t, engine, t.Columns[:data], t.Columns[data:], location) + ";\nMSCK REPAIR TABLE " + t.Name + " SYNC PARTITIONS;"
}

// athenaDDL declares the day alone, as prestoDDL does: Athena reads all that is
// below the place of a partition.
func athenaDDL(d dialect, t *Table, engine, location string) string {
	day, columns := t.dayLast()
	last := len(columns) - 1
	return d.externalDDL(t, engine, columns[:last], columns[last:], location+"/") + fmt.Sprintf(`
TBLPROPERTIES (
  'projection.enabled' = 'true',
  'projection.%[1]s.type' = 'date',
  'projection.%[1]s.format' = '%[2]s',
  'projection.%[1]s.range' = '%[3]s,%[4]s',
  'projection.%[1]s.interval' = '1',
  'projection.%[1]s.interval.unit' = 'DAYS'
);`, day, t.dayFormat(), t.PartitionValue(firstDay), lastDay)
}

// externalDDL is Hive's statement for a table with these partition columns, without its end.
func (d dialect) externalDDL(t *Table, engine string, columns, keys []Column, location string) string {
	return fmt.Sprintf("CREATE EXTERNAL TABLE %s (\n%s\n)\nPARTITIONED BY (\n%s\n)\nSTORED AS PARQUET\nLOCATION '%s'",
		t.Name, strings.Join(d.columns(columns, engine), ",\n"), strings.Join(d.columns(keys, engine), ",\n"), location)
}

// The days that an engine with projected partitions looks for: no ping of these kinds is older, and clocks may differ.
const (
	firstDay = "20150101"
	lastDay  = "NOW+1DAYS"
)

// dayFormat returns the format of days in partition names, as a Java date pattern.
func (t *Table) dayFormat() string {
	if t.DashedDays {
		return "yyyy-MM-dd"
	}
	return "yyyyMMdd"
}

// dayLast returns the columns with the named day column as the last one.
func (t *Table) dayLast() (day string, columns []Column) {
	day = t.PartitionKeys[0]
	at := t.Index(day)
	return day, append(slices.Delete(slices.Clone(t.Columns), at, at+1), t.Columns[at])
}

// athenaNames are the names of columns that Athena supports in every statement.
var athenaNames = lazy.Regexp(`^[A-Za-z0-9_]+$`)

func canName(engine string, c *Column) bool {
	return engine != "athena" || athenaNames().MatchString(c.Name)
}

// Unnamable returns the columns that DDL leaves out, as the engine does not support their names.
func Unnamable(t *Table, engine string) (names []string) {
	for _, c := range t.Columns {
		if !canName(engine, &c) {
			names = append(names, c.Name)
		}
	}
	return names
}

// escaped escapes a text for a statement of Hive, Spark or Athena.
var escaped = strings.NewReplacer(`\`, `\\`, "'", `\'`)

func (d dialect) columns(cols []Column, engine string) []string {
	var lines []string
	for _, c := range cols {
		if !canName(engine, &c) {
			continue
		}
		line := "  " + d.quote + c.Name + d.quote + " " + d.typ(c.Type)
		if engine != "trino" && engine != "presto" {
			line += " COMMENT '" + escaped.Replace(c.Doc) + "'"
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
