package main

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/report"
)

// dailyServer returns a server for an installation with a day of pings, that is within its lookback and of which only
// the direct tables are made.
func dailyServer(t *testing.T) *server {
	t.Helper()
	s := newServer(t, loadedData(t, "--clients", "30", "--days", "1"))
	s.args = []string{"--lookback", "5000"}
	return s
}

// states returns the state of each table on a day, with the reason.
func (s *server) states(day string) map[string]string {
	s.t.Helper()
	got := map[string]string{}
	code, out, errs := call(nil, "status", "--data", s.data, "--from", day, "--to", day, "--format", "json")
	var doc struct{ Partitions []report.Partition }
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		s.t.Fatalf("status: exit %d: %v: %s", code, err, errs)
	}
	for _, p := range doc.Partitions {
		got[p.Table] = p.State + " " + strings.Join(append(p.Reasons, p.SkippedChecks...), "; ")
	}
	return got
}

// await polls until the state of a table of the day has a text.
func (s *server) await(table, want string) (states map[string]string) {
	s.t.Helper()
	sitetest.WaitFor(s.t, table+" that is "+want, func() bool {
		states = s.states("20180301")
		return strings.Contains(states[table], want)
	})
	return states
}

// TestServeChecks: the schedule makes the checks of a configuration file, and
// leaves out the given ones.
func TestServeChecks(t *testing.T) {
	t.Parallel()
	s := dailyServer(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "pingmill.yaml")
	checks := writeFolder(t, map[string]string{
		"few.clients_daily.error.sql": "SELECT count(*) AS clients FROM clients_daily WHERE submission_date_obj = '{day}' HAVING count(*) > 3",
	})
	configure := func(text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(file, []byte("checks:\n  dir: "+checks+"\n"+text), 0o600))
	}
	s.args = append(s.args, "--config", file)
	configure("")
	s.start()
	s.await("clients_daily", "check few")
	if got := s.await("search_clients_daily", "published"); !strings.HasPrefix(got["clients_daily"], "failed") {
		t.Errorf("with the check: %q", got)
	}
	s.stop()
	configure("  skip: [few]\n")
	s.start()
	if got := s.await("clients_daily", "published few"); !strings.HasSuffix(got["clients_daily"], " few") {
		t.Errorf("without the check: %q", got)
	}
	s.stop()
	if out := mustCall(t, "check", "clients_daily", "--config", file, "--data", s.data, "--date", "20180301"); !strings.Contains(out,
		"not run  error    few") {
		t.Errorf("check: %s", out)
	}
	if out := mustCall(t, "status", "--data", s.data, "--from", "20180301", "--to", "20180301"); !strings.Contains(out,
		"published clients_daily 20180301: without the checks few") {
		t.Errorf("status: %s", out)
	}
	configure("  skip: [frob]\n")
	for _, args := range [][]string{{"serve", "--private", s.private}, {"load", file}, {"replay"}, {"run", "all", "--date", "20180301"}} {
		if code, _, errs := call(nil, append(args, "--config", file, "--data", s.data)...); code != cli.ExitUsage ||
			!strings.Contains(errs, `find check "frob"`) {
			t.Errorf("%s with an unknown check: exit %d: %s", args[0], code, errs)
		}
	}
}

var (
	scraped    = regexp.MustCompile(`(?m)^# TYPE (pingmill_\w+) (\w+)$`)
	documented = regexp.MustCompile("(?m)^\\| `(pingmill_\\w+)` \\| (\\w+) \\|")
	elsewhere  = regexp.MustCompile(`^pingmill_(kafka|iceberg)_`) // of services with a topic or a catalog
)

// pairs returns the names and types that a pattern finds.
func pairs(pattern *regexp.Regexp, text string) map[string]string {
	all := map[string]string{}
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		all[m[1]] = m[2]
	}
	return all
}

// TestServeMetrics compares the metrics of a service that has made a day with the documentation, and with its work.
func TestServeMetrics(t *testing.T) {
	t.Parallel()
	s := dailyServer(t)
	s.start()
	s.awaitLog(`"msg":"published","run":\d+,"table":"crash_summary","day":"20180301"`) // the last one
	sub := newProfile(t)
	s.post(string(sub.URI), sub.Body, sub.Headers, 200)
	doc, err := os.ReadFile("../../docs/metrics.md")
	require.NoError(t, err)
	_, text := s.page("/metrics")
	want := pairs(documented, string(doc))
	maps.DeleteFunc(want, func(name, _ string) bool { return elsewhere.MatchString(name) })
	if got := pairs(scraped, text); !maps.Equal(got, want) || len(want) == 0 {
		t.Errorf("scraped %v, documented %v", got, want)
	}
	for _, want := range []string{
		`pingmill_partitions_total{outcome="committed",table="search_clients_daily"} 1`,
		`pingmill_partitions_total{outcome="failed",table="search_clients_daily"} 0`,
		`pingmill_table_overdue_seconds{table="search_clients_daily"} 0`,
		`pingmill_submissions_total{code="507"} 0`,
		`pingmill_build_info{goversion="` + runtime.Version() + `"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the metrics lack %s: %s", want, text)
		}
	}
	s.stop()
}

// awaitLog polls until the log has a text.
func (s *server) awaitLog(pattern string) {
	s.t.Helper()
	want := regexp.MustCompile(pattern)
	sitetest.WaitFor(s.t, pattern+" in the log", func() bool {
		b, err := os.ReadFile(s.log.Name())
		require.NoError(s.t, err)
		return want.Match(b)
	})
}

// page returns the status and the body of a page of the private listener.
func (s *server) page(path string) (int, string) {
	s.t.Helper()
	return getPage(s.t, http.DefaultClient, "http://"+s.private+path)
}

func getPage(t *testing.T, c *http.Client, url string) (code int, text string) {
	t.Helper()
	r, err := c.Get(url)
	require.NoError(t, err)
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	return r.StatusCode, string(b)
}
