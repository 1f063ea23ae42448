package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pingmill/pingmill/cli"
)

// TestMendArchive loses a file of the archive, and goes by what the commands say.
func TestMendArchive(t *testing.T) {
	dir := t.TempDir()
	pings, data := filepath.Join(dir, "pings.ndjson"), filepath.Join(dir, "data")
	mustCall(t, "generate", "--clients", "20", "--days", "2", "--output", pings)
	out := mustCall(t, "load", "--data", data, pings)
	load := regexp.MustCompile(`\(load ([0-9a-f]{24})\)`).FindStringSubmatch(out)
	if load == nil || !strings.Contains(out, " records: ") {
		t.Fatalf("load says %s", out)
	}
	days := []string{"--data", data, "--from", "20180301", "--to", "20180302"}
	run := func(args ...string) (code int, out, errs string) { return call(nil, append(args, days...)...) }
	mustCall(t, append([]string{"run", "all"}, days...)...)
	files, err := filepath.Glob(filepath.Join(data, "archive/pings/v1/submission_date_obj=20180301/doc_type=main/*.parquet"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	drop := "pingmill archive drop " + filepath.Base(files[0])
	for range 2 { // also after a failed run
		for _, args := range [][]string{{"run", "all"}, {"run", "all", "--plan"}, {"status"}} {
			if code, out, errs := run(args...); code != 1 || !strings.Contains(out+errs, drop) {
				t.Errorf("%s: exit %d: %s%s", args, code, out, errs)
			}
		}
	}
	if rows := mustCall(t, "query", "--data", data, "--format", "csv", "SELECT count(*) > 0 FROM main_summary WHERE submission_date_obj = '20180301'"); !strings.Contains(rows, "true") {
		t.Errorf("the published rows: %s", rows)
	}
	if out := mustCall(t, "archive", "drop", "--data", data, filepath.Base(files[0])); !strings.Contains(out, "gave up") || !strings.Contains(out, "pingmill run all") {
		t.Errorf("drop: %s", out)
	}
	mustCall(t, append([]string{"run", "all"}, days...)...)
	if code, out, errs := run("status"); code != 0 || !strings.Contains(out, "were given up with") {
		t.Errorf("status: exit %d: %s%s", code, out, errs)
	}
	// The same pings once more, by way of the file.
	if out := mustCall(t, "load", "--data", data, "--undo", load[1]); !strings.Contains(out, "took back load "+load[1]) {
		t.Errorf("undo: %s", out)
	}
	if out := mustCall(t, "load", "--data", data, pings); !strings.Contains(out, "(load "+load[1]+".2)") {
		t.Errorf("load again: %s", out)
	}
	mustCall(t, append([]string{"run", "all"}, days...)...)
}

// TestRunWithoutPings says so in one line.
func TestRunWithoutPings(t *testing.T) {
	dir := t.TempDir()
	pings, data := filepath.Join(dir, "pings.ndjson"), filepath.Join(dir, "data")
	mustCall(t, "generate", "--clients", "5", "--days", "1", "--output", pings)
	mustCall(t, "load", "--data", data, pings)
	code, out, errs := call(nil, "run", "all", "--data", data, "--from", "20180401", "--to", "20180403")
	want := "pingmill: run: the archive has no pings of 20180401-20180403: load them first\n"
	if code != cli.ExitFailed || out != "" || errs != want {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
	code, _, errs = call(nil, "run", "all", "--data", data, "--from", "20180301", "--to", "20180303")
	if code != cli.ExitFailed || !strings.HasSuffix(errs, "no pings of 20180302-20180303: load them first\n") || strings.Count(errs, "load them first") != 1 {
		t.Errorf("exit %d, %q", code, errs)
	}
}

// TestLoadRefuses says what a file is that is none of pings.
func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	for content, want := range map[string]string{
		"[\n{}\n]":                        "jq -c '.[]'",
		strings.Repeat("{not json\n", 50): "--keep-junk",
	} {
		name := filepath.Join(dir, "junk")
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, out, errs := call(nil, "load", "--data", data, name); code != cli.ExitFailed || out != "" || !strings.Contains(errs, want) {
			t.Errorf("exit %d: %s%s", code, out, errs)
		}
		if out := mustCall(t, "load", "--data", data, "--keep-junk", name); !strings.Contains(out, "0 pings, ") {
			t.Errorf("kept: %s", out)
		}
	}
}
