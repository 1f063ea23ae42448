package examples

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/catalog"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/tools/generate"
)

const gleanMetrics = `$schema: moz://mozilla.org/schemas/glean/metrics/2-0-0
browser.engagement:
  uri_count: {type: counter, send_in_pings: [baseline]}
  active_ticks: {type: counter, send_in_pings: [baseline]}
crash:
  time: {type: datetime, send_in_pings: [crash]}
nav:
  open: {type: event}
`

const gleanPings = `$schema: moz://mozilla.org/schemas/glean/pings/2-0-0
crash: {include_client_id: true}
`

// generatedGlean returns an installation with some days of two Glean applications.
func generatedGlean(t *testing.T) (*site.Site, *query.DB) {
	dir := t.TempDir()
	for _, app := range []string{"firefox-desktop", "org-example-browser"} {
		folder := filepath.Join(dir, "definitions", app)
		require.NoError(t, os.MkdirAll(folder, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "metrics.yaml"), []byte(gleanMetrics), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "pings.yaml"), []byte(gleanPings), 0o600))
	}
	defs, err := glean.Read(filepath.Join(dir, "definitions"))
	require.NoError(t, err)
	s, err := sitetest.Open(filepath.Join(dir, "data"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	s.Tables = defs.Tables()
	g, err := generate.New(generate.Config{Seed: 5, Clients: 120, Days: 8, MeanBytes: 16_000, Glean: true})
	require.NoError(t, err)
	file := filepath.Join(dir, "pings.ndjson")
	f, err := os.Create(file)
	require.NoError(t, err)
	_, err = g.WriteSubmissions(f, generate.Options{Place: true})
	require.NoError(t, err)
	require.NoError(t, f.Close())
	config := ingest.DefaultConfig()
	config.Glean.Applications = append(slices.Clone(config.Glean.Applications), "org-example-browser")
	_, err = loader.LoadFile(t.Context(), s, file, nil, loader.LoadOptions{Decode: config})
	require.NoError(t, err)
	days, err := job.DayRange(first8, last8)
	require.NoError(t, err)
	var needed []string
	for _, name := range schema.Names(s.Tables) {
		if slices.ContainsFunc([]string{"_baseline", "_crash", "_events", daily, firstSeen, lastSeen, events, crashes},
			func(end string) bool { return strings.HasSuffix(name, end) }) {
			needed = append(needed, name)
		}
	}
	etltest.Run(t, s, etl.RunOptions{Tables: needed, Days: days})
	db, err := catalog.Open(t.Context(), s, query.Options{TempDir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return s, db
}

// baseline are the baseline pings of an application by the number of the day, from 0.
type baseline [][]row

func (b baseline) clients(day int, fits func(row) bool) map[string]bool {
	found := map[string]bool{}
	for _, r := range where(b[day], fits) {
		found[r.text("client_id")] = true
	}
	return found
}

func anyRow(row) bool { return true }

// active counts the clients that were active on one of some days: with pages and ticks, or with a duration.
func (b baseline) active(from, to int, desktop bool) int {
	found := map[string]bool{}
	for day := max(0, from); day <= to; day++ {
		pages, ticks, seconds := map[string]float64{}, map[string]float64{}, map[string]float64{}
		for _, r := range b[day] {
			id := r.text("client_id")
			pages[id] += r.number("metrics", "counter", "browser_engagement_uri_count")
			ticks[id] += r.number("metrics", "counter", "browser_engagement_active_ticks")
			seconds[id] += r.number("metrics", "timespan", "glean_baseline_duration", "value")
		}
		for id := range pages {
			if desktop && pages[id] > 0 && ticks[id] > 0 || !desktop && seconds[id] > 0 {
				found[id] = true
			}
		}
	}
	return len(found)
}

// first returns the first ping of each client, by the number of its day.
func (b baseline) first() (first map[string]row, days map[string]int) {
	first, days = map[string]row{}, map[string]int{}
	for day, rows := range b {
		slices.SortStableFunc(rows, func(x, y row) int {
			return strings.Compare(x.text("submission_timestamp"), y.text("submission_timestamp"))
		})
		for _, r := range rows {
			if id := r.text("client_id"); first[id].v == nil {
				first[id], days[id] = r, day
			}
		}
	}
	return first, days
}

// TestGleanNumbers: the examples give the numbers that loops over the pings' rows give, for each application.
func TestGleanNumbers(t *testing.T) {
	s, db := generatedGlean(t)
	days, err := job.DayRange(first8, last8)
	require.NoError(t, err)
	list := ForTables(s.Tables)[len(All):]
	require.Len(t, list, 2*len(gleanExamples))
	results := map[string][][]string{}
	for _, e := range list {
		sql, err := e.Query(Days{row{day: first8}.date(), row{day: last8}.date()})
		require.NoError(t, err)
		columns, rows := runQuery(t, db, sql)
		for _, c := range append([]string{e.Chart.X, e.Chart.Series}, e.Chart.Y...) {
			require.Contains(t, append(columns, ""), c, e.Name)
		}
		results[e.Name] = rows
	}
	for _, app := range []string{"firefox_desktop", "org_example_browser"} {
		name := strings.ReplaceAll(app, "_", "-") + "-"
		var b baseline
		rows := func(table string) (all []row) {
			for _, day := range days {
				for _, v := range sitetest.RowsOf(t, s, app+table, day) {
					all = append(all, row{v, day})
				}
			}
			return all
		}
		for _, day := range days {
			b = append(b, where(rows("_baseline"), func(r row) bool { return r.day == day && r.at("client_id") != nil }))
		}
		expectActive(t, results, name, b)
		expectProfiles(t, results, name, b)
		expectCrashes(t, results[name+"crash-rate"], b, rows("_crash"))
		expectFunnel(t, results[name+"funnel"], rows(events))
	}
}

// TestFirefoxCrashes: those of Firefox are also in the table of its crash reporter.
func TestFirefoxCrashes(t *testing.T) {
	defs, err := glean.Firefox()
	require.NoError(t, err)
	listed := ForTables(defs.Tables())
	i := slices.IndexFunc(listed, func(e Example) bool { return e.Name == "firefox-desktop-crash-rate" })
	require.Contains(t, listed[i].SQL, "firefox_desktop_crashes")
	require.Contains(t, listed[i].SQL, "firefox_crashreporter_crashes")
	require.False(t, slices.ContainsFunc(listed, func(e Example) bool { return strings.HasPrefix(e.Name, "firefox-crashreporter") }))
}

func dashed(day int) string { return fmt.Sprintf("2018-03-%02d", day+1) }

func expectActive(t *testing.T, results map[string][][]string, name string, b baseline) {
	var want [][]string
	for day := range b {
		line := []string{dashed(day)}
		for _, back := range []int{0, 6, 27} {
			line = append(line, fmt.Sprint(b.active(day-back, day, name == "firefox-desktop-")))
		}
		want = append(want, line)
	}
	require.NotEqual(t, "0", want[7][1])
	require.Equal(t, want, results[name+"active"], name)
}

func expectProfiles(t *testing.T, results map[string][][]string, name string, b baseline) {
	first, days := b.first()
	profiles := map[string]int{}
	since, seen := map[int]int{}, map[int]int{}
	for id, r := range first {
		profiles[dashed(days[id])+"|"+r.or("(none)", "normalized_channel")]++
		for day := days[id]; day < len(b); day++ {
			since[day-days[id]]++
			if b.clients(day, anyRow)[id] {
				seen[day-days[id]]++
			}
		}
	}
	var want, retention [][]string
	for key, n := range profiles {
		want = append(want, append(strings.Split(key, "|"), fmt.Sprint(n)))
	}
	for n, all := range since {
		retention = append(retention, []string{fmt.Sprint(n), fmt.Sprint(all), fmt.Sprint(seen[n]), percent(seen[n], all)})
	}
	sortLines(want)
	sortLines(retention)
	require.Equal(t, want, results[name+"new-profiles"], name)
	require.Equal(t, retention, results[name+"retention"], name)
}

func expectCrashes(t *testing.T, got [][]string, b baseline, crashed []row) {
	require.Len(t, got, len(b))
	for day, rows := range b {
		hours := 0.0
		for _, r := range rows {
			hours += r.number("metrics", "counter", "browser_engagement_active_ticks") / 720
		}
		n := len(where(crashed, func(r row) bool { return r.date().Day() == day+1 }))
		require.Equal(t, []string{dashed(day), round(hours, 2), fmt.Sprint(n), round(1000*float64(n)/hours, 2)}, got[day])
	}
}

func expectFunnel(t *testing.T, got [][]string, rows []row) {
	identified := func(r row) bool { return r.at("client_id") != nil }
	at := map[string]string{}
	for _, r := range where(rows, identified) {
		at[r.text("client_id")] = ""
	}
	var want [][]string
	all := 0
	for i, event := range []string{"nav.open", "urlbar.engagement", "urlbar.abandonment"} {
		next := map[string]string{}
		for _, r := range where(rows, identified) {
			id, when := r.text("client_id"), r.text("event_timestamp")
			before, reached := at[id]
			if r.text("event") == event && reached && when > before && (next[id] == "" || when < next[id]) {
				next[id] = when
			}
		}
		if at = next; i == 0 {
			all = len(at)
		}
		want = append(want, []string{fmt.Sprint(i + 1), event, fmt.Sprint(len(at)), percent(len(at), all)})
	}
	require.NotZero(t, all)
	require.Equal(t, want, got)
}
