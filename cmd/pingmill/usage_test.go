package main

import (
	"bytes"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/job"
)

// TestUsageFirst: what the configuration names and cannot be used is a usage error
// before anything is made.
func TestUsageFirst(t *testing.T) {
	dir := t.TempDir()
	none, garbage, data := filepath.Join(dir, "none"), filepath.Join(dir, "garbage"), filepath.Join(dir, "data")
	if err := os.WriteFile(garbage, []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	serve := []string{"serve", "--listen", "127.0.0.1:0", "--private", "127.0.0.1:0"}
	load := []string{"load", "/dev/null"}
	for _, c := range []struct {
		command []string
		flags   []string
		says    string
	}{
		{serve, []string{"--geo", none}, "no such file"},
		{serve, []string{"--geo", garbage}, "invalid MaxMind DB file"},
		{serve, []string{"--cities", none}, "read city list"},
		{serve, []string{"--schemas", none}, "read schemas in " + none},
		{serve, []string{"--probes", none}, "no such file"},
		{serve, []string{"--tls-cert", none, "--tls-key", none}, "load certificate"},
		{serve, []string{"--tls-cert", garbage, "--tls-key", garbage}, "load certificate"},
		{serve, []string{"--listen", taken.Addr().String()}, "address already in use"},
		{serve, []string{"--private", taken.Addr().String()}, "each process needs its own private.listen"},
		{serve, []string{"--config", dir}, "is a directory"},
		{serve, []string{"--config", none}, "no such file"},
		{load, []string{"--geo", garbage}, "invalid MaxMind DB file"},
		{load, []string{"--schemas", none}, "read schemas in " + none},
		{load, []string{"--probes", none}, "no such file"},
		{[]string{"replay"}, []string{"--geo", none}, "no such file"},
	} {
		args := append(append(append([]string{}, c.command...), "--data", data), c.flags...)
		code, _, errs := call(nil, args...)
		if code != cli.ExitUsage || !strings.Contains(errs, c.says) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: exit %d, want %q: %s", args, code, c.says, errs)
		}
		if exists(t, data) {
			t.Fatalf("%v made %s", args, data)
		}
	}
	if code, _, errs := call(nil, "decode", "--geo", none); code != cli.ExitUsage {
		t.Errorf("decode: exit %d: %s", code, errs)
	}
}

// TestOutputs: a file of --output is whole, or as it was.
func TestOutputs(t *testing.T) {
	data := loadedData(t, "--clients", "5", "--days", "1")
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	query := func(sql, output string) int {
		code, _, _ := call(nil, "query", "--data", data, "--format", "csv", "--output", output, sql)
		return code
	}
	const good, bad = "SELECT 1 AS one, 'x' AS two", "SELECT CASE WHEN i > 250000 THEN error('enough') ELSE i END FROM range(300000) t(i)"
	if code := query(bad, file); code != 1 || len(names(t, dir)) > 0 {
		t.Errorf("exit %d, there is %v", code, names(t, dir))
	}
	if code := query(good, file); code != 0 {
		t.Errorf("exit %d", code)
	}
	if err := errors.Join(os.Chmod(file, 0o640), os.Symlink("file", link)); err != nil {
		t.Fatal(err)
	}
	for _, output := range []string{file, link} {
		if code := query(bad, output); code != 1 {
			t.Errorf("exit %d", code)
		}
		if code := query("SELECT 1 AS one, 'y' AS two", output); code != 0 {
			t.Errorf("exit %d", code)
		}
		b, err := os.ReadFile(file)
		if err != nil || string(b) != "one,two\n1,y\n" || len(names(t, dir)) != 2 {
			t.Errorf("%q, %v; there is %v", b, err, names(t, dir))
		}
	}
	info, err := os.Lstat(file)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if info, err = os.Lstat(link); err != nil || info.Mode().Type() != os.ModeSymlink {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if code, out, errs := call(nil, "query", "--data", data, "--format", "csv", "--output", "/dev/null", good); code != 0 || out != "" {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if code, _, errs := call(nil, "generate", "--output", filepath.Join(file, "x")); code != 1 || len(names(t, dir)) != 2 {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// TestFailuresOnce: what failed is told once.
func TestFailuresOnce(t *testing.T) {
	data := loadedData(t, "--clients", "5", "--days", "1")
	checks := writeFolder(t, map[string]string{"few.main_summary.error.sql": "SELECT 'too few rows' AS found"})
	code, _, errs := call(nil, "run", "main_summary", "--data", data, "--date", "20180301", "--checks", checks)
	if code != 1 || strings.Count(errs, "too few rows") != 1 || !strings.HasSuffix(errs, "pingmill: run: 1 of 1 partitions failed\n") {
		t.Errorf("exit %d: %s", code, errs)
	}
	var out bytes.Buffer
	printFailed(&out, &job.Report{Units: []job.UnitReport{
		{Unit: job.Unit{Table: "addons", Day: "20180301"}, Outcome: job.Failed, Err: errors.New("no")}, {Outcome: job.Committed},
	}})
	if out.String() != "failed addons 20180301: no\n" {
		t.Errorf("on a terminal: %s", out.String())
	}
}

// TestDeleteSaysWhatIsKnown: rows by table, and a warning where there are none.
func TestDeleteSaysWhatIsKnown(t *testing.T) {
	data := loadedData(t, "--clients", "20", "--days", "1")
	mustCall(t, "run", "all", "--data", data, "--date", "20180301")
	id := strings.Fields(mustCall(t, "query", "--data", data, "--format", "csv", "SELECT client_id FROM search_clients_daily WHERE client_id IS NOT NULL LIMIT 1"))[1]
	count := strings.Fields(mustCall(t, "query", "--data", data, "--format", "csv", "SELECT count(*) FROM main_summary WHERE client_id = '"+id+"'"))[1]
	out := mustCall(t, "delete", "--data", data, "--client-id", id)
	if !strings.Contains(out, "published of 1 client: "+count+" row") || !strings.Contains(out, "in search_clients_daily") || strings.Contains(out, "warning") {
		t.Errorf("of one: %s", out)
	}
	out = mustCall(t, "delete", "--data", data, "--client-id", "it's-none")
	file := filepath.Join(t.TempDir(), "ids")
	if err := os.WriteFile(file, []byte("some-id\n--now\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--client-id", "--now"}, {"--file", file}} {
		if _, _, errs := call(nil, append([]string{"delete", "--data", data}, args...)...); !strings.Contains(errs, "no id begins with --") {
			t.Errorf("%v: %s", args, errs)
		}
	}
	if !strings.Contains(out, "published of 1 client: no rows\nwarning: no rows are published of it's-none: is the id right?") {
		t.Errorf("of none: %s", out)
	}
}
