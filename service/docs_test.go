package service

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/pingmill/pingmill/archive/claim"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ingest/edge"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/ingest/spool/kafka"
	"github.com/pingmill/pingmill/lake/iceberg"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/retain"
)

// full returns metrics all of which have a value.
func full(t *testing.T) *Metrics {
	t.Helper()
	m := testMetrics()
	now := time.Date(2018, 3, 2, 0, 0, 10, 0, time.UTC)
	decoded(m, "", "telemetry", "main")
	m.Removed(retain.Item{What: "archive", Bytes: 1})
	m.Retained(retain.Result{})
	unit, task := job.Unit{Table: "addons", Day: "20180301"}, job.Task{Table: "addons", Day: "20180301", Hi: 9}
	m.Progress(job.Event{Kind: job.TaskStarted, Time: now, Unit: unit, Task: task})
	m.Progress(job.Event{Kind: job.TaskEnded, Time: now, Unit: unit, Task: task})
	m.Progress(job.Event{Kind: job.UnitEnded, Unit: unit, Outcome: job.Committed})
	err := m.Observe(func() State {
		return State{
			Edge:  &edge.Stats{Responses: map[int]int64{200: 1}, Namespaces: map[string]edge.NamespaceStats{"telemetry": {Accepted: 1}}},
			Spool: &spool.Stats{},
			Edges: []edgestate.Progress{{Edge: "e"}}, Latest: map[string]ping.Day{"addons": "20180301"},
			Overdue: map[string]ping.Day{"addons": ""}, Replaced: new(int64), Forgotten: &Forgotten{}, Damaged: map[string]int{"addons": 0},
			SpoolDamaged: new(int),
			Topic:        &kafka.ConsumerStats{Lags: []kafka.Lag{{}}}, Claims: []claim.Record{{Edge: "kafka.t.00000"}},
			Iceberg: map[string]iceberg.Count{"addons": {}}, Behind: map[string]time.Time{"addons": {}},
		}
	}, func() time.Time { return now })
	require.NoError(t, err)
	return m
}

var descName = regexp.MustCompile(`fqName: "([^"]+)"`)

// described returns the names of all metrics of a registry, with a value or without.
func described(t *testing.T, m *Metrics) map[string]bool {
	t.Helper()
	ch := make(chan *prometheus.Desc)
	go func() {
		m.registry.Describe(ch)
		close(ch)
	}()
	names := map[string]bool{}
	for d := range ch {
		match := descName.FindStringSubmatch(d.String())
		if match == nil {
			t.Fatalf("no name in %s", d)
		}
		names[match[1]] = true
	}
	return names
}

// gathered returns the project's own metrics as the documentation writes them: name, type and labels.
func gathered(t *testing.T, m *Metrics) map[string]string {
	t.Helper()
	families, err := m.registry.Gather()
	require.NoError(t, err)
	rows := map[string]string{}
	for _, f := range families {
		if !strings.HasPrefix(f.GetName(), "pingmill_") {
			continue
		}
		var labels []string
		for _, l := range f.GetMetric()[0].GetLabel() {
			labels = append(labels, l.GetName())
		}
		slices.Sort(labels)
		rows[f.GetName()] = strings.ToLower(f.GetType().String()) + " " + strings.Join(labels, ",")
	}
	return rows
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}

var docRow = regexp.MustCompile("(?m)^\\| `(pingmill_[a-z_]+)` \\| (\\w+) \\| ([^|]*)\\| (.+) \\|$")

func TestDocumentation(t *testing.T) {
	m := full(t)
	want := gathered(t, m)
	for name := range described(t, m) {
		if strings.HasPrefix(name, "pingmill_") && want[name] == "" {
			t.Errorf("%s has no value here: give it one in full", name)
		}
	}
	got := map[string]string{}
	for _, row := range docRow.FindAllStringSubmatch(read(t, "../docs/metrics.md"), -1) {
		if got[row[1]] != "" {
			t.Errorf("docs/metrics.md has %s twice", row[1])
		}
		labels := strings.FieldsFunc(row[3], func(r rune) bool { return strings.ContainsRune("`, ", r) })
		slices.Sort(labels)
		got[row[1]] = row[2] + " " + strings.Join(labels, ",")
	}
	for name, w := range want {
		if got[name] != w {
			t.Errorf("%s is %q, in docs/metrics.md %q", name, w, got[name])
		}
	}
	for name := range got {
		if want[name] == "" {
			t.Errorf("docs/metrics.md has %s, which is no metric", name)
		}
	}
}

func TestNames(t *testing.T) {
	for name, kind := range gathered(t, full(t)) {
		if strings.HasPrefix(kind, "counter") != strings.HasSuffix(name, "_total") {
			t.Errorf("%s is a %s: counters, and nothing else, end with _total", name, kind)
		}
	}
}

var metricName = regexp.MustCompile(`\b(?:pingmill|process|go)_[a-z0-9_]+`)

// checkExpr looks whether all metrics of an expression are registered.
func checkExpr(t *testing.T, where, expr string, names map[string]bool) {
	t.Helper()
	for _, name := range metricName.FindAllString(expr, -1) {
		base := name
		for _, suffix := range []string{"_bucket", "_sum", "_count"} {
			base = strings.TrimSuffix(base, suffix)
		}
		if !names[name] && !names[base] {
			t.Errorf("%s: %s is no metric", where, name)
		}
	}
}

var anchorDrop = regexp.MustCompile(`[^a-z0-9 -]`)

func TestAlerts(t *testing.T) {
	var file struct {
		Groups []struct {
			Rules []struct {
				Record, Alert, Expr, For string
				Labels, Annotations      map[string]string
			}
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(read(t, "../packaging/alerts.yaml")), &file))
	operations := read(t, "../docs/operations.md")
	anchors := map[string]bool{}
	for _, line := range strings.Split(operations, "\n") {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			anchors[strings.ReplaceAll(anchorDrop.ReplaceAllString(strings.ToLower(title), ""), " ", "-")] = true
		}
	}
	names, tests := described(t, full(t)), read(t, "../packaging/alerts_test.yaml")
	alerts := 0
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			checkExpr(t, r.Record+r.Alert, r.Expr, names)
			if r.Alert == "" {
				continue
			}
			alerts++
			_, anchor, _ := strings.Cut(r.Annotations["runbook_url"], "docs/operations.md#")
			if r.Annotations["summary"] == "" || r.Annotations["description"] == "" || r.Labels["severity"] == "" || !anchors[anchor] {
				t.Errorf("%s lacks a summary, a description, a severity, or a link to a section of docs/operations.md", r.Alert)
			}
			if !strings.Contains(operations, "`"+r.Alert+"`") {
				t.Errorf("docs/operations.md does not name %s", r.Alert)
			}
			if !strings.Contains(tests, "alertname: "+r.Alert+"\n") {
				t.Errorf("packaging/alerts_test.yaml does not see %s fire", r.Alert)
			}
		}
	}
	if alerts == 0 {
		t.Error("there are no alerts")
	}
}

func TestDashboard(t *testing.T) {
	var board struct {
		ID     *int
		Panels []struct {
			ID         int
			Title      string
			Datasource struct{ UID string }
			Targets    []struct{ Expr string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(read(t, "../packaging/grafana-dashboard.json")), &board))
	if board.ID != nil {
		t.Error("the dashboard has the id of an installation of Grafana")
	}
	m, shown, ids := full(t), "", map[int]bool{}
	names := described(t, m)
	for _, p := range board.Panels {
		if ids[p.ID] {
			t.Errorf("two panels are %d", p.ID)
		}
		ids[p.ID] = true
		if len(p.Targets) > 0 && p.Datasource.UID != "${datasource}" {
			t.Errorf("%s asks the data source %q", p.Title, p.Datasource.UID)
		}
		for _, q := range p.Targets {
			checkExpr(t, p.Title, q.Expr, names)
			shown += q.Expr + "\n"
		}
	}
	for _, name := range slices.Sorted(maps.Keys(gathered(t, m))) {
		if !strings.Contains(shown, name) {
			t.Errorf("the dashboard does not show %s", name)
		}
	}
}
