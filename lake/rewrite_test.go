package lake

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// putClients publishes a partition of files of clients, one for each sample.
func putClients(b store.Bucket, t *schema.Table, name string, files map[int][]byte) error {
	g, err := opened(b, t).Begin(ctx, day, name)
	if err != nil {
		return err
	}
	m := Manifest{Probes: "p", Inputs: []Input{{"archive", "i1"}}, SkippedChecks: []string{"band"}}
	for _, lo := range slices.Sorted(maps.Keys(files)) {
		f, err := addFile(g, part0(lo, lo+9), files[lo])
		if err != nil {
			return err
		}
		m.Files = append(m.Files, f)
		m.Parts = append(m.Parts, part0(lo, lo+9))
	}
	return g.Publish(ctx, m, nil)
}

// forget returns a Rewrite without the rows of clients.
func forget(name string, clients ...string) Rewrite {
	return Rewrite{Name: name, Options: WriterOptions{RowGroupRows: 3},
		Keys: []Key{{"client_id", func(v []byte) bool { return slices.Contains(clients, string(v)) }}}}
}

// clientFiles returns a partition; b is in two of its files, c alone in one. The removed clients were never in it.
func clientFiles(removed ...string) map[int][]byte {
	return map[int][]byte{
		0:  clientFileWithout(removed, "a", "b", "", "a", "bb", "b", "", "d"),
		10: clientFileWithout(removed, "c", "c", "c", "c"),
		20: clientFileWithout(removed, "a", "", "e"),
		30: clientFileWithout(removed, "b", "f"),
	}
}

// without returns the contents of the partition as if b and c had never been.
func without() []string {
	files := clientFiles("b", "c")
	delete(files, 10)
	return contentsOf(files)
}

// contentsOf returns the contents of files, sorted.
func contentsOf(files map[int][]byte) (all []string) {
	for _, data := range files {
		all = append(all, string(data))
	}
	slices.Sort(all)
	return all
}

func TestRewrite(t *testing.T) {
	for _, back := range backends {
		for _, table := range []*schema.Table{sampled, daily} {
			t.Run(back.name+" "+table.Name, func(t *testing.T) {
				b := faulty(back.open(t), back.without)
				check(t, putClients(b, table, "aaaa", clientFiles()))
				before := published(t, b, table)
				r := forget("bbbb", "b", "c", "nobody")
				got, err := opened(b, table).Rewrite(ctx, day, r)
				check(t, err)
				// Of the generation before, the compact file is kept, too.
				if want := (Rewritten{Rows: 7, Files: 3, Replaced: keeps(b, 4), Generation: "bbbb"}); got != want {
					t.Errorf("got %+v, want %+v", got, want)
				}
				wantExactly(t, b, table, without()...)
				testRewritten(t, b, table, before)
				got, err = opened(b, table).Rewrite(ctx, day, r) // once more
				check(t, err)
				if want := (Rewritten{Generation: "bbbb"}); got != want {
					t.Errorf("again: got %+v, want %+v", got, want)
				}
				wantExactly(t, b, table, without()...)
				got, err = opened(b, table).Rewrite(ctx, day, forget("cccc", "a", "bb", "d", "e", "f"))
				check(t, err)
				if got.Rows != 7 || got.Files != 3 {
					t.Errorf("got %+v", got)
				}
				got, err = opened(b, table).Rewrite(ctx, day, forget("dddd", ""))
				check(t, err)
				if got != (Rewritten{Generation: "cccc"}) {
					t.Errorf("rows without a client: %+v", got)
				}
				check(t, run(b, table, "eeee", part0(0, 99)))
				m := published(t, b, table)
				if m.Rewritten != "" {
					t.Errorf("a run made what was rewritten from %s", m.Rewritten)
				}
			})
		}
	}
}

// testRewritten checks the manifest of a partition that was rewritten.
func testRewritten(t *testing.T, b store.Bucket, table *schema.Table, before *Manifest) {
	t.Helper()
	m := published(t, b, table)
	if m.Rewritten != "aaaa" || m.Generation != "bbbb" || m.Probes != "p" || m.Columns != before.Columns ||
		!slices.Equal(m.Inputs, before.Inputs) || !slices.Equal(m.Parts, before.Parts) || !slices.Equal(m.SkippedChecks, before.SkippedChecks) {
		t.Errorf("manifest %+v, before %+v", m, before)
	}
	var names []string
	for _, f := range m.Files {
		names = append(names, f.Name)
		if f.Hi != f.Lo+9 {
			t.Errorf("file %+v", f)
		}
	}
	want := []string{"sample_id=0/part-000-000-bbbb.parquet", "sample_id=20/part-020-000-aaaa.parquet",
		"sample_id=30/part-030-000-bbbb.parquet"}
	if len(table.PartitionKeys) == 1 {
		for i := range want {
			_, want[i], _ = strings.Cut(want[i], "/")
		}
	}
	if !slices.Equal(names, want) {
		t.Errorf("files %q, want %q", names, want)
	}
	if m.Files[0].Rows != 6 || m.Files[2].Rows != 1 {
		t.Errorf("rows %+v", m.Files)
	}
}

// All rows go, and the partition stays as one without files.
func TestRewriteToNothing(t *testing.T) {
	for _, back := range backends {
		b := faulty(back.open(t), back.without)
		check(t, putClients(b, daily, "aaaa", map[int][]byte{0: clientFile("a", "a")}))
		got, err := opened(b, daily).Rewrite(ctx, day, forget("bbbb", "a"))
		if want := (Rewritten{Rows: 2, Files: 1, Replaced: keeps(b, 1), Generation: "bbbb"}); err != nil || got != want {
			t.Errorf("%s: got %+v, %v", back.name, got, err)
		}
		wantExactly(t, b, daily)
	}
}

// A day without a partition has nothing to rewrite; what a killed run has left
// of one goes.
func TestRewriteNothing(t *testing.T) {
	for _, back := range backends {
		b := faulty(back.open(t), back.without)
		for _, left := range []string{"aaaa", "bbbb"} {
			g, err := opened(b, sampled).Begin(ctx, day, left)
			check(t, err)
			check(t, store.WriteFile(ctx, b, g.Path(g.FileName("", 0, 0)), clientFile("a")))
			got, err := opened(b, sampled).Rewrite(ctx, day, forget("bbbb", "a"))
			if err != nil || got != (Rewritten{}) {
				t.Errorf("%s: got %+v, %v", back.name, got, err)
			}
			for e := range b.List(ctx, "") {
				t.Errorf("%s: left over: %s", back.name, e.Name)
			}
		}
	}
}

// The manifest alone may change: then every file stays.
func TestRewriteChange(t *testing.T) {
	for _, back := range backends {
		b := faulty(back.open(t), back.without)
		check(t, putClients(b, sampled, "aaaa", clientFiles()))
		before := published(t, b, sampled)
		r := forget("bbbb", "nobody")
		r.Change = func(m *Manifest) bool {
			if m.Inputs[0].Generation == "i2" {
				return false
			}
			m.Inputs[0].Generation, m.Parts[0].Work = "i2", "w2"
			m.Files, m.Columns = nil, "not to be changed"
			return true
		}
		got, err := opened(b, sampled).Rewrite(ctx, day, r)
		if err != nil || got != (Rewritten{Generation: "bbbb"}) {
			t.Errorf("%s: got %+v, %v", back.name, got, err)
		}
		m := published(t, b, sampled)
		if m.Inputs[0].Generation != "i2" || m.Parts[0].Work != "w2" || m.Columns != before.Columns ||
			!slices.Equal(m.Files, before.Files) || m.Rewritten != "aaaa" {
			t.Errorf("%s: manifest %+v", back.name, m)
		}
		if got, err = opened(b, sampled).Rewrite(ctx, day, r); err != nil || got != (Rewritten{Generation: "bbbb"}) {
			t.Errorf("%s: again: %+v, %v", back.name, got, err)
		}
		r.Change = func(m *Manifest) bool { m.Inputs = nil; return true }
		if _, err := opened(b, sampled).Rewrite(ctx, day, r); !errors.Is(err, errPublished) {
			t.Errorf("%s: under the same name: %v", back.name, err)
		}
	}
}

// A rewritten file grows on, and keeps its place among those of the same number.
func TestRewriteOpen(t *testing.T) {
	for _, back := range backends {
		b := faulty(back.open(t), back.without)
		check(t, extend(b, "bbbb", string(clientFile("a", "b")), "", "e1"))
		check(t, extend(b, "cccc", string(clientFile("b", "c")), "", "e1"))
		check(t, extend(b, "dddd", string(clientFile("c", "b")), "e1", "e1"))
		check(t, extend(b, "ffff", string(clientFile("e")), "e2", "e2"))
		_, err := opened(b, daily).Rewrite(ctx, day, forget("eeee", "b"))
		check(t, err)
		m := published(t, b, daily)
		var got []string
		for _, f := range m.Files {
			data, err := store.ReadFile(ctx, b, opened(b, daily).Path(day, f.Name))
			check(t, err)
			got = append(got, f.Name+" "+f.OpenFor+strings.Join(clientsOf(t, string(data)), ""))
		}
		want := []string{
			`part-000-000-eeee.parquet {"client_id":"a"}`, `part-000-000-ffff.parquet e2{"client_id":"e"}`,
			`part-000-001-eeee.parquet {"client_id":"c"}`, `part-000-002-eeee.parquet e1{"client_id":"c"}`,
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q", back.name, got)
		}
		check(t, extend(b, "abcd", string(clientFile("c", "d")), "e1", "e1"))
		if m, err = opened(b, daily).Partition(ctx, day); err != nil || len(m.Files) != 4 || m.Rewritten != "" {
			t.Errorf("%s: extended: %+v, %v", back.name, m, err)
		}
	}
}

// Other versions of a table, of which the program knows the name alone.
func TestRewriteVersions(t *testing.T) {
	for _, back := range backends {
		b := faulty(back.open(t), back.without)
		if v, err := versionFolders(ctx, b, "wide"); err != nil || v != nil {
			t.Errorf("%s: versions %q, %v", back.name, v, err)
		}
		older := *sampled
		older.Version = "v0"
		check(t, putClients(b, &older, "aaaa", clientFiles()))
		check(t, putClients(b, sampled, "aaaa", clientFiles()))
		v, err := versionFolders(ctx, b, "wide")
		if err != nil || !slices.Equal(v, []string{"v0", "v1"}) {
			t.Errorf("%s: versions %q, %v", back.name, v, err)
		}
		older.Columns = []schema.Column{newColumn("other", "boolean!")}
		_, err = opened(b, &older).Rewrite(ctx, day, forget("bbbb", "b", "c"))
		check(t, err)
		m := published(t, b, &older)
		if got := contents(t, b, m, &older); !slices.Equal(got, without()) || m.Columns != Fingerprint(sampled.Columns) {
			t.Errorf("%s: version v0 has %d files, columns %s", back.name, len(got), m.Columns)
		}
	}
}

func TestRewriteErrors(t *testing.T) {
	b := faulty(localBucket(t), []string{"grace"})
	check(t, putClients(b, sampled, "aaaa", clientFiles()))
	for want, r := range map[string]Rewrite{
		"rewrite wide 20180301: begin wide 20180301: bad generation name \"a/b\"": forget("a/b"),
		"column n is int, not text":                     {Name: "bbbb", Keys: []Key{{Column: "n"}}},
		"generation has the new one's name already":     forget("aaaa", "b"),
		"file sample_id=10/part-010-000-aaaa.parquet: ": forget("bbbb", "e"),
	} {
		if strings.HasPrefix(want, "file") {
			check(t, store.WriteFile(ctx, b, opened(b, sampled).Path(day, "sample_id=10/part-010-000-aaaa.parquet"), []byte("no parquet")))
		}
		if _, err := opened(b, sampled).Rewrite(ctx, day, r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		if m, err := opened(b, sampled).Partition(ctx, day); err != nil || m.Generation != "aaaa" {
			t.Errorf("afterwards: %+v, %v", m, err)
		}
		check(t, store.WriteFile(ctx, b, opened(b, sampled).Path(day, "sample_id=10/part-010-000-aaaa.parquet"), clientFiles()[10]))
	}
	// Files of a time before the column are without clients.
	got, err := opened(b, sampled).Rewrite(ctx, day, Rewrite{Name: "bbbb", Keys: []Key{{"profile_id", func([]byte) bool { return true }}}})
	if err != nil || got != (Rewritten{Generation: "aaaa"}) {
		t.Errorf("no such column: %+v, %v", got, err)
	}
	check(t, b.Delete(ctx, opened(b, sampled).Path(day, "sample_id=20/part-020-000-aaaa.parquet")))
	if _, err := opened(b, sampled).Rewrite(ctx, day, forget("bbbb", "b")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}
