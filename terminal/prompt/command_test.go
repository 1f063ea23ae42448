package prompt

import (
	"os"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// TestHelp: the help fits a small screen, and the documentation has it.
func TestHelp(t *testing.T) {
	doc, err := os.ReadFile("../../docs/query.md")
	require.NoError(t, err)
	for _, text := range []string{commandsHelp(), keysHelp} {
		var block strings.Builder
		for line := range strings.Lines(text) {
			if uniseg.StringWidth(line) > 80 {
				t.Errorf("wider than 80: %s", line)
			}
			block.WriteString("  " + line)
		}
		if !strings.Contains(string(doc), block.String()) {
			t.Errorf("docs/query.md does not have\n%s", block.String())
		}
	}
}

// TestCompletion: what Tab offers where.
func TestCompletion(t *testing.T) {
	s := New(Options{Site: &site.Site{Data: site.Data{Set: *schema.NewSet(&schema.Probes{})}}})
	for _, c := range []struct {
		before, after string
		has, not      string // offers, with blanks between
	}{
		{"", "", "SELECT WITH", "clients_daily"},
		{"SEL", "", "SELECT", "clients_daily"},
		{"sel", "", "select", "SELECT"},
		{"SELECT * FROM cl", "", "clients_daily", "client_id"},
		{"SELECT * FROM clients_daily JOIN ", "", "crash_summary", "SELECT"},
		{"SELECT subm", " FROM clients_daily", "submission_date_obj", ""},
		{"SELECT subm", "", "submission_date_obj submission", ""},
		{"SELECT c.cou", " FROM clients_daily AS c", "country", "count("},
		{"SELECT cou", " FROM clients_daily AS c", "country count(", ""},
		{"SELECT c.", " FROM crash_summary c", "build_id", "subsession_hours_sum"},
		{"SELECT 'cou", "", "", "country count("},
		{"SELECT -- cou", "", "", "country count("},
		{`\d`, "", `\d \d+ \dp \df`, "SELECT"},
		{`\d cra`, "", "crash_summary", ""},
		{`\d crash_summary.build_`, "", "crash_summary.build_id", ""},
		{`\df approx_p`, "", "approx_percentile", ""},
		{`\format p`, "", "parquet", "csv"},
		{`\dialect `, "", "presto duckdb", ""},
		{`\export /tmp/x.csv SELECT * FROM ad`, "", "addons", ""},
		{`\h`, "", "", "SELECT"},
	} {
		_, list := s.offers(c.before, c.after)
		all := " "
		for _, o := range list {
			all += o.Text + " "
		}
		for _, want := range strings.Fields(c.has) {
			if !strings.Contains(all, " "+want+" ") {
				t.Errorf("%q: no %s in%s", c.before+"|"+c.after, want, all)
			}
		}
		for _, bad := range strings.Fields(c.not) {
			if strings.Contains(all, " "+bad+" ") {
				t.Errorf("%q: %s", c.before+"|"+c.after, bad)
			}
		}
	}
}

// TestHistory: it outlives the session, has nothing twice, and only its owner reads it.
func TestHistory(t *testing.T) {
	file := t.TempDir() + "/state/pingmill/query_history"
	h, err := openHistory(file)
	require.NoError(t, err)
	for _, line := range []string{"a;", "b\n;", "a;", " secret;", "", "a;"} {
		require.NoError(t, h.add(line))
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString("not JSON\n\"\x1b[31m\"\n\"c;\"") // damaged, and without an end
	require.NoError(t, err)
	require.NoError(t, f.Close())
	h, err = openHistory(file)
	require.NoError(t, err)
	if got := strings.Join(h.lines, "|"); got != "b\n;|a;|c;" {
		t.Errorf("history: %q", got)
	}
	info, err := os.Stat(file)
	require.NoError(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v", info.Mode())
	}
	if h, err = openHistory("/dev/null/x"); err == nil || h.add("a;") != nil || len(h.lines) != 1 {
		t.Errorf("without a file: %v, %v", err, h.lines)
	}
}
