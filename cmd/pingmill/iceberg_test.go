package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/tools/clienttest"
)

var icebergEngines = flag.Bool("iceberg.engines", false,
	"read the Iceberg tables of the demonstration with Spark, Trino and pyiceberg: they are installed")

// TestIcebergCommands keeps tables up to date by the commands alone.
func TestIcebergCommands(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	catalog := []string{"--data", data, "--iceberg-catalog", "sql", "--iceberg-uri", "sqlite://" + filepath.Join(t.TempDir(), "iceberg.db")}
	with := func(args ...string) []string { return append(args, catalog...) }
	pings := filepath.Join(t.TempDir(), "pings.ndjson")
	mustCall(t, "generate", "--clients", "4", "--start", "20180301", "--days", "1", "--output", pings)
	mustCall(t, "load", "--data", data, pings)
	mustCall(t, with("run", "addons", "--date", "20180301")...)
	if out := mustCall(t, "iceberg", "status", "--data", data); !strings.Contains(out, "main_summary: up to date") ||
		strings.Contains(out, "clients_daily") {
		t.Errorf("status after a run: %s", out)
	}
	if out := mustCall(t, with("iceberg", "sync")...); !strings.Contains(out, "pingmill.addons: up to date") {
		t.Errorf("sync: %s", out)
	}
	if code, _, errs := call(nil, with("iceberg", "sync", "nothing")...); code == 0 || !strings.Contains(errs, "nothing") {
		t.Errorf("sync of no table: %d %s", code, errs)
	}
	if code, _, errs := call(nil, "iceberg", "sync", "--data", data); code == 0 || !strings.Contains(errs, "no catalog") {
		t.Errorf("sync without a catalog: %d %s", code, errs)
	}
	unreachable := []string{"--data", data, "--iceberg-catalog", "rest", "--iceberg-uri", "http://127.0.0.1:1"}
	mustCall(t, append([]string{"run", "clients_daily", "--date", "20180301"}, unreachable...)...) // it is published anyway
	if code, out, _ := call(nil, "iceberg", "status", "--data", data); code == 0 || !strings.Contains(out, "clients_daily: behind") {
		t.Errorf("status without the catalog: %d %s", code, out)
	}
	if _, out, _ := call(nil, "status", "--data", data); !strings.Contains(out, "Iceberg: 1 of ") {
		t.Errorf("status: %s", out)
	}
	mustCall(t, with("iceberg", "sync")...)
	mustCall(t, "iceberg", "status", "--data", data)
}

// TestIcebergEngines has Spark, Trino and pyiceberg read what pingmill's own queries read: every column of every table
// of the demonstration.
func TestIcebergEngines(t *testing.T) {
	if !*icebergEngines {
		t.Skip("without -iceberg.engines: see make engines-iceberg")
	}
	dir := t.TempDir()
	data, arrow := filepath.Join(dir, "demo", "data"), filepath.Join(dir, "arrow")
	at, _ := clienttest.RESTCatalog(t, 0)
	mustCall(t, "demo", "--once", "--dir", filepath.Join(dir, "demo"))
	var samples strings.Builder
	for i := range 100 {
		fmt.Fprintf(&samples, ",%d", i)
	}
	t.Setenv("PINGMILL_TABLES_SNAPSHOT_SAMPLES", samples.String()[1:])
	mustCall(t, "run", "longitudinal", "--date", "20180303", "--data", data)
	mustCall(t, "iceberg", "sync", "--data", data, "--iceberg-catalog", "rest", "--iceberg-uri", at)
	require.NoError(t, os.Mkdir(arrow, 0o755))
	lake, err := store.OpenLocal(filepath.Join(data, "lake"))
	require.NoError(t, err)
	definitions, err := glean.Stored(t.Context(), lake)
	require.NoError(t, err)
	tables := slices.DeleteFunc(schema.NewSet(&schema.Probes{}, definitions.Tables()...).Tables, (*schema.Table).Internal)
	for _, table := range tables {
		out := mustCall(t, "query", "--data", data, "--max-days", "0", "--format", "arrow", "SELECT * FROM "+table.Name)
		require.NoError(t, os.WriteFile(filepath.Join(arrow, table.Name+".arrow"), []byte(out), 0o644))
	}
	python := clienttest.Python(t, "pyiceberg[sql-sqlite]==0.12.0", "pyarrow==21.0.0")
	pythons := map[string]string{"pyiceberg": python, "spark": clienttest.Python(t, "pyspark==3.5.9"),
		"trino": clienttest.Python(t, clienttest.TrinoPython)}
	script := filepath.Join("..", "..", "lake", "iceberg", "testdata", "engines.py")
	sums, err := exec.Command(python, script, "sums", arrow).Output()
	require.NoError(t, err)
	want := filepath.Join(dir, "sums.json")
	require.NoError(t, os.WriteFile(want, sums, 0o644))
	jars := clienttest.Jars(t, "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.9.2")
	t.Setenv("ICEBERG_JARS", strings.Join(jars, ","))
	t.Setenv("TRINO", clienttest.Trino(t))
	for engine, python := range pythons {
		cmd := exec.Command(python, script, engine, at, "same", want)
		cmd.Stderr = t.Output()
		out, err := cmd.Output()
		require.NoError(t, err, "%s: %s", engine, out)
		require.Equal(t, len(tables), strings.Count(string(out), " columns"), "%s", out)
		t.Logf("%s reads\n%s", engine, out)
	}
}

// TestIcebergForgets removes a client: the files with its rows are removed, and the snapshots that named them, while
// others stay for the time of grace.
func TestIcebergForgets(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	catalog := []string{"--data", data, "--iceberg-catalog", "sql", "--iceberg-uri", "sqlite://" + filepath.Join(t.TempDir(), "iceberg.db")}
	with := func(args ...string) []string { return append(args, catalog...) }
	pings := filepath.Join(t.TempDir(), "pings.ndjson")
	mustCall(t, "generate", "--clients", "6", "--start", "20180301", "--days", "1", "--output", pings)
	mustCall(t, "load", "--data", data, pings)
	mustCall(t, with("run", "all", "--date", "20180301")...)
	client := strings.TrimSpace(mustCall(t, "query", "--data", data, "--format", "csv", "SELECT max(client_id) FROM main_summary"))
	client = client[strings.LastIndexByte(client, '\n')+1:]
	before := len(snapshotFiles(t, data))
	mustCall(t, with("delete", "--client-id", client, "--now")...)
	mustCall(t, "iceberg", "status", "--data", data)
	if after := len(snapshotFiles(t, data)); after != before {
		t.Errorf("%d lists of snapshots, there were %d: history is left", after, before)
	}
	s, err := site.Read(t.Context(), data, schema.NewSet(&schema.Probes{}))
	require.NoError(t, err)
	defer s.Close()
	replaced, err := etl.Replaced(t.Context(), &s.Data)
	require.NoError(t, err)
	require.Zero(t, replaced.Files)
}

// snapshotFiles returns the lists of all snapshots of the tables that lost rows.
func snapshotFiles(t *testing.T, data string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(data, "lake", "_iceberg", "*", "*", "metadata", "snap-*.avro"))
	require.NoError(t, err)
	return all
}
