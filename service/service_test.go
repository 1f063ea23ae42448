package service

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ingest/edge"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/sql/saved/alert"
)

func get(t *testing.T, h http.Handler, path string) (int, string) {
	t.Helper()
	s := httptest.NewServer(h)
	defer s.Close()
	r, err := http.Get(s.URL + path)
	require.NoError(t, err)
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	return r.StatusCode, string(b)
}

func testMetrics() *Metrics {
	m := NewMetrics(Build{"v1", "abc", "go1.26"})
	m.CountDecoding(schema.NewSet(&schema.Probes{}).Tables, []string{"telemetry"})
	m.CountJobs([]string{"addons", "telemetry_update_parquet"})
	m.CountProfiles([]string{"addons"})
	m.countSchedules()
	m.countSignIns()
	m.countPrograms()
	m.QueryEnded("flight", "done")
	return m
}

// decoded counts a submission.
func decoded(m *Metrics, class, namespace, docType string) {
	var meta ping.Meta
	meta.SetString(ping.SourceName, namespace)
	meta.SetString(ping.DocTypeField, docType)
	m.Decoded(&meta, class, "")
}

func TestMetrics(t *testing.T) {
	m := testMetrics()
	counts := scheduleCounts{&Service{counted: m}}
	counts.ScheduledRun("done", time.Second)
	counts.Notified("mail", alert.Alert, true)
	m.SignedIn(access.ByLink, true)
	m.SignedIn(access.ByPassword, false)
	m.Profiled("addons", time.Second, nil)
	m.Profiled("addons", time.Second, errors.New("x"))
	decoded(m, "", "telemetry", "main")
	decoded(m, "", "telemetry", "main")
	decoded(m, "", "x", "main")
	decoded(m, "json", "telemetry", "what/ever")
	decoded(m, "duplicate", "telemetry", "crash")
	now := time.Date(2018, 3, 2, 0, 0, 10, 0, time.UTC)
	task, unit := job.Task{Table: "addons", Day: "20180301", Hi: 9}, job.Unit{Table: "addons", Day: "20180301"}
	m.Progress(job.Event{Kind: job.TaskStarted, Time: now, Unit: unit, Task: task})
	m.Progress(job.Event{Kind: job.TaskEnded, Time: now.Add(3 * time.Second), Unit: unit, Task: task})
	m.Progress(job.Event{Kind: job.UnitEnded, Unit: unit, Outcome: job.Committed, Result: job.Result{RowsOut: 7, Bytes: 70, Rejected: 1}})
	m.Progress(job.Event{Kind: job.UnitEnded, Unit: unit, Outcome: job.Failed})
	m.Published("telemetry_update_parquet", 3, 300)
	m.Published("telemetry_update_parquet", 0, 40)
	err := m.Observe(func() State {
		return State{
			Edge:         &edge.Stats{Responses: map[int]int64{200: 5, 503: 1}, Bytes: 99, Connections: 3},
			SpoolDamaged: new(int),
			Spool:        &spool.Stats{SealedBytes: 1000, Sealed: 2, Oldest: now.Add(-20 * time.Minute).UnixNano(), Free: -1, Commits: 4},
			Edges:        []edgestate.Progress{{Edge: "e", Watermark: now.Add(-time.Minute).UnixNano()}},
			Silent:       []edgestate.Progress{{Edge: "gone", Watermark: now.Add(-time.Hour).UnixNano()}},
			Latest:       map[string]ping.Day{"addons": "20180301"},
			Overdue:      map[string]ping.Day{"addons": "20180228", "telemetry_update_parquet": ""},

			Forgotten: &Forgotten{Pending: 3, Oldest: now.Add(-time.Hour), Deadline: forget.Deadline(4 * time.Hour)},
		}
	}, func() time.Time { return now })
	require.NoError(t, err)
	code, text := get(t, (&Private{PProf: true, Metrics: m}).Handler(), "/metrics")
	if code != 200 {
		t.Fatalf("%d %s", code, text)
	}
	for _, want := range []string{
		`pingmill_deletion_pending_clients 3`,
		`pingmill_spool_oldest_seconds 1200`,
		`pingmill_deletion_oldest_seconds 3600`,
		`pingmill_deletion_deadline_used 0.25`,
		`pingmill_scheduled_queries_total{state="done"} 1`,
		`pingmill_scheduled_query_seconds_total{state="done"} 1`,
		`pingmill_alerts_total{event="alert",kind="mail",outcome="sent"} 1`,
		`pingmill_alerts_total{event="paused",kind="webhook",outcome="failed"} 0`,
		`pingmill_sign_ins_total{how="link",outcome="in"} 1`,
		`pingmill_program_queries_total{protocol="flight",state="done"} 1`,
		`pingmill_program_queries_total{protocol="postgres",state="cancelled"} 0`,
		`pingmill_sign_ins_total{how="password",outcome="refused"} 1`,
		`pingmill_sign_ins_total{how="oidc",outcome="in"} 0`,
		`pingmill_profiles_total{outcome="failed",table="addons"} 1`,
		`pingmill_profile_seconds_total{table="addons"} 2`,
		`pingmill_decoded_total{class="",doc_type="main",outcome="ping"} 2`,
		`pingmill_decoded_total{class="json",doc_type="other",outcome="error"} 1`,
		`pingmill_decoded_total{class="",doc_type="crash",outcome="duplicate"} 1`,
		`pingmill_task_seconds_sum{table="addons"} 3`,
		`pingmill_partitions_total{outcome="failed",table="addons"} 1`,
		`pingmill_rows_total{table="addons"} 7`,
		`pingmill_submissions_total{code="503"} 1`,
		`pingmill_spool_segments 2`,
		`pingmill_edge_lag_seconds{edge="e"} 60`,
		`pingmill_edge_silent{edge="e"} 0`,
		`pingmill_edge_silent{edge="gone"} 1`,
		`pingmill_table_freshness_seconds{table="addons"} 10`,
		`pingmill_table_overdue_seconds{table="addons"} 86410`,
		`pingmill_table_overdue_seconds{table="telemetry_update_parquet"} 0`,
		`pingmill_direct_rows_total{table="telemetry_update_parquet"} 3`,
		`pingmill_direct_bytes_total{table="telemetry_update_parquet"} 340`,
		`pingmill_build_info{goversion="go1.26",revision="abc",version="v1"} 1`,
		// What has not happened is 0, so that its first event is a change.
		`pingmill_submissions_total{code="507"} 0`,
		`pingmill_decoded_total{class="internal",doc_type="optout",outcome="error"} 0`,
		`pingmill_decoded_total{class="",doc_type="other",outcome="duplicate"} 0`,
		`pingmill_decoded_total{class="record",doc_type="other",outcome="error"} 0`,
		`pingmill_partitions_total{outcome="skipped",table="telemetry_update_parquet"} 0`,
		`pingmill_rows_total{table="telemetry_update_parquet"} 0`,
		`pingmill_rejected_rows_total{table="telemetry_update_parquet"} 0`,
		`pingmill_task_seconds_count{table="telemetry_update_parquet"} 0`,
		"go_goroutines",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
	if strings.Contains(text, "pingmill_spool_free_bytes ") {
		t.Error("an unknown free disk is a metric")
	}
}

func TestPrivate(t *testing.T) {
	bad := errors.New("the disk is gone")
	var broken error
	p := &Private{PProf: true,
		Metrics: testMetrics(),
		Status:  func(context.Context) (any, error) { return map[string]int{"days": 3}, broken },
		Checks: map[string]func(context.Context) error{
			"archive": func(context.Context) error { return nil },
			"spool":   func(context.Context) error { return broken },
		},
	}
	for _, c := range []struct {
		path string
		err  error
		code int
		want string
	}{
		{"/__lbheartbeat__", bad, 200, ""},
		{"/__heartbeat__", nil, 200, `"spool": "ok"`},
		{"/__heartbeat__", bad, 503, `"spool": "the disk is gone"`},
		{"/__heartbeat__", bad, 503, `"archive": "ok"`},
		{"/status", nil, 200, `"days": 3`},
		{"/status", bad, 500, "the disk is gone"},
		{"/debug/pprof/goroutine?debug=1", nil, 200, "goroutine profile"},
		{"/other", nil, 404, ""},
	} {
		broken = c.err
		code, text := get(t, p.Handler(), c.path)
		if code != c.code || !strings.Contains(text, c.want) {
			t.Errorf("%s with %v: %d %s", c.path, c.err, code, text)
		}
		if c.path == "/__heartbeat__" && !json.Valid([]byte(text)) {
			t.Errorf("not JSON: %s", text)
		}
	}
	p.PProf = false // as it is unless somebody asks for it: profiles show memory to every user of the machine
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/cmdline", "/debug/pprof/profile?seconds=1"} {
		if code, text := get(t, p.Handler(), path); code != 404 || !strings.Contains(text, "private.profiles") {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
}
