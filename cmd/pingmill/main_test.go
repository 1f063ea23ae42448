package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/query"
)

// binaryVariable names a program that the tests run in place of this code: one of a release, also for another architecture.
const binaryVariable = "PINGMILL_TEST_BINARY"

// call runs the program as a shell would.
func call(in io.Reader, args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	if in == nil {
		in = strings.NewReader("")
	}
	if binary := os.Getenv(binaryVariable); binary != "" {
		cmd := exec.Command(binary, args...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &o, &e
		if err := cmd.Run(); cmd.ProcessState == nil {
			return -1, "", err.Error()
		}
		return cmd.ProcessState.ExitCode(), o.String(), e.String()
	}
	code = run(context.Background(), args, in, &o, &e)
	return code, o.String(), e.String()
}

func mustCall(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errs := call(nil, args...)
	if code != 0 {
		t.Fatalf("pingmill %s: exit %d: %s", strings.Join(args, " "), code, errs)
	}
	return out
}

// loadedData returns an installation with days of generated pings from 20180301 on, of which only the direct tables are
// made.
func loadedData(t *testing.T, args ...string) (data string) {
	t.Helper()
	dir := t.TempDir()
	pings := filepath.Join(dir, "pings.ndjson")
	data = filepath.Join(dir, "data")
	mustCall(t, append([]string{"generate", "--output", pings}, args...)...)
	mustCall(t, "load", "--data", data, pings)
	return data
}

// programIn puts the program into a folder: this test binary, which is the program by that name (TestMain).
func programIn(t *testing.T, dir string) string {
	t.Helper()
	return testBinaryAs(t, dir, "pingmill")
}

// testBinaryAs gives the test binary another name, by which TestMain knows what to be.
func testBinaryAs(t *testing.T, dir, name string) string {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	file := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.Symlink(exe, file))
	return file
}

// program returns the program as a process of its own.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), programIn(t, t.TempDir()), args...)
	cmd.Env = os.Environ() // callers add to it
	return cmd
}

// TestFromPingsToAnswers goes the whole way with a small population, and reads
// every table with DuckDB and another maker's reader.
func TestFromPingsToAnswers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pings, data := filepath.Join(dir, "pings.ndjson"), filepath.Join(dir, "data")
	mustCall(t, "generate", "--clients", "150", "--days", "2", "--damaged", "0.05", "--gzip", "--output", pings)
	out := mustCall(t, "load", "--data", data, pings)
	if !strings.Contains(out, "errors;") {
		t.Errorf("load says nothing of the damaged ones: %s", out)
	}
	if out = mustCall(t, "load", "--data", data, pings); !strings.Contains(out, "already loaded") {
		t.Errorf("a second load: %s", out)
	}
	if out = mustCall(t, "run", "all", "--data", data, "--from", "20180301", "--to", "20180302"); !strings.Contains(out, "committed") {
		t.Errorf("run: %s", out)
	}
	if out = mustCall(t, "run", "all", "--data", data, "--date", "20180301"); !strings.Contains(out, "nothing to do") {
		t.Errorf("a second run: %s", out)
	}
	checkFiles(t, data)
	out = mustCall(t, "query", "--data", data, "--format", "csv",
		"SELECT count(*), count(DISTINCT submission_date_obj), min(typeof(sample_id)) FROM main_summary")
	if !strings.Contains(out, ",2,varchar") {
		t.Errorf("query: %s", out)
	}
	result := filepath.Join(dir, "result.parquet")
	mustCall(t, "query", "--data", data, "--format", "parquet", "--output", result, "SELECT * FROM crash_summary")
	if b, err := os.ReadFile(result); err != nil || !bytes.HasPrefix(b, []byte("PAR1")) {
		t.Errorf("result file: %v", err)
	}
	if out = mustCall(t, "tables", "--data", data); !strings.Contains(out, "search_clients_daily") {
		t.Errorf("tables: %s", out)
	}
}

func checkFiles(t *testing.T, data string) {
	t.Helper()
	p, err := schema.LoadProbes("")
	require.NoError(t, err)
	db, err := query.Open(context.Background(), nil, query.Options{})
	require.NoError(t, err)
	defer db.Close()
	for _, table := range schema.NewSet(p).Tables {
		if table.Snapshots != nil || table.Name == "event_events" {
			continue // this population has no client of the sample, and no browser of 2026
		}
		file, want := onePartFile(t, data, table), referenceNodes(t, table)
		compareNodes(t, "DuckDB", file, duckdbNodes(t, db, file), want)
		compareNodes(t, "parquet-go", file, parquetGoNodes(t, file), want)
	}
}

func TestDemo(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	out := mustCall(t, "demo", "--dir", "my demo", "--clients", "20", "--days", "2")
	for _, want := range []string{"1. Generated", "2. Loaded", "3. Ran all jobs", "clients_daily", "7. ", "Try next"} {
		if !strings.Contains(out, want) {
			t.Errorf("the demo does not say %q:\n%s", want, out)
		}
	}
	_, next, _ := strings.Cut(out, "Try next:\n")
	var script string
	for line := range strings.Lines(next) {
		if _, command, ok := strings.Cut(line, os.Args[0]+" "); ok && !strings.HasPrefix(command, "serve") &&
			!strings.Contains(line, "at a prompt") {
			script += "pingmill " + command
		}
	}
	calls := shellCalls(t, dir, script)
	for _, args := range calls {
		if out := mustCall(t, args...); args[0] == "run" && !strings.Contains(out, "nothing to do") {
			t.Errorf("pingmill %q says %s", args, out)
		}
	}
	if len(calls) != 5 {
		t.Errorf("the demo names other commands than five, serve and the prompt:\n%s", next)
	}
}
