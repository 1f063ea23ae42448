package iceberg

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/lake/iceberg/catalog"
	"github.com/pingmill/pingmill/lake/iceberg/format"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
)

// testClock is the time of a test.
type testClock struct{ time.Time }

func (c *testClock) now() time.Time { return c.Time }

// following returns an installation with two days, and its follower with a catalog in SQLite.
func following(t *testing.T) (*site.Site, *Follower, *testClock) {
	t.Helper()
	s, c := sitetest.Local(t), &testClock{sitetest.At(9)}
	s.Grace.For, s.Grace.Now = time.Minute, c.now
	sitetest.DayPings(t, s.Archive, 1, 60, "20180301", "20180302")
	return s, follower(t, s, c, catalog.Config{Kind: catalog.SQL, URI: "sqlite://" + filepath.Join(t.TempDir(), "catalog.db")}), c
}

func follower(t *testing.T, s *site.Site, c *testClock, cat catalog.Config) *Follower {
	t.Helper()
	f, err := Open(t.Context(), s, Config{Catalog: cat, Namespace: "pingmill", Restricted: "pingmill_restricted", Keep: time.Hour}, c.now,
		slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func run(t *testing.T, s *site.Site, days ...string) {
	t.Helper()
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables, Days: days})
}

func follow(t *testing.T, f *Follower, o Options) []Result {
	t.Helper()
	all, err := f.Sync(t.Context(), o)
	require.NoError(t, err)
	return all
}

// named returns the files of a table's snapshot by day, with the rows that it says they have; nil is the current one.
// Each is there, in its size.
func named(t *testing.T, f *Follower, table string, snapshot *format.Snapshot) map[string][]format.DataFile {
	t.Helper()
	lt, err := f.site.Table(table)
	require.NoError(t, err)
	p, err := placeOf(lt.Bucket())
	require.NoError(t, err)
	s := &syncing{Follower: f, table: lt, place: p, name: f.name(lt.Schema, p)}
	base, err := f.catalog.Load(t.Context(), s.name)
	require.NoError(t, err)
	if snapshot == nil {
		snapshot = base.Current()
	}
	if snapshot == nil {
		return nil
	}
	manifests, err := s.manifests(t.Context(), snapshot)
	require.NoError(t, err)
	all := map[string][]format.DataFile{}
	for _, m := range manifests {
		entries, err := s.dayEntries(t.Context(), &manifest{ManifestFile: m})
		require.NoError(t, err)
		for _, e := range entries {
			day := fmt.Sprint(e.File.Partition[dayColumn(lt.Schema)])
			day = strings.ReplaceAll(day, "-", "")
			all[day] = append(all[day], e.File)
			name, err := p.name(e.File.Path)
			require.NoError(t, err)
			file, err := p.bucket.Open(t.Context(), name)
			require.NoError(t, err)
			require.Equal(t, e.File.Bytes, file.Size())
			require.NoError(t, file.Close())
		}
	}
	return all
}

// same makes sure that tables name what is published.
func same(t *testing.T, s *site.Site, f *Follower) {
	t.Helper()
	for _, table := range s.Tables {
		lt := s.TableOf(table)
		parts, err := lt.Partitions(t.Context())
		require.NoError(t, err)
		days := named(t, f, table.Name, nil)
		for _, m := range parts {
			var rows int64
			for _, file := range days[m.Day] {
				rows += file.Rows
			}
			require.Equal(t, m.Rows, rows, "%s %s", table.Name, m.Day)
			delete(days, m.Day)
		}
		require.Empty(t, days, table.Name)
	}
}

func TestFollow(t *testing.T) {
	s, f, c := following(t)
	run(t, s, "20180301", "20180302")
	all := follow(t, f, Options{})
	require.Len(t, all, len(s.Tables))
	require.Equal(t, []string{"20180301", "20180302"}, all[0].Days)
	same(t, s, f)

	// Nothing is committed twice, whether it is looked at by halves or whole, by this process or another.
	for _, again := range []*Follower{f, follower(t, s, c, f.config.Catalog)} {
		for _, o := range []Options{{}, {Whole: true}} {
			for _, r := range follow(t, again, o) {
				require.False(t, r.Committed(), "%+v", r)
			}
		}
	}

	// More pings of a day: one snapshot, of that day.
	sitetest.DayPings(t, s.Archive, 2, 60, "20180302")
	c.Time = c.Add(10 * time.Minute)
	run(t, s, "20180302")
	r := follow(t, f, Options{})[0]
	require.Equal(t, []string{"20180302"}, r.Days)
	require.NotZero(t, r.Added)
	require.NotZero(t, r.Removed)
	same(t, s, f)
	old := load(t, f, "main_summary").Snapshots[0]
	require.Len(t, named(t, f, "main_summary", &old), 2, "its files are there")

	// The time of grace is over, that of the snapshot is not: the files stay. Then they go with it.
	c.Time = c.Add(20 * time.Minute)
	require.NoError(t, etl.Sweep(t.Context(), s))
	require.Len(t, named(t, f, "main_summary", &old), 2)
	c.Time = c.Add(time.Hour)
	follow(t, f, Options{Whole: true})
	require.Len(t, load(t, f, "main_summary").Snapshots, 1)
	require.NoError(t, etl.Sweep(t.Context(), s))
	replaced, err := etl.Replaced(t.Context(), &s.Data)
	require.NoError(t, err)
	require.Zero(t, replaced.Files)
	same(t, s, f)
}

func load(t *testing.T, f *Follower, table string) *catalog.Table {
	t.Helper()
	lt, err := f.site.Table(table)
	require.NoError(t, err)
	p, err := placeOf(lt.Bucket())
	require.NoError(t, err)
	base, err := f.catalog.Load(context.Background(), f.name(lt.Schema, p))
	require.NoError(t, err)
	return base
}

// behind makes sure of the number of tables that are behind.
func behind(t *testing.T, s *site.Site, want int) {
	t.Helper()
	all, err := ReadStatus(t.Context(), &s.Data)
	require.NoError(t, err)
	n := 0
	for i := range all {
		if all[i].Behind() {
			n++
		}
	}
	require.Equal(t, want, n, "%+v", all)
}

func makeDir(t *testing.T, dir string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
}
