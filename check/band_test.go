package check_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/table/column"
)

// publish publishes a day of crash_summary with a number of rows.
func publish(t *testing.T, s *site.Site, day string, rows int, parts ...lake.Part) {
	t.Helper()
	ctx := context.Background()
	lt, err := s.Table("crash_summary")
	require.NoError(t, err)
	g, err := lt.Begin(ctx, day, "made")
	require.NoError(t, err)
	m := lake.Manifest{Parts: parts, Inputs: []lake.Input{{Name: "archive crash", Generation: "none"}}}
	if rows > 0 {
		sink, err := g.Create(ctx, g.FileName("", 0, 0))
		require.NoError(t, err)
		w, err := lake.NewFileWriter(sink, lt.Schema.Columns, lake.WriterOptions{})
		require.NoError(t, err)
		b := column.NewBatch(lt.Schema.Columns)
		for range rows {
			b.EndRow()
		}
		require.NoError(t, w.Write(b))
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		f, err := sink.Finish()
		require.NoError(t, err)
		f.Rows, f.Hi = int64(rows), job.NoClient
		m.Files = []lake.File{f}
	}
	require.NoError(t, g.Publish(ctx, m, nil))
}

var wholeDay = lake.Part{Lo: 0, Hi: job.NoClient, Work: "w"}

func usual(t *testing.T, s *site.Site, day string) check.Result {
	t.Helper()
	list, err := check.RunPublished(context.Background(), &s.Data, nil, "crash_summary", day, check.All(s.Tables), nil)
	require.NoError(t, err)
	for _, r := range list {
		if r.Check.Name == "crash_summary_usual_rows" {
			return r
		}
	}
	t.Fatal("the check was not made")
	return check.Result{}
}

func TestUsualRows(t *testing.T) {
	s := openSite(t)
	// Four weeks: 400 rows on weekdays, 100 at weekends. 20180301 is a Thursday.
	days, err := job.DayRange("20180201", "20180228")
	require.NoError(t, err)
	for _, d := range days {
		rows := 400
		if at, _ := job.ParseDay(d); at.Weekday()%6 == 0 {
			rows = 100
		}
		publish(t, s, d, rows, wholeDay)
	}
	for _, c := range []struct {
		day  string
		rows int
		want string
	}{
		{"20180301", 400, ""},
		{"20180301", 140, ""},
		{"20180301", 139, "139 rows, usual are 140 to 860: the median of the last 4 Thursdays is 400"},
		{"20180301", 860, ""},
		{"20180301", 861, "861 rows, usual are"},
		{"20180301", 0, "0 rows, usual are"},
		{"20180303", 100, ""},
		{"20180303", 400, "400 rows, usual are 20 to 230: the median of the last 4 Saturdays is 100"},
	} {
		publish(t, s, c.day, c.rows, wholeDay)
		r := usual(t, s, c.day)
		failed := r.Verdict == check.Failed
		if failed != (c.want != "") || !strings.Contains(r.Note, c.want) || r.Bad() {
			t.Errorf("%s with %d rows: %s %q", c.day, c.rows, r.Verdict, r.Note)
		}
	}
	// Ten days only: too few of a weekday, so all of them count.
	other := openSite(t)
	for i := range 10 {
		publish(t, other, fmt.Sprintf("201802%02d", 19+i), 100, wholeDay)
	}
	publish(t, other, "20180301", 500, wholeDay)
	if r := usual(t, other, "20180301"); r.Verdict != check.Failed || !strings.Contains(r.Note, "10 days of the last 4 weeks") {
		t.Errorf("ten days: %s %q", r.Verdict, r.Note)
	}
	// Samples, or days, that are missing say nothing.
	publish(t, other, "20180301", 500, lake.Part{Lo: 0, Hi: 9, Work: "w"})
	if r := usual(t, other, "20180301"); r.Verdict != check.NotRun || !strings.Contains(r.Note, "all samples") {
		t.Errorf("some samples: %s %q", r.Verdict, r.Note)
	}
	publish(t, other, "20180219", 500, wholeDay)
	if r := usual(t, other, "20180219"); r.Verdict != check.NotRun || !strings.Contains(r.Note, "too few days") {
		t.Errorf("no history: %s %q", r.Verdict, r.Note)
	}
}

func TestChangedSource(t *testing.T) {
	s := goodSite(t)
	load(t, s, "load2", day, []doc{{"m9", "c9", "main", "Firefox", noSearches}})
	r := results(t, s, "main_summary")
	if one := r["main_summary_one_per_ping"]; one.Verdict != check.NotRun || !strings.Contains(one.Note, "archive main has changed") {
		t.Errorf("more pings: %s %q", one.Verdict, one.Note)
	}
	if r["main_summary_required"].Verdict != check.Passed {
		t.Error("a check without a source is not made")
	}
	if _, err := etl.Run(context.Background(), s,
		etl.RunOptions{Tables: []string{"main_summary"}, Days: []string{day}, Now: now}); err != nil {
		t.Fatal(err)
	}
	if one := results(t, s, "addons")["addons_cover"]; one.Verdict != check.NotRun || !strings.Contains(one.Note, "main_summary has changed") {
		t.Errorf("another main_summary: %s %q", one.Verdict, one.Note)
	}
	lt, _ := s.Table("main_summary")
	require.NoError(t, lt.Expire(context.Background(), day))
	if one := results(t, s, "addons")["addons_cover"]; one.Verdict != check.NotRun || !strings.Contains(one.Note, "not published") {
		t.Errorf("no main_summary: %s %q", one.Verdict, one.Note)
	}
	if _, err := check.RunPublished(context.Background(), &s.Data, nil, "main_summary", day, nil, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a day that is not published: %v", err)
	}
	if _, err := check.RunPublished(context.Background(), &s.Data, nil, "nothing", day, nil, nil); err == nil {
		t.Error("an unknown table is checked")
	}
}

// TestOpenFiles passes rows whose pings are not in the archive yet.
func TestOpenFiles(t *testing.T) {
	s := goodSite(t)
	ctx := context.Background()
	lt, err := s.Table("telemetry_update_parquet")
	require.NoError(t, err)
	m, err := lt.Partition(ctx, day)
	require.NoError(t, err)
	g, err := lt.Begin(ctx, day, "grown")
	require.NoError(t, err)
	f := writeFile(t, g, m.Files[0], 1, lt.Schema.Columns, []tableRow{{0, map[string]any{"id": "u9"}}})
	f.OpenFor = "edge"
	if err := g.Extend(ctx, lake.Manifest{Inputs: m.Inputs, Files: []lake.File{f}}, m, "edge"); err != nil {
		t.Fatal(err)
	}
	for name, r := range results(t, s, "telemetry_update_parquet") {
		if r.Verdict != check.Passed && r.Verdict != check.NotRun {
			t.Errorf("%s: %s %v", name, r.Verdict, r.Finding)
		}
	}
}

func TestBrokenFiles(t *testing.T) {
	s := goodSite(t)
	ctx := context.Background()
	lt, err := s.Table("clients_daily")
	require.NoError(t, err)
	m, err := lt.Partition(ctx, day)
	require.NoError(t, err)
	require.NoError(t, lt.Bucket().Delete(ctx, lt.Path(day, m.Files[0].Name)))
	r := results(t, s, "clients_daily")["clients_daily_grain"]
	if r.Verdict != check.Broken || !r.Bad() || !strings.Contains(r.Note, "open clients_daily/v6") {
		t.Errorf("a file is missing: %s %v", r.Verdict, r.Finding)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := check.RunPublished(cancelled, &s.Data, nil, "clients_daily", day, check.All(s.Tables), nil); !errors.Is(err,
		context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
