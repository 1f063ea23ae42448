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

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// failing returns a check that fails while broken is true.
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
	require.NoError(t, err)
	m, err := lt.Partition(context.Background(), sitetest.Day)
	require.NoError(t, err)
	return m
}

func TestFailedCheckBlocksPublishing(t *testing.T) {
	for _, local := range []bool{true, false} {
		pings := store.NewMemory()
		sitetest.Pings(t, pings, 1, 200)
		s := sitetest.Memory(t, pings)
		if local {
			for root := range s.Roots {
				b, err := store.OpenLocal(filepath.Join(t.TempDir(), "lake"))
				require.NoError(t, err)
				s.Roots[root] = b
			}
		}
		broken := false
		o := RunOptions{Tables: sitetest.AllTables, Days: []string{sitetest.Day}, Now: time.Now}
		o.Checks.More = []check.Check{failing("main_summary", check.Error, &broken)}
		mustRun(t, s, o)
		before := manifestOf(t, s, "main_summary")

		sitetest.Pings(t, pings, 2, 100)
		broken = true
		report, err := Run(context.Background(), s, o)
		var blocked *check.BlockedError
		if !errors.As(err, &blocked) || len(blocked.Results) != 1 {
			t.Fatalf("a failed check: %v", err)
		}
		for _, want := range []string{"main_summary " + sitetest.Day, "mood_error (the mood is good): document_id=d1: bad mood", blocked.Place,
			"--skip-check mood_error"} {
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
		staged := stagedFiles(t, s, blocked.Place)
		if staged == 0 {
			t.Errorf("no files are kept in %s", blocked.Place)
		}

		// The same run fails again with the same files, and publishes them if forced.
		if _, err := Run(context.Background(), s, o); !errors.As(err, &blocked) || stagedFiles(t, s, blocked.Place) != staged {
			t.Errorf("a second time: %v", err)
		}
		var log bytes.Buffer
		o.Checks.Skip, o.Log = []string{"mood_error"}, slog.New(slog.NewTextHandler(&log, nil))
		mustRun(t, s, o)
		m := manifestOf(t, s, "main_summary")
		if m.Generation == before.Generation || !slices.Equal(m.SkippedChecks, []string{"mood_error"}) {
			t.Errorf("skipped: generation %s, %v", m.Generation, m.SkippedChecks)
		}
		if !strings.Contains(log.String(), "check skipped") || !strings.Contains(log.String(), "check=mood_error") {
			t.Errorf("log: %s", log.String())
		}
		if m := manifestOf(t, s, "addons"); m.SkippedChecks != nil {
			t.Errorf("addons has %v", m.SkippedChecks)
		}

		// Without a reason to skip the manifest says nothing of it.
		broken, o.Checks.Skip = false, nil
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
			require.NoError(t, err)
			if strings.HasSuffix(e.Name, ".parquet") {
				n++
			}
		}
	}
	return n
}

func TestFailedWarningIsLogged(t *testing.T) {
	pings := store.NewMemory()
	sitetest.Pings(t, pings, 1, 60)
	s := sitetest.Memory(t, pings)
	var log bytes.Buffer
	broken := true
	o := RunOptions{Tables: []string{"addons"}, Log: slog.New(slog.NewTextHandler(&log, nil))}
	o.Checks.More = []check.Check{failing("addons", check.Warning, &broken)}
	mustRun(t, s, o)
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
	sitetest.Pings(t, pings, 1, 300)
	s := sitetest.Memory(t, pings)
	o := RunOptions{Tables: []string{"main_summary"}, Checks: check.Options{Skip: []string{"main_summary_required"}}}
	mustRun(t, s, o)
	o.Checks.Skip = []string{"main_summary_one_per_ping"}
	o.Samples, o.Force = []job.Samples{{Lo: 0, Hi: 24}}, true
	mustRun(t, s, o)
	want := []string{"main_summary_one_per_ping", "main_summary_required"}
	if m := manifestOf(t, s, "main_summary"); !slices.Equal(m.SkippedChecks, want) {
		t.Errorf("%v, want %v", m.SkippedChecks, want)
	}
}
