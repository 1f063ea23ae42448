package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pingmill/pingmill/cli"
)

// completions are the words that a shell offers, without their descriptions,
// and the directive of how.
func completions(t *testing.T, args ...string) (words []string, directive string) {
	t.Helper()
	out := mustCall(t, append([]string{cobra.ShellCompRequestCmd}, args...)...)
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		word, _, _ := strings.Cut(line, "\t")
		if strings.HasPrefix(word, ":") {
			return words, word
		}
		words = append(words, word)
	}
	t.Fatalf("%v: no directive:\n%s", args, out)
	return nil, ""
}

func TestCompletion(t *testing.T) {
	data := t.TempDir()
	for _, dir := range []string{"archive/pings/v1/submission_date_obj=20180301", "lake/crash_summary/v1/submission_date=2018-03-02",
		"lake/main_summary/v4/submission_date_obj=20180301/sample_id=7", "archive/pings/v1/submission_date_obj=__HIVE_DEFAULT_PARTITION__"} {
		if err := os.MkdirAll(filepath.Join(data, filepath.FromSlash(dir)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"sche"}, "schema"},
		{[]string{"run", "cl"}, "clients_daily"},
		{[]string{"check", "al"}, "all"},
		{[]string{"run", "all", ""}, ""},
		{[]string{"run", "all", "--date", ""}, ""},
		{[]string{"run", "all", "--data", data, "--date", ""}, "20180301 20180302"},
		{[]string{"errors", "--data", data, "--from", "201803"}, "20180301 20180302"},
		{[]string{"query", "--format", ""}, "table csv json ndjson parquet"},
		{[]string{"schema", "addons", "--format", "t"}, "text trino"},
		{[]string{"status", "--format", ""}, "text json"},
		{[]string{"errors", "--class", ""}, "uri json internal duplicate record"},
		{[]string{"errors", "--doc-type", ""}, "main crash new-profile update"},
		{[]string{"status", "--table", "add"}, "addons"},
		{[]string{"serve", "--only", "d"}, "decode"},
		{[]string{"help", "qu"}, "query"},
		{[]string{"tables", "--files", "crash"}, "crash_summary"},
	} {
		got, directive := completions(t, c.args...)
		if strings.Join(got, " ") != c.want || directive != ":4" { // no files
			t.Errorf("%v: %v %s, want %s", c.args, got, directive, c.want)
		}
	}
	if _, directive := completions(t, "load", ""); directive != ":0" { // files
		t.Errorf("load offers no files: %s", directive)
	}
	if _, directive := completions(t, "query", "--data", ""); directive != ":16" { // folders
		t.Errorf("--data offers no folders: %s", directive)
	}
	t.Setenv("PINGMILL_DATA", data)
	t.Setenv("PINGMILL_ACTIVE_HELP", "0")
	if got, _ := completions(t, "check", "all", "--to", ""); !slices.Equal(got, []string{"20180301", "20180302"}) {
		t.Errorf("the folder of the environment: %v", got)
	}
	t.Setenv("PINGMILL_NONSENSE", "1")
	if got, _ := completions(t, "run", "main"); !slices.Equal(got, []string{"main_summary"}) {
		t.Errorf("with a broken configuration: %v", got)
	}
}

// TestFormatsComplete finds flags of few values that offer files.
func TestFormatsComplete(t *testing.T) {
	for _, c := range allCommands(t) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !slices.Contains([]string{"format", "date", "from", "to", "class", "doc-type", "table"}, f.Name) {
				return
			}
			if _, ok := c.GetFlagCompletionFunc(f.Name); !ok {
				t.Errorf("%s --%s offers nothing", c.CommandPath(), f.Name)
			}
		})
	}
}

// TestManPages writes what `make install` installs.
func TestManPages(t *testing.T) {
	prefix := t.TempDir()
	mustCall(t, "man", prefix)
	for _, c := range allCommands(t) {
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		b, err := os.ReadFile(filepath.Join(prefix, "share", "man", "man1", name))
		if err != nil || !strings.Contains(string(b), c.Short[:4]) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name := range cli.CompletionFiles {
		if b, err := os.ReadFile(filepath.Join(prefix, filepath.FromSlash(name))); err != nil || !strings.Contains(string(b), "__complete") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
