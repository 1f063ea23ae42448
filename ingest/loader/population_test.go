package loader

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/tools/generate"
)

// TestPopulationPasses runs a generated population and checks all of it.
func TestPopulationPasses(t *testing.T) {
	s, err := sitetest.Open(filepath.Join(t.TempDir(), "site"))
	require.NoError(t, err)
	defer s.Close()
	g, err := generate.New(generate.Config{Seed: 4, Clients: 200, Days: 2, MeanBytes: 16_000, Damaged: 0.1, Duplicates: 0.05})
	require.NoError(t, err)
	var b bytes.Buffer
	if _, err := g.WriteSubmissions(&b, generate.Options{Place: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(context.Background(), s, &b, LoadOptions{Decode: ingest.DefaultConfig()}); err != nil {
		t.Fatal(err)
	}
	infos, err := archive.Days(context.Background(), s.Archive)
	require.NoError(t, err)
	var days []string
	for _, i := range infos {
		if !slices.Contains(days, string(i.Day)) {
			days = append(days, string(i.Day))
		}
	}
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables, Days: days})
	count := map[check.Verdict]int{}
	absent, err := etl.CheckDays(context.Background(), s, sitetest.AllTables, append(days, "20000101"), check.Options{},
		func(results []check.Result) error {
			for _, r := range results {
				count[r.Verdict]++
				if r.Verdict == check.Failed || r.Verdict == check.Broken {
					t.Errorf("%s %s: %s", r.Day, r.Check.Name, &r)
				}
			}
			return nil
		})
	if err != nil || len(absent) != len(sitetest.AllTables) {
		t.Errorf("%d absent, %v", len(absent), err)
	}
	if warnings := len(sitetest.AllTables) * len(days); count[check.NotRun] != warnings ||
		count[check.Passed] != len(check.All(s.Tables))*len(days)-warnings {
		t.Errorf("%v on %d days", count, len(days))
	}
}
