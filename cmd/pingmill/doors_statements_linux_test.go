package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/saved/examples"
)

// posed is a statement that is asked: with FROM and TO for the days, as SINCE and UNTIL with dashes, and CLIENT for a client.
type posed struct {
	name    string
	dialect query.Dialect
	sql     string
	attack  bool // must be refused
	any     bool // may be refused or not
	loose   bool // its numbers are approximate
	none    bool // is asked by somebody without a row of its table
}

// measured are questions of the benchmark, and others about what goes on, in words that both dialects know.
var measured = []string{
	"SELECT submission_date_obj, count(*) FROM main_summary GROUP BY 1 ORDER BY 1",
	"SELECT submission_date_obj, timestamp, app_version, os, country, subsession_length, active_ticks, " +
		"scalar_parent_browser_engagement_total_uri_count FROM main_summary WHERE client_id = 'CLIENT' ORDER BY timestamp, document_id",
	"SELECT submission_date_obj, count(DISTINCT client_id) FROM main_summary GROUP BY 1 ORDER BY 1",
	"SELECT country, os, sum(subsession_length) / 3600 FROM main_summary WHERE submission_date_obj BETWEEN 'FROM' AND 'TO' GROUP BY 1, 2 " +
		"ORDER BY 3 DESC, 1, 2",
	"SELECT submission_date_obj, avg(active_ticks) FROM main_summary WHERE sample_id IN ('0', '1', '2', '3', '42', '57', '80') GROUP BY " +
		"1 ORDER BY 1",
	"WITH f AS (SELECT client_id, min(submission_date_obj) AS d FROM clients_daily GROUP BY 1) SELECT d, count(DISTINCT client_id) FROM " +
		"f JOIN clients_daily c USING (client_id) WHERE c.submission_date_obj > d GROUP BY 1 ORDER BY 1",
	"SELECT app_version, sum(crash_submit_attempt_main_sum) * 1000 / sum(subsession_hours_sum) FROM clients_daily WHERE " +
		"submission_date_obj >= 'FROM' GROUP BY 1 ORDER BY 1",
	"SELECT addon_id, count(DISTINCT client_id) FROM addons WHERE submission_date_obj BETWEEN 'FROM' AND 'TO' GROUP BY 1 ORDER BY 2 " +
		"DESC, 1 LIMIT 10",
	"SELECT count(*), count(DISTINCT client_id) FROM main_summary WHERE submission_date_obj = 'TO'",
	"SELECT count(*) FROM (SELECT * FROM main_summary WHERE client_id = 'CLIENT') AS t",
	"SELECT m.submission_date_obj, count(*) FROM main_summary m JOIN clients_daily c ON m.client_id = c.client_id AND " +
		"m.submission_date_obj = c.submission_date_obj GROUP BY 1 ORDER BY 1",
	"SELECT engine, source, sum(sap) FROM search_clients_daily WHERE submission_date_obj BETWEEN 'FROM' AND 'TO' GROUP BY 1, 2 ORDER BY 1, 2",
	"SELECT submission_date, count(*) FROM crash_summary GROUP BY 1 ORDER BY 1",
	"SELECT submission, count(*), min(client_id) FROM telemetry_new_profile_parquet GROUP BY 1 ORDER BY 1",
	"SELECT submission_date_obj, client_id, os, sample_id FROM clients_daily WHERE submission_date_obj >= 'FROM' ORDER BY 1, 2, 3",
	"SELECT submission_date, count(*), count(DISTINCT client_id), sum(metrics.counter.browser_engagement_uri_count) FROM " +
		"firefox_desktop_baseline GROUP BY 1 ORDER BY 1",
	"SELECT date_trunc('hour', submission_timestamp), count(*) FROM firefox_desktop.baseline WHERE submission_date BETWEEN 'SINCE' AND " +
		"'UNTIL' GROUP BY 1 ORDER BY 1",
	"SELECT document_id, submission_timestamp, ping_info.parsed_start_time, metadata.header.parsed_date, client_info.first_run_date, " +
		"additional_properties FROM firefox_desktop_baseline WHERE metrics.uuid.legacy_telemetry_client_id = 'CLIENT' ORDER BY 1",
	"SELECT b.submission_date, count(*), min(b.submission_timestamp) FROM firefox_desktop_baseline b JOIN main_summary m ON " +
		"b.metrics.uuid.legacy_telemetry_client_id = m.client_id AND replace(b.submission_date, '-', '') = m.submission_date_obj GROUP BY 1 " +
		"ORDER BY 1",
	"SELECT 'desktop' AS app, count(*) FROM firefox_desktop.events UNION ALL SELECT 'other', count(*) FROM org_example_browser.events " +
		"ORDER BY 1",
	"SELECT submission_date, event, count(*), count(DISTINCT client_id), min(event_timestamp) FROM firefox_desktop.events_stream WHERE " +
		"submission_date >= 'SINCE' GROUP BY 1, 2 ORDER BY 1, 2",
	"SELECT submission_date, count(*), sum(durations) FROM firefox_desktop_baseline_clients_daily GROUP BY 1 ORDER BY 1",
	"SELECT submission_date, metrics.string.usage_os, count(DISTINCT metrics.uuid.usage_profile_id) FROM firefox_desktop_usage_reporting " +
		"WHERE submission_date >= 'SINCE' GROUP BY 1, 2 ORDER BY 1, 2",
}

// prestoMeasured and duckMeasured are those that the dialects write otherwise.
var (
	prestoMeasured = []string{
		"SELECT engine, sum(count) FROM main_summary CROSS JOIN UNNEST(search_counts) AS s(engine, source, count) WHERE submission_date_obj " +
			"BETWEEN 'FROM' AND 'TO' GROUP BY 1 ORDER BY 2 DESC, 1",
		"SELECT key, sum(value) FROM main_summary CROSS JOIN UNNEST(histogram_parent_gc_max_pause_ms_2) AS h(key, value) GROUP BY 1 ORDER BY 1",
		"SELECT key, sum(value) FROM firefox_desktop_metrics CROSS JOIN UNNEST(metrics.timing_distribution.perf_page_load.\"values\") AS " +
			"h(key, value) GROUP BY 1 ORDER BY 1",
		"SELECT e.category, e.name, count(*) FROM firefox_desktop_events CROSS JOIN UNNEST(events) AS e(category, name, at, extra, session) " +
			"WHERE submission_date = 'UNTIL' GROUP BY 1, 2 ORDER BY 1, 2",
	}
	duckMeasured = []string{
		"SELECT s.engine, sum(s.count) FROM (SELECT unnest(search_counts) AS s FROM main_summary WHERE submission_date_obj BETWEEN 'FROM' " +
			"AND 'TO') GROUP BY 1 ORDER BY 2 DESC, 1",
		"SELECT * FROM main_summary WHERE client_id = 'CLIENT' ORDER BY document_id",
		"SELECT * FROM firefox_desktop_baseline WHERE metrics.uuid.legacy_telemetry_client_id = 'CLIENT' ORDER BY document_id",
		"SELECT e.name, count(*) FROM (SELECT unnest(events) AS e FROM firefox_desktop.events WHERE submission_date >= 'SINCE') GROUP BY 1 " +
			"ORDER BY 1",
	}
)

// statementsOf returns all statements for the days that there are now.
func statementsOf(t *testing.T, b *busy) (statements, attacks []posed) {
	t.Helper()
	to := b.clock().Add(-24 * time.Hour)
	days := examples.Days{From: to.Add(-2 * 24 * time.Hour), To: to}
	for _, e := range examples.All {
		sql, err := e.Query(days)
		require.NoError(t, err, e.Name)
		statements = append(statements, posed{name: e.Name, dialect: query.Presto, sql: sql, loose: strings.Contains(sql, "approx_percentile")})
	}
	words := strings.NewReplacer("FROM'", days.From.Format("20060102")+"'", "TO'", to.Format("20060102")+"'",
		"SINCE", days.From.Format(time.DateOnly), "UNTIL", to.Format(time.DateOnly), "CLIENT", b.recorder.anyClient())
	add := func(d query.Dialect, all []string) {
		for i, sql := range all {
			statements = append(statements, posed{name: fmt.Sprint(d, " ", i), dialect: d, sql: words.Replace(sql)})
		}
	}
	add(query.Presto, slices.Concat(measured, prestoMeasured))
	add(query.DuckDB, slices.Concat(measured, duckMeasured))
	return statements, attacksOn(t, b)
}

var (
	attackedTable = regexp.MustCompile(`\bt\b`)
	attackedCount = regexp.MustCompile(`\bn\b`)
)

// attacksOn returns the attacks of package worker on the tables of the installation.
func attacksOn(t *testing.T, b *busy) (all []posed) {
	t.Helper()
	text, err := os.ReadFile("../../sql/worker/testdata/attacks.sql")
	require.NoError(t, err)
	words := strings.NewReplacer("{dir}", b.data, "{secret}", b.data+"/web/web.db", "{part}", b.data+"/lake/clients_daily/v6/x.parquet",
		"{other}", b.data+"/restricted/x.parquet", "{old}", b.data+"/lake/_generations/x", "{link}", b.data+"/link",
		"{url}", "http://127.0.0.1:1", " other", " search_clients_daily", "day", "submission_date_obj")
	section := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if is, ok := strings.CutPrefix(line, "=="); ok {
			section = strings.TrimSpace(is)
		}
		if line == "" || strings.HasPrefix(line, "==") || strings.HasPrefix(line, "--") {
			continue
		}
		sql := attackedCount.ReplaceAllString(attackedTable.ReplaceAllString(words.Replace(line), "clients_daily"), "active_addons_count_mean")
		all = append(all, posed{name: "attack", dialect: query.DuckDB, sql: sql, attack: true, any: section == "is a query like any other"})
	}
	return all
}

// questions asks statements and checks what comes.
type questions struct {
	t        *testing.T
	b        *busy
	people   []asker // with grants of all tables
	outside  asker   // without search_clients_daily, for attacks
	few      asker   // without rows of main_summary
	end      context.CancelFunc
	recorded sync.WaitGroup
	checks   chan checked
	checking sync.WaitGroup

	scheduled []string // ids of saved queries

	next                    atomic.Int64
	mu                      sync.Mutex
	byDoor                  map[string]int
	empty                   []string // names of statements whose results had no rows
	day                     string   // of the statements
	posed, attacks          []posed
	exact, between, refused atomic.Int64 // answers of one state, of one of several, and attacks
	internal, wrong, lost   atomic.Int64
	filled                  atomic.Int64 // results with rows
}

type checked struct {
	posed
	door     string
	got      outcome
	from, to time.Time
}

func newQuestions(t *testing.T, b *busy) *questions {
	t.Helper()
	ctx, end := context.WithCancel(context.WithoutCancel(t.Context()))
	q := &questions{t: t, b: b, end: end, checks: make(chan checked, 1<<16), byDoor: map[string]int{}}
	b.recorder = newRecorder(t, b.data, b.definitions)
	q.recorded.Go(func() { b.recorder.run(ctx) })
	b.recorder.after(ctx, time.Now())
	for i := range *doorsPeers {
		q.people = append(q.people, b.account(fmt.Sprint("asker", i), "--grant", "*,search_clients_daily,search_aggregates"))
	}
	q.outside = b.account("outside", "--grant", "*")
	q.few = b.account("few", "--grant", "*,main_summary:country=ZZ")
	for range 2 {
		q.checking.Go(func() {
			for c := range q.checks {
				q.check(ctx, c)
			}
		})
	}
	q.schedule()
	return q
}

// schedule has some statements run by schedules beside.
func (q *questions) schedule() {
	p := q.people[0]
	for i, sql := range []string{measured[0], measured[10], measured[12]} {
		id := p.id("POST", "/saved", map[string]any{"title": fmt.Sprint("scheduled ", i), "sql": sql, "tags": []string{}})
		p.id("PUT", "/saved/"+id+"/schedule", map[string]any{"every": "5h"})
		q.scheduled = append(q.scheduled, id)
	}
}

// checkSchedules waits until a schedule was due, and looks whether all runs gave results.
func (q *questions) checkSchedules() {
	runs := 0
	for end := time.Now().Add(time.Minute); runs == 0 && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		for _, id := range q.scheduled {
			runs += q.checkSchedule(id)
		}
	}
	require.Positive(q.t, runs, "no schedule was due")
}

func (q *questions) checkSchedule(id string) (runs int) {
	_, text, err := q.people[0].call(q.t.Context(), "GET", "/saved/"+id+"/runs", nil)
	require.NoError(q.t, err)
	var list struct {
		Items []struct{ State, Error string }
	}
	require.NoError(q.t, json.Unmarshal([]byte(text), &list), text)
	for _, r := range list.Items {
		if r.State != "done" {
			q.internal.Add(1)
			q.t.Errorf("a run by a schedule is %s: %s", r.State, r.Error)
		}
	}
	return len(list.Items)
}

// ask asks until the context ends.
func (q *questions) runAll(ctx context.Context) {
	var everybody sync.WaitGroup
	for i, p := range q.people {
		inside, outside, few := p.doors(), q.outside.doors(), q.few.doors()
		everybody.Go(func() {
			for n := i; ctx.Err() == nil; n++ {
				at := int(q.next.Add(1)) - 1
				if at >= *doorsMost {
					return
				}
				d := n % len(inside)
				s := q.pick(at, inside[d])
				c := checked{posed: s, door: inside[d].name, from: time.Now()}
				run := inside[d].run
				switch {
				case s.attack:
					run = outside[d].run
				case s.none:
					run = few[d].run
				}
				c.got = run(context.WithoutCancel(ctx), s.dialect, s.sql)
				c.to = time.Now()
				q.checks <- c
				time.Sleep(*doorsPause)
			}
		})
	}
	everybody.Wait()
}

// pick returns the statement of a number, for a door. Every third one is an attack, and every tenth asks for rows that are not granted.
func (q *questions) pick(at int, d door) posed {
	statements, attacks := q.statements()
	s := statements[at*7%len(statements)]
	if at%3 == 2 {
		s = attacks[at/3*37%len(attacks)]
	}
	if !slices.Contains(d.dialects, s.dialect) {
		if !s.attack {
			s = statements[at%len(examples.All)]
		}
		s.dialect = query.Presto
	}
	if at%10 == 4 && !s.attack && d.name != "CLI" {
		s = statements[len(examples.All)+at/10%4] // of measured, about main_summary alone
		s.none = true
	}
	// On the command line there are no grants.
	s.any = s.any || d.name == "CLI" && strings.Contains(s.sql, "search_clients_daily")
	return s
}

// finish waits until all answers are checked.
func (q *questions) finish() {
	close(q.checks)
	q.checking.Wait()
	q.end()
	q.recorded.Wait()
}
