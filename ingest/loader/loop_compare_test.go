package loader

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/tools/generate"
)

// archivedCounts counts what is in the archive by kind: "ping main", "error json".
func archivedCounts(t testing.TB, s *site.Site) map[string]int {
	t.Helper()
	ctx := context.Background()
	counts := map[string]int{}
	days, err := archive.Days(ctx, s.Archive)
	require.NoError(t, err)
	for _, d := range days {
		counts["ping "+string(d.Day)+" "+string(d.DocType)] += int(d.Rows)
	}
	days, err = archive.ErrorDays(ctx, s.Archive)
	require.NoError(t, err)
	for _, d := range days {
		e, err := archive.OpenErrors(ctx, s.Archive, d.Day)
		require.NoError(t, err)
		for r, err := range e.All(ctx) {
			require.NoError(t, err)
			counts["error "+string(d.Day)+" "+r.Class]++
		}
	}
	return counts
}

// loaded returns the result of loading the same submissions from a file: the standard that decoding a spool is held to.
func loaded(t testing.TB, g *generate.Generator) map[string]int {
	t.Helper()
	var b strings.Builder
	if _, err := g.WriteSubmissions(&b, generate.Options{}); err != nil {
		t.Fatal(err)
	}
	s := sitetest.Memory(t, store.NewMemory())
	if _, err := Load(context.Background(), s, strings.NewReader(b.String()), LoadOptions{Decode: ingest.DefaultConfig()}); err != nil {
		t.Fatal(err)
	}
	return archivedCounts(t, s)
}

// directCounts counts the rows of the direct tables' partitions, as readers see them.
func directCounts(t testing.TB, s *site.Site) map[string]int64 {
	t.Helper()
	counts := map[string]int64{}
	for _, name := range s.Direct() {
		lt, err := s.Table(name)
		require.NoError(t, err)
		all, err := lt.Partitions(context.Background())
		require.NoError(t, err)
		for _, m := range all {
			if m.Rows > 0 { // a closed day may be empty
				counts[name+" "+m.Day] = m.Rows
			}
		}
	}
	return counts
}

func sameCounts[V int | int64](t testing.TB, what string, got, want map[string]V) {
	t.Helper()
	if !maps.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// directRows returns the rows that the direct tables must have.
func directRows(counts map[string]int) map[string]int64 {
	rows := map[string]int64{}
	for key, n := range counts {
		for docType, table := range map[string]string{"new-profile": "telemetry_new_profile_parquet", "update": "telemetry_update_parquet"} {
			if f := strings.Fields(key); f[0] == "ping" && f[2] == docType {
				rows[table+" "+f[1]] = int64(n)
			}
		}
	}
	return rows
}

// byTable sums up counts by table and day.
func byTable(counts map[string]int64) map[string]int64 {
	all := map[string]int64{}
	for key, n := range counts {
		table, _, _ := strings.Cut(key, " ")
		all[table] += n
	}
	return all
}

// rejectedAsSent checks that rejected submissions and duplicates are kept with
// what the client sent, but for its address.
func rejectedAsSent(t testing.TB, s *site.Site, records []*spool.Record) {
	t.Helper()
	sent := map[string]*spool.Record{}
	for _, r := range records {
		sent[string(r.URI)+string(r.Body)] = r
	}
	days, err := archive.ErrorDays(context.Background(), s.Archive)
	require.NoError(t, err)
	for _, d := range days {
		e, err := archive.OpenErrors(context.Background(), s.Archive, d.Day)
		require.NoError(t, err)
		for r, err := range e.All(context.Background()) {
			require.NoError(t, err)
			was := sent[r.Path+string(r.Body)]
			if was == nil {
				t.Errorf("%s %s: nobody sent this path and body", r.Class, r.Path)
				continue
			}
			for _, h := range was.Headers {
				if got, want := r.Headers[string(h.Name)], string(h.Value); got != want && string(h.Name) != "X-Forwarded-For" {
					t.Errorf("%s %s: header %s is %q, want %q", r.Class, r.Path, h.Name, got, want)
				}
			}
			if _, ok := r.Headers["X-Forwarded-For"]; ok {
				t.Errorf("%s %s: the address is kept", r.Class, r.Path)
			}
		}
	}
}

// sameTables compares the rows of the direct tables' closed days, byte by byte.
func sameTables(t testing.TB, got, want *site.Site, days []string) {
	t.Helper()
	sums := func(s *site.Site) map[string]string {
		all := map[string]string{}
		for _, name := range s.Direct() {
			lt, err := s.Table(name)
			require.NoError(t, err)
			for _, d := range days {
				m, err := lt.Partition(context.Background(), d)
				require.NoError(t, err)
				for i, f := range m.Files {
					all[fmt.Sprint(name, d, i)] = f.SHA256
				}
				if len(m.Parts) == 0 {
					t.Errorf("%s %s was not closed", name, d)
				}
			}
		}
		return all
	}
	if g, w := sums(got), sums(want); !maps.Equal(g, w) {
		t.Errorf("direct tables: got %v, want %v", g, w)
	}
}
