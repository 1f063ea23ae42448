package etl

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/generate"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// failing is a check that fails while broken is true.
func failing(table string, severity check.Severity, broken *bool) check.Check {
	id := "d1"
	return check.Check{
		Name: "mood_" + string(severity), Table: table, Severity: severity, Rule: "the mood is good",
		Func: func(context.Context, *check.Partition) (check.Finding, error) {
			if !*broken {
				return check.Finding{}, nil
			}
			return check.Finding{Total: 1, Rows: []check.Row{{Key: []check.Field{{Column: "document_id", Value: &id}}, Note: "bad mood"}}}, nil
		},
	}
}

func manifestOf(t *testing.T, s *site.Site, table string) *lake.Manifest {
	t.Helper()
	lt, err := s.Table(table)
	if err != nil {
		t.Fatal(err)
	}
	m, err := lt.Partition(context.Background(), testDay)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestFailedCheckBlocksPublishing(t *testing.T) {
	for _, local := range []bool{true, false} {
		pings := store.NewMemory()
		testPings(t, pings, 1, 200)
		s := memorySite(t, pings)
		if local {
			for root := range s.Roots {
				b, err := store.OpenLocal(filepath.Join(t.TempDir(), "lake"))
				if err != nil {
					t.Fatal(err)
				}
				s.Roots[root] = b
			}
		}
		broken := false
		s.Checks.More = []check.Check{failing("main_summary", check.Error, &broken)}
		mustRun(t, s, RunOptions{Tables: allTables})
		before := manifestOf(t, s, "main_summary")

		testPings(t, pings, 2, 100)
		broken = true
		o := RunOptions{Tables: allTables, Days: []string{testDay}, Now: time.Now}
		report, err := Run(context.Background(), s, o)
		var blocked *check.BlockedError
		if !errors.As(err, &blocked) || len(blocked.Results) != 1 {
			t.Fatalf("a failed check: %v", err)
		}
		for _, want := range []string{"main_summary " + testDay, "mood_error (the mood is good): document_id=d1: bad mood", blocked.Place, "--skip-check mood_error"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("the error does not say %q: %v", want, err)
			}
		}
		if report.Count(job.Failed) != 1 || report.Count(job.Skipped) != 3 || report.Count(job.Committed) != 1 {
			t.Errorf("report: %v", report)
		}
		if m := manifestOf(t, s, "main_summary"); m.Generation != before.Generation || m.Rows != before.Rows {
			t.Error("the old partition did not stay")
		}
		kept := stagedFiles(t, s, blocked.Place)
		if kept == 0 {
			t.Errorf("no files are kept in %s", blocked.Place)
		}

		// The same run fails again from what is there, and publishes it when told to.
		if _, err := Run(context.Background(), s, o); !errors.As(err, &blocked) || stagedFiles(t, s, blocked.Place) != kept {
			t.Errorf("a second time: %v", err)
		}
		var log bytes.Buffer
		s.Checks.Skip, s.Checks.Log = []string{"mood_error"}, slog.New(slog.NewTextHandler(&log, nil))
		mustRun(t, s, o)
		m := manifestOf(t, s, "main_summary")
		if m.Generation == before.Generation || !slices.Equal(m.SkippedChecks, []string{"mood_error"}) {
			t.Errorf("skipped: generation %s, %v", m.Generation, m.SkippedChecks)
		}
		if !strings.Contains(log.String(), "check skipped") || !strings.Contains(log.String(), "check=mood_error") {
			t.Errorf("log: %s", log.String())
		}
		if m := manifestOf(t, s, "addons"); m.SkippedChecks != nil {
			t.Errorf("addons notes %v", m.SkippedChecks)
		}

		// Without a reason to skip the note goes.
		broken, s.Checks.Skip = false, nil
		o.Force = true
		mustRun(t, s, o)
		if m := manifestOf(t, s, "main_summary"); m.SkippedChecks != nil {
			t.Errorf("made again: %v", m.SkippedChecks)
		}
	}
}

// stagedFiles counts the parquet files at a place that an error names.
func stagedFiles(t *testing.T, s *site.Site, place string) (n int) {
	t.Helper()
	for _, b := range s.Roots {
		dir := ""
		if root, ok := store.LocalDir(b); ok {
			dir = root + "/"
		}
		name := strings.TrimPrefix(place, dir)
		if strings.HasPrefix(name, "/") {
			continue // of another root
		}
		for e, err := range b.List(context.Background(), name+"/") {
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(e.Name, ".parquet") {
				n++
			}
		}
	}
	return n
}

func TestFailedWarningIsLogged(t *testing.T) {
	pings := store.NewMemory()
	testPings(t, pings, 1, 60)
	s := memorySite(t, pings)
	var log bytes.Buffer
	broken := true
	s.Checks = check.Options{More: []check.Check{failing("addons", check.Warning, &broken)}, Log: slog.New(slog.NewTextHandler(&log, nil))}
	mustRun(t, s, RunOptions{Tables: []string{"addons"}})
	if !strings.Contains(log.String(), "check=mood_warning") || !strings.Contains(log.String(), "bad mood") {
		t.Errorf("log: %s", log.String())
	}
	if m := manifestOf(t, s, "addons"); m.SkippedChecks != nil {
		t.Errorf("noted: %v", m.SkippedChecks)
	}
}

// TestSkippedChecksOfSomeSamples keeps the note as long as the samples stay that
// it is about.
func TestSkippedChecksOfSomeSamples(t *testing.T) {
	pings := store.NewMemory()
	testPings(t, pings, 1, 300)
	s := memorySite(t, pings)
	s.Checks.Skip = []string{"main_summary_required"}
	mustRun(t, s, RunOptions{Tables: []string{"main_summary"}})
	s.Checks.Skip = []string{"main_summary_one_per_ping"}
	o := RunOptions{Tables: []string{"main_summary"}, Samples: []job.Samples{{Lo: 0, Hi: 24}}, Force: true}
	mustRun(t, s, o)
	want := []string{"main_summary_one_per_ping", "main_summary_required"}
	if m := manifestOf(t, s, "main_summary"); !slices.Equal(m.SkippedChecks, want) {
		t.Errorf("%v, want %v", m.SkippedChecks, want)
	}
}

// TestPopulationPasses runs a generated population and checks all of it.
func TestPopulationPasses(t *testing.T) {
	s, err := site.Open(context.Background(), filepath.Join(t.TempDir(), "site"), probes(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	g, err := generate.New(generate.Config{Seed: 4, Clients: 200, Days: 2, MeanBytes: 16_000, Damaged: 0.1, Duplicates: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := g.WriteSubmissions(&b, generate.Options{Place: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(context.Background(), s, &b, LoadOptions{Decode: ingest.DefaultConfig()}); err != nil {
		t.Fatal(err)
	}
	infos, err := archive.Days(context.Background(), s.Archive)
	if err != nil {
		t.Fatal(err)
	}
	var days []string
	for _, i := range infos {
		if !slices.Contains(days, string(i.Day)) {
			days = append(days, string(i.Day))
		}
	}
	mustRun(t, s, RunOptions{Tables: allTables, Days: days})
	count := map[check.Verdict]int{}
	absent, err := CheckDays(context.Background(), s, allTables, append(days, "20000101"), AllChecks(s), func(results []check.Result) error {
		for _, r := range results {
			count[r.Verdict]++
			if r.Verdict == check.Failed || r.Verdict == check.Broken {
				t.Errorf("%s %s: %s", r.Day, r.Check.Name, &r)
			}
		}
		return nil
	})
	if err != nil || len(absent) != len(allTables) {
		t.Errorf("%d absent, %v", len(absent), err)
	}
	if warnings := len(allTables) * len(days); count[check.NotRun] != warnings || count[check.Passed] != len(check.All(s.Tables))*len(days)-warnings {
		t.Errorf("%v on %d days", count, len(days))
	}
}
