package etl

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// diskSite returns an installation on the disk with a day of pings, all of it made.
func diskSite(t *testing.T) *site.Site {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "site")
	s, err := sitetest.Open(dir)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	sitetest.Pings(t, s.Archive, 10, 100)
	mustRun(t, s, RunOptions{Tables: sitetest.AllTables})
	return s
}

// partitionDamages returns ways to damage a partition, given its folder and its files where they are read.
func partitionDamages(t *testing.T) map[string]func(t *testing.T, dir string, files []string) {
	t.Helper()
	flip := func(at int) func(*testing.T, string, []string) {
		return func(t *testing.T, _ string, files []string) {
			data, err := os.ReadFile(files[0])
			require.NoError(t, err)
			data[(len(data)*at)/100] ^= 8
			rewrite(t, files[0], data)
		}
	}
	return map[string]func(*testing.T, string, []string){
		"a flipped bit of a page":     flip(5),
		"a flipped bit of the footer": flip(90),
		"a cut file":                  func(t *testing.T, _ string, files []string) { require.NoError(t, os.Truncate(files[0], 1000)) },
		"a lost file":                 func(t *testing.T, _ string, files []string) { require.NoError(t, os.Remove(files[0])) },
		"the last file lost":          func(t *testing.T, _ string, files []string) { require.NoError(t, os.Remove(files[len(files)-1])) },
		"a lost manifest": func(t *testing.T, dir string, _ []string) {
			require.NoError(t, os.Remove(filepath.Join(dir, "_manifest.json")))
		},
		"a manifest that is none": func(t *testing.T, dir string, _ []string) {
			rewrite(t, filepath.Join(dir, "_manifest.json"), []byte("?"))
		},
		"a manifest of another version": func(t *testing.T, dir string, _ []string) {
			rewrite(t, filepath.Join(dir, "_manifest.json"), []byte(`{"format":-1}`))
		},
	}
}

// rewrite changes a file in its place, whatever names it has.
func rewrite(t *testing.T, name string, data []byte) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0)
	require.NoError(t, err)
	_, err = f.Write(data)
	require.NoError(t, errors.Join(err, f.Close()))
}

// largeFiles lists published files as those of a day without compact files.
func largeFiles(s *site.Site, lt *lake.Table) *PublishedFiles {
	p := NewPublished(s, time.Now)
	p.Avoid = map[string]bool{lt.Path(sitetest.Day, ""): true}
	return p
}

// Readers find the damage of a table's files, status reports it with the command that mends it, and mended by a run
// that makes the same bytes again and nothing else.
func TestDamagedPartition(t *testing.T) {
	for name, damage := range partitionDamages(t) {
		t.Run(name, func(t *testing.T) {
			s := diskSite(t)
			want := tableContents(t, s)
			lt, err := s.Table("main_summary")
			require.NoError(t, err)
			p := largeFiles(s, lt)
			paths, _, err := p.Files(t.Context(), lt, everyDay)
			require.NoError(t, err)
			require.NoError(t, p.Verify(t.Context(), paths, nil))
			slices.Sort(paths)
			root, _ := store.LocalDir(lt.Bucket())
			damage(t, filepath.Join(root, path.Dir(lt.Path(sitetest.Day, "x"))), paths)

			p = largeFiles(s, lt)
			paths, _, err = p.Files(t.Context(), lt, everyDay)
			require.NoError(t, err)
			err = p.Verify(t.Context(), paths, nil)
			d, is := lake.Damage(err)
			if !is || d.Day != sitetest.Day || !strings.Contains(err.Error(), "run `pingmill run main_summary --date "+sitetest.Day+"`") {
				t.Errorf("a query of all files: %v", err)
			}
			at, why, st := states(t, s, sitetest.Later, sitetest.Day)
			if at["main_summary "+sitetest.Day] != stateSpoilt || st.Wrong != 1 || is &&
				!strings.Contains(why["main_summary "+sitetest.Day], d.File) {
				t.Errorf("status: %v %v", at, why)
			}
			if _, err := Run(t.Context(), s,
				RunOptions{Tables: []string{"main_summary"}, Days: []string{sitetest.Day}, Samples: []job.Samples{{Lo: 0, Hi: 9}},
					Now: time.Now}); err == nil {
				at, _, _ := states(t, s, sitetest.Later, sitetest.Day)
				if at["main_summary "+sitetest.Day] != stateSpoilt {
					t.Error("a run of some samples mended the day")
				}
			}
			report := mustRun(t, s, RunOptions{Tables: sitetest.AllTables})
			if got := report.Count(job.Committed); got != 1 {
				t.Errorf("%d partitions were made", got)
			}
			sitetest.SameContents(t, tableContents(t, s), want)
			at, _, st = states(t, s, sitetest.Later, sitetest.Day)
			if st.Wrong != 0 {
				t.Errorf("after the run: %v", at)
			}
			p = largeFiles(s, lt)
			paths, _, err = p.Files(t.Context(), lt, everyDay)
			require.NoError(t, err)
			require.NoError(t, p.Verify(t.Context(), paths, nil))
		})
	}
}

// Damage of a compact file is reported and repaired in the same way. Queries read the other files meanwhile.
func TestDamagedCompact(t *testing.T) {
	s := diskSite(t)
	want := tableContents(t, s)
	lt, err := s.Table("main_summary")
	require.NoError(t, err)
	p := NewPublished(s, time.Now)
	paths, narrow, err := p.Files(t.Context(), lt, everyDay)
	if err != nil || len(paths) != 2 || narrow != 1 || !strings.Contains(paths[0], "_compact-all-") ||
		!strings.Contains(paths[1], "_compact-narrow-") {
		t.Fatalf("files %v, %d, %v", paths, narrow, err)
	}
	for name, damage := range partitionDamages(t) {
		if !strings.HasPrefix(name, "a flipped bit") && !strings.Contains(name, "file") {
			continue
		}
		damage(t, "", paths)
		p = NewPublished(s, time.Now)
		now, _, err := p.Files(t.Context(), lt, everyDay)
		require.NoError(t, err)
		if strings.HasPrefix(name, "a flipped bit") { // to be found by reading
			err = p.Verify(t.Context(), now, nil)
			var compact *CompactError
			d, is := lake.Damage(err)
			if !errors.As(err, &compact) || !is || !strings.HasSuffix(paths[0], d.File) || compact.Partition != lt.Path(sitetest.Day, "") {
				t.Errorf("%s: %v", name, err)
			}
		}
		p = NewPublished(s, time.Now)
		now, narrow, err = p.Files(t.Context(), lt, everyDay)
		if err != nil || len(now) < 10 || narrow != 0 || p.Verify(t.Context(), now, nil) != nil {
			t.Errorf("%s: after it was found: %d files, %v", name, len(now), err)
		}
		if at, _, _ := states(t, s, sitetest.Later, sitetest.Day); at["main_summary "+sitetest.Day] != stateSpoilt {
			t.Errorf("%s: %v", name, at)
		}
		mustRun(t, s, RunOptions{Tables: sitetest.AllTables})
		sitetest.SameContents(t, tableContents(t, s), want)
	}
}

// tableContents returns the hashes of the files in the folders of tables.
func tableContents(t *testing.T, s *site.Site) map[string]string {
	t.Helper()
	all := sitetest.Contents(t, s)
	for name := range all {
		if strings.Contains(name, "/_generations/") {
			delete(all, name)
		}
	}
	return all
}

// A table that is made from a damaged one fails with the file's name.
func TestDamagedInput(t *testing.T) {
	s := diskSite(t)
	lt, err := s.Table("main_summary")
	require.NoError(t, err)
	paths, _, err := largeFiles(s, lt).Files(t.Context(), lt, everyDay)
	require.NoError(t, err)
	data, err := os.ReadFile(paths[0])
	require.NoError(t, err)
	for i := 10; i < len(data)/2; i += 50 {
		data[i] ^= 1
	}
	rewrite(t, paths[0], data)
	report, err := Run(t.Context(), s, RunOptions{Tables: []string{"clients_daily"}, Days: []string{sitetest.Day}, Force: true, Now: time.Now})
	if err != nil || report.Count(job.Committed) != 2 {
		t.Errorf("forced, with what it is made from: %v %v", report, err)
	}
	rewrite(t, paths[0], data)
	st := newSteps(&s.Data).working(s.Locks(), nil)
	u := job.Unit{Table: "clients_daily", Day: sitetest.Day}
	plan, err := st.Plan(t.Context(), u)
	require.NoError(t, err)
	_, err = st.Do(t.Context(), u, plan, plan.Tasks[0])
	st.locks.UnlockAll()
	if d, is := lake.Damage(err); !is || d.Table != "main_summary" || !strings.HasSuffix(paths[0], d.File) {
		t.Errorf("reading a damaged main_summary: %v", err)
	}
	if report := mustRun(t, s, RunOptions{Tables: []string{"main_summary"}}); report.Count(job.Committed) != 1 {
		t.Errorf("the command that the error names: %v", report)
	}
}

// Who has verified a file does not read it again, until it is changed.
func TestVerifierRemembers(t *testing.T) {
	s := diskSite(t)
	lt, err := s.Table("main_summary")
	require.NoError(t, err)
	m, err := lt.Partition(t.Context(), sitetest.Day)
	require.NoError(t, err)
	opened := &countedOpens{Bucket: lt.Bucket()}
	counted := lake.Open(opened, lt.Schema)
	dir := t.TempDir()
	verify := func(columns []string) int {
		opened.n.Store(0)
		require.NoError(t, lake.NewVerifier(dir, func() time.Time { return time.Now().Add(time.Hour) }).Verify(t.Context(), counted, m, m.Files,
			columns))
		return int(opened.n.Load())
	}
	all := len(m.Files)
	for i, c := range []struct {
		columns []string
		want    int
	}{{[]string{"os"}, all}, {[]string{"os"}, 0}, {[]string{}, 0}, {[]string{"os", "country"}, all}, {nil, all}, {[]string{"locale"}, 0},
		{nil, 0}} {
		if got := verify(c.columns); got != c.want {
			t.Errorf("step %d: %d files opened, want %d", i, got, c.want)
		}
	}
}

// countedOpens counts the parquet files that are opened.
type countedOpens struct {
	store.Bucket

	n atomic.Int64
}

func (c *countedOpens) Open(ctx context.Context, name string) (store.Reader, error) {
	if strings.HasSuffix(name, ".parquet") {
		c.n.Add(1)
	}
	return c.Bucket.Open(ctx, name)
}

func everyDay(string) bool { return true }
