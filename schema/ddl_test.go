package schema

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const everyType = "struct<a:boolean,b:array<struct<c:int not null,d:long> not " +
	"null>,e:map<string,map<int,double>>,f:decimal(37,6),g:array<string>,h:date,i:map<string,timestamp>>"

func TestTypeIn(t *testing.T) {
	for engine, want := range map[string]string{
		"spark": "STRUCT<`a`: BOOLEAN, `b`: ARRAY<STRUCT<`c`: INT, `d`: BIGINT>>, `e`: MAP<STRING, MAP<INT, DOUBLE>>, `f`: DECIMAL(37,6), " +
			"`g`: ARRAY<STRING>, `h`: DATE, `i`: MAP<STRING, TIMESTAMP>>",
		"hive": "STRUCT<`a`:BOOLEAN, `b`:ARRAY<STRUCT<`c`:INT, `d`:BIGINT>>, `e`:MAP<STRING, MAP<INT, DOUBLE>>, `f`:DECIMAL(37,6), " +
			"`g`:ARRAY<STRING>, `h`:DATE, `i`:MAP<STRING, TIMESTAMP>>",
		"athena": "STRUCT<`a`:BOOLEAN, `b`:ARRAY<STRUCT<`c`:INT, `d`:BIGINT>>, `e`:MAP<STRING, MAP<INT, DOUBLE>>, `f`:DECIMAL(37,6), " +
			"`g`:ARRAY<STRING>, `h`:DATE, `i`:MAP<STRING, TIMESTAMP>>",
		"trino": `ROW("a" BOOLEAN, "b" ARRAY(ROW("c" INTEGER, "d" BIGINT)), "e" MAP(VARCHAR, MAP(INTEGER, DOUBLE)), "f" DECIMAL(37,6), "g" ` +
			`ARRAY(VARCHAR), "h" DATE, "i" MAP(VARCHAR, TIMESTAMP))`,
		"duckdb": `STRUCT("a" BOOLEAN, "b" STRUCT("c" INTEGER, "d" BIGINT)[], "e" MAP(VARCHAR, MAP(INTEGER, DOUBLE)), "f" DECIMAL(37,6), ` +
			`"g" VARCHAR[], "h" DATE, "i" MAP(VARCHAR, TIMESTAMP))`,
	} {
		if got, err := TypeIn(engine, MustType(everyType)); err != nil || got != want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", engine, err, got, want)
		}
	}
	if _, err := TypeIn("mysql", MustType("int")); err == nil || !strings.Contains(err.Error(), "mysql") {
		t.Errorf("mysql: %v", err)
	}
}

// The statements for a table with nested types, a name that must be quoted and
// an apostrophe in a doc.
func TestDDL(t *testing.T) {
	table := &Table{
		Name: "t", Dir: "t", Version: "v1", Root: RestrictedRoot, PartitionKeys: []string{"day", "sample"},
		Columns: []Column{
			{Name: "tagged-sap", Type: MustType("long"), Doc: `It's a \ count`},
			{Name: "m", Type: MustType("map<string,int>"), Doc: "A map"},
			{Name: "day", Type: MustType("string"), Doc: "Day"},
			{Name: "sample", Type: MustType("string"), Doc: "Sample"},
		},
	}
	location := table.LocationIn("s3://b/data/?endpoint=https://s3.example.org&path-style=true")
	if location != "s3://b/data/restricted/t/v1" {
		t.Errorf("the location is %s", location)
	}
	const data = "  `m` MAP<STRING, INT> COMMENT 'A map'"
	const hyphen = "  `tagged-sap` BIGINT COMMENT 'It\\'s a \\\\ count',\n"
	const day, sample = "  `day` STRING COMMENT 'Day'", "  `sample` STRING COMMENT 'Sample'"
	stored := "\n)\nSTORED AS PARQUET\nLOCATION '" + location
	presto := "CREATE TABLE t (\n  \"tagged-sap\" BIGINT,\n  \"m\" MAP(VARCHAR, INTEGER),\n  \"sample\" VARCHAR,\n  \"day\" VARCHAR"
	with := "\n)\nWITH (\n  format = 'PARQUET',\n  external_location = '" + location + "',\n  partitioned_by = ARRAY['day']"
	for engine, want := range map[string]string{
		"hive": "CREATE EXTERNAL TABLE t (\n" + hyphen + data + "\n)\nPARTITIONED BY (\n" + day + ",\n" + sample + stored +
			"';\nMSCK REPAIR TABLE t SYNC PARTITIONS;",
		"athena": "CREATE EXTERNAL TABLE t (\n" + data + ",\n" + sample + "\n)\nPARTITIONED BY (\n" + day + stored + "/'\n" +
			"TBLPROPERTIES (\n  'projection.enabled' = 'true',\n  'projection.day.type' = 'date',\n  'projection.day.format' = 'yyyyMMdd',\n" +
			"  'projection.day.range' = '20150101,NOW+1DAYS',\n  'projection.day.interval' = '1',\n  'projection.day.interval.unit' = 'DAYS'\n);",
		"spark": "SET spark.sql.hive.manageFilesourcePartitions = false;\nCREATE TABLE t (\n" + hyphen + data + ",\n" + day + ",\n" + sample +
			"\n)\nUSING PARQUET\nPARTITIONED BY (day, sample)\nLOCATION '" + location + "';",
		"presto": presto + with + "\n);\nCALL system.sync_partition_metadata(current_schema, 't', 'FULL');",
		"trino": presto + " WITH (partition_projection_type = 'DATE', partition_projection_format = 'yyyyMMdd', partition_projection_range " +
			"= ARRAY['20150101', 'NOW+1DAYS'])" +
			with + ",\n  partition_projection_enabled = true\n);",
		"duckdb": "CREATE VIEW t AS\nSELECT * FROM read_parquet('" + location +
			"/**/*.parquet', hive_partitioning = true, hive_types_autocast = false, union_by_name = true);",
	} {
		if got, err := DDL(table, engine, location); err != nil || got != want {
			t.Errorf("%s: %v\ngot\n%s\nwant\n%s", engine, err, got, want)
		}
	}
	if _, err := DDL(table, "xml", location); err == nil || !strings.Contains(err.Error(), "xml") || !strings.Contains(err.Error(), "of t") {
		t.Errorf("xml: %v", err)
	}
}

// Every table has a statement for every engine that names all its columns.
func TestDDLOfAllTables(t *testing.T) {
	p, err := LoadProbes("")
	require.NoError(t, err)
	for _, table := range NewSet(p).Tables {
		for engine := range dialects {
			text, err := DDL(table, engine, table.Location())
			require.NoError(t, err)
			left := Unnamable(table, engine)
			if want := engine == "athena" && table.Index("tagged-sap") >= 0; want != (len(left) > 0) {
				t.Errorf("%s for %s leaves out %v", table.Name, engine, left)
			}
			for _, c := range table.Columns {
				if engine != "duckdb" && !slices.Contains(left, c.Name) && !strings.Contains(text, c.Name) {
					t.Errorf("%s for %s has no %s", table.Name, engine, c.Name)
				}
			}
			if !strings.Contains(text, table.Location()) {
				t.Errorf("%s for %s has no location", table.Name, engine)
			}
		}
	}
}

// Days that are written with dashes are looked for with dashes.
func TestDDLOfDashedDays(t *testing.T) {
	for engine, want := range map[string]string{
		"trino":  "partition_projection_format = 'yyyy-MM-dd', partition_projection_range = ARRAY['2015-01-01', 'NOW+1DAYS']",
		"athena": "'projection.submission_date.range' = '2015-01-01,NOW+1DAYS'",
	} {
		text, err := DDL(CrashSummary(), engine, "s3://b")
		require.NoError(t, err)
		require.Contains(t, text, want)
	}
}

// A table of snapshots has a statement with the day to be filled in; the name of one snapshot has one that is complete.
func TestDDLOfASnapshot(t *testing.T) {
	p, err := LoadProbes("")
	require.NoError(t, err)
	set := NewSet(p)
	for _, engine := range Engines() {
		newest, err := set.FindSnapshot("longitudinal")
		require.NoError(t, err)
		text, err := DDL(newest, engine, newest.LocationIn("s3://b"))
		require.NoError(t, err)
		require.Contains(t, text, "s3://b/lake/longitudinal/vYYYYMMDD")
		one, err := set.FindSnapshot("longitudinal_v20180630")
		require.NoError(t, err)
		named, err := DDL(one, engine, one.LocationIn("s3://b"))
		require.NoError(t, err)
		filled := strings.NewReplacer("YYYYMMDD", "20180630", newest.Name+" ", one.Name+" ").Replace(text)
		_, filled, _ = strings.Cut(filled, "\n")
		require.Equal(t, filled, named)
	}
	for _, name := range []string{"longitudinal_v2018", "main_summary_v20180630", "longitudinal_pings_v20180630"} {
		_, err := set.FindSnapshot(name)
		require.ErrorContains(t, err, "find table")
	}
}

func TestSourceText(t *testing.T) {
	for _, c := range []struct {
		col  Column
		want string
	}{
		{col("a", "int", "environment/a", "A"), "environment/a"},
		{sum("a", "H", "A"), "sum of payload/histograms/H"},
		{keyedSum("a", "H", "k", "A"), "keyed sum of payload/keyedHistograms/H [k]"},
		{first("os", "string"), "first of os"},
		{copied("os"), "copy of os"},
	} {
		if got := c.col.SourceText(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestPartitionValues(t *testing.T) {
	for _, c := range []struct{ table, day, want string }{
		{"main_summary", "20180301", "submission_date_obj=20180301"}, {"crash_summary", "20180301", "submission_date=2018-03-01"},
		{"crash_summary", "2018", "submission_date=2018"}, {"telemetry_new_profile_parquet", "20180301", "submission=20180301"},
		{"search_clients_daily", "20180301", "submission_date_obj=20180301"},
	} {
		table, err := Find(NewSet(&Probes{}).Tables, c.table)
		require.NoError(t, err)
		if got := table.PartitionDir(c.day); got != c.want {
			t.Errorf("%s: %s, want %s", c.table, got, c.want)
		}
	}
	for root, want := range map[Root]string{StorageRoot: "{storage_root}", PipelineRoot: "{pipeline_storage_root}",
		RestrictedRoot: "{restricted_storage_root}"} {
		if got := root.String(); got != want {
			t.Errorf("root %d is %s", root, got)
		}
	}
}

// A probe without a description is described by its name.
func TestProbeDoc(t *testing.T) {
	if got := probeDoc("", "a.b", ProcessGPU); got != "a.b (gpu process)" {
		t.Error(got)
	}
	if got := probeDoc("Tabs", "a.b", ProcessParent); got != "Tabs (parent process)" {
		t.Error(got)
	}
}
