package main

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/job"
)

// strictSchemas is a folder of schemas that no ping satisfies.
func strictSchemas(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, docType := range []string{"main", "crash", "new-profile", "update"} {
		name := filepath.Join(dir, docType+".4.schema.json")
		if err := os.WriteFile(name, []byte(`{"type":"object","required":["fromTheFuture"]}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestReplay rejects a population by strict schemas, replays it with the right
// ones, and finds the tables that a load with the right ones makes.
func TestReplay(t *testing.T) {
	dir := t.TempDir()
	pings, data, straight := filepath.Join(dir, "pings.ndjson"), filepath.Join(dir, "data"), filepath.Join(dir, "straight")
	mustCall(t, "generate", "--clients", "60", "--days", "2", "--damaged", "0.05", "--output", pings)
	mustCall(t, "load", "--data", straight, pings)
	mustCall(t, "load", "--data", data, "--schemas", strictSchemas(t), pings)
	out := mustCall(t, "errors", "--data", data)
	for _, want := range []string{"20180301", "update", "validation error", "duplicate"} {
		if !strings.Contains(out, want) {
			t.Errorf("errors do not say %q:\n%s", want, out)
		}
	}
	checkErrors(t, data)
	before := tree(t, filepath.Join(data, "archive"))
	if out = mustCall(t, "replay", "--data", data, "--dry-run"); !strings.Contains(out, "would be pings") {
		t.Errorf("a dry run: %s", out)
	}
	if after := tree(t, filepath.Join(data, "archive")); after != before {
		t.Errorf("a dry run changes the archive:\n%s\ninstead of\n%s", after, before)
	}
	out = mustCall(t, "replay", "--data", data, "--class", "json", "--class", "uri")
	if !strings.Contains(out, "was json") || !strings.Contains(out, "still fail") {
		t.Errorf("replay says %s", out)
	}
	after := tree(t, filepath.Join(data, "archive"))
	if out = mustCall(t, "replay", "--data", data, "--class", "json", "--class", "uri"); !strings.Contains(out, "nothing changed") {
		t.Errorf("a second replay says %s", out)
	}
	if again := tree(t, filepath.Join(data, "archive")); again != after {
		t.Errorf("a second replay changes the archive:\n%s\ninstead of\n%s", again, after)
	}
	sameRows(t, data, straight, "telemetry_update_parquet") // made by replay
	for _, d := range []string{data, straight} {
		mustCall(t, "run", "all", "--data", d, "--from", "20180301", "--to", "20180302")
	}
	for _, table := range []string{"main_summary", "clients_daily", "crash_summary"} {
		sameRows(t, data, straight, table)
	}
}

// sameRows compares a table of two installations by a hash of all it says.
func sameRows(t *testing.T, one, other, table string) {
	t.Helper()
	sql := fmt.Sprintf("SELECT count(*), sum(hash(t)::HUGEINT) FROM %s t", table)
	a := mustCall(t, "query", "--data", one, "--format", "csv", sql)
	b := mustCall(t, "query", "--data", other, "--format", "csv", sql)
	if a != b || strings.Contains(a, "\n0,") {
		t.Errorf("%s: %s instead of %s", table, a, b)
	}
}

// tree is the names and sizes of the files in a folder.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			fmt.Fprintln(&all, path, info.Size())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// checkErrors reads the counts and the submissions as a program does.
func checkErrors(t *testing.T, data string) {
	t.Helper()
	var groups []struct {
		Day, Class, DocType, Example string
		Rows                         int
	}
	out := mustCall(t, "errors", "--data", data, "--format", "json", "--class", "json", "--doc-type", "main")
	if err := json.Unmarshal([]byte(out), &groups); err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, g := range groups {
		rows += g.Rows
		if g.Class != "json" || g.DocType != "main" || g.Example == "" {
			t.Errorf("%+v", g)
		}
	}
	for docType, want := range map[string]int{"update": 0, "deletion-request": 0, "man": cli.ExitUsage, "Main": cli.ExitUsage} {
		if code, _, errs := call(nil, "errors", "--data", data, "--doc-type", docType); code != want || want != 0 && !strings.Contains(errs, "there are ") {
			t.Errorf("--doc-type %s: exit %d, %s", docType, code, errs)
		}
	}
	out = mustCall(t, "errors", "--data", data, "--class", "json", "--doc-type", "main", "--show", "100000")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if rows == 0 || len(lines) != rows {
		t.Errorf("%d are shown of %d", len(lines), rows)
	}
	bodies := 0
	for _, l := range lines {
		var s shownRejected
		if err := json.Unmarshal([]byte(l), &s); err != nil || s.Day == "" || s.Path == "" || len(s.Meta) < 10 {
			t.Fatalf("%s: %v", l, err)
		}
		if s.Body != nil && strings.Contains(*s.Body, "payload") {
			bodies++
		}
	}
	if bodies < rows/2 {
		t.Errorf("%d of %d bodies can be read", bodies, rows)
	}
	if out = mustCall(t, "errors", "--data", data, "--show", "2"); strings.Count(out, "\n") != 2 {
		t.Errorf("two are %s", out)
	}
	if out = mustCall(t, "errors", "--data", data, "--from", "20190101"); out != "nothing was rejected\n" {
		t.Errorf("of another year: %s", out)
	}
	if out = mustCall(t, "errors", "--data", data, "--from", "20190101", "--format", "json"); out != "[]\n" {
		t.Errorf("of another year: %s", out)
	}
}

func TestReplayWrongCalls(t *testing.T) {
	data := t.TempDir()
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{cli.ExitUsage, "duplicates are not replayed", []string{"replay", "--class", "duplicate"}},
		{cli.ExitUsage, "2018-03-01", []string{"replay", "--from", "2018-03-01"}},
		{cli.ExitUsage, "after the last", []string{"replay", "--from", "20180302", "--to", "20180301"}},
		{cli.ExitUsage, "20180230", []string{"errors", "--to", "20180230"}},
		{cli.ExitUsage, "no format", []string{"errors", "--format", "xml"}},
		{cli.ExitUsage, `no class "jsn": there are uri, json`, []string{"errors", "--class", "json", "--class", "jsn"}},
		{cli.ExitUsage, `no class "jsn": there are uri, json`, []string{"replay", "--class", "jsn"}},
		{cli.ExitUsage, "--show -1", []string{"errors", "--show", "-1"}},
		{cli.ExitUsage, "unknown command", []string{"replay", "all"}},
		{1, "there is none", []string{"replay"}},
		{1, "there is none", []string{"errors"}},
	} {
		code, _, errs := call(nil, append(c.args, "--data", data)...)
		if code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("pingmill %s: exit %d, says %q", strings.Join(c.args, " "), code, errs)
		}
	}
}

func TestUnpackText(t *testing.T) {
	const text = `{"version":4,"ä":1}`
	pack := func(w interface {
		Write([]byte) (int, error)
		Close() error
	}, b *bytes.Buffer) []byte {
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	var b [4]bytes.Buffer
	z, err := zstd.NewWriter(&b[1])
	if err != nil {
		t.Fatal(err)
	}
	packed := pack(gzip.NewWriter(&b[0]), &b[0])
	for _, c := range []struct {
		name, encoding string
		body           []byte
		ok             bool
	}{
		{"plain", "", []byte(text), true},
		{"said to be brotli", "br", []byte(text), true},
		{"gzip", "", packed, true},
		{"zstd", "zstd", pack(z, &b[1]), true},
		{"deflate", "Deflate", pack(zlib.NewWriter(&b[2]), &b[2]), true},
		{"brotli", " br", pack(brotli.NewWriter(&b[3]), &b[3]), true},
		{"cut", "gzip", packed[:len(packed)-9], false},
		{"not zlib", "deflate", []byte("x"), false},
		{"no text", "", []byte("\xff\xfe"), false},
	} {
		got, ok := unpackText(c.body, map[string]string{"content-encoding": c.encoding})
		if ok != c.ok || ok && got != text {
			t.Errorf("%s: %q, %t", c.name, got, ok)
		}
	}
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	if _, err := w.Write(bytes.Repeat([]byte{' '}, 40<<20)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, ok := unpackText(bomb.Bytes(), nil); ok {
		t.Error("a bomb is unpacked")
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"a b":                          "a b",
		"a\x1b[2Jb\nc":                 "a\uFFFD[2Jb\uFFFDc",
		strings.Repeat("a", 200):       strings.Repeat("a", 160) + "…",
		"a" + strings.Repeat("ä", 100): "a" + strings.Repeat("ä", 79) + "…",
	} {
		if got := printable(in); got != want {
			t.Errorf("%q becomes %q", in, got)
		}
	}
}

func TestPrintReplay(t *testing.T) {
	r := etl.Replayed{
		Tried: 1234, Pings: 1000, Failed: 234, Unfit: 4, Load: "re-1",
		Became: []etl.RejectedCount{{Class: "json", DocType: "main", Rows: 1000}},
		Fails:  []etl.RejectedCount{{Class: "record", Rows: 4}},
		Stale:  []job.Unit{{Table: "main_summary", Day: "20180301"}, {Table: "addons", Day: "20180302"}},
	}
	var out strings.Builder
	if err := printReplay(&out, &r, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"tried 1,234 rejected submissions: 1,000 are pings now, 0 are copies of pings, 234 still fail\n",
		"of 4 too little is left to try", "was json  main  1,000  are pings now\n", "record    -     4      still fail\n",
		"  main_summary 20180301\n", "pingmill run all --from 20180301 --to 20180302\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing:\n%s", want, out.String())
		}
	}
}
