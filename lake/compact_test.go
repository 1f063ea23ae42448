package lake

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// checkCompact checks that every compact file of a partition is as the manifest says, in its folder and
// where it is read, with the rows of the others in the order of their samples.
func checkCompact(t *testing.T, b store.Bucket, m *Manifest, table *schema.Table) {
	t.Helper()
	lt := opened(b, table)
	if m.Compact == nil {
		return
	}
	files := slices.Clone(m.Files)
	slices.SortStableFunc(files, func(a, b File) int { return a.Lo - b.Lo })
	for _, f := range m.Compact {
		check(t, lt.Hash(ctx, m, f, nil))
		var cols []schema.Column
		if f.Columns != "" {
			cols = table.NarrowColumns()
		}
		want, _ := compactRows(t, lt, m, cols, files...)
		got, cols := compactRows(t, lt, m, cols, f)
		if f.Rows != int64(len(got)) || !slices.Equal(got, want) {
			t.Errorf("%s has %d rows\n%s\nwant\n%s", f.Name, f.Rows, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if f.Columns != "" && f.Columns != Fingerprint(cols) {
			t.Errorf("%s has the columns %v", f.Name, cols)
		}
	}
}

// compactRows returns the rows of files of a partition as JSON, of some columns; nil: of all that the first file has.
func compactRows(t *testing.T, lt *Table, m *Manifest, cols []schema.Column, files ...File) (rows []string, _ []schema.Column) {
	t.Helper()
	for _, f := range files {
		r, err := lt.bucket.Open(ctx, lt.Paths(ctx, m)(f.Name))
		require.NoError(t, err)
		file, err := OpenFile(r)
		require.NoError(t, err)
		if cols == nil {
			cols = file.Columns()
		}
		rows = append(rows, rowsOf(t, file, cols, 2)...)
		check(t, r.Close())
	}
	return rows, cols
}

// narrowed returns a table of the columns of client files with a narrow part.
func narrowed() *schema.Table {
	return &schema.Table{Name: "wide", Dir: "wide", Version: "v1", PartitionKeys: sampled.PartitionKeys,
		Columns: clientColumns(), Choice: schema.Choice{Narrow: []string{"client_id", "n"}}}
}

// TestCompact: a partition of small files has its rows once more, in a file of the narrow columns and one of
// all, under names that engines pass over, with the same bytes each time.
func TestCompact(t *testing.T) {
	for _, back := range backends {
		t.Run(back.name, func(t *testing.T) {
			b := faulty(back.open(t), back.without)
			table := narrowed()
			check(t, putClients(b, table, "aaaa", clientFiles()))
			m := published(t, b, table)
			if len(m.Compact) != 2 || m.Compact[0].Samples != "" || m.Compact[1].Samples != "0,10,20,30" || m.Compact[0].Columns == "" ||
				m.Compact[1].Columns != "" || m.Compact[0].Bytes >= m.Compact[1].Bytes {
				t.Fatalf("compact files %+v", m.Compact)
			}
			for _, f := range m.Compact {
				if f.Lo != 0 || f.Hi != 39 || f.Rows != 17 || path.Dir(f.Name) != "." || !strings.HasPrefix(f.Name, "_") ||
					strings.HasSuffix(f.Name, ".parquet") {
					t.Errorf("compact file %+v", f)
				}
			}
			// The helper counts a row for each file.
			if m.Bytes != SizeOf(m.Files) || m.Rows != 4 {
				t.Errorf("compact files are counted twice: %+v", m)
			}
			wantExactly(t, b, table, contentsOf(clientFiles())...)
			extra, err := opened(b, table).Extra(ctx, m)
			if err != nil || len(extra) > 0 {
				t.Errorf("extra %v, %v", extra, err)
			}
			check(t, putClients(b, table, "aaaa", clientFiles())) // once more
			if again := published(t, b, table); !slices.Equal(again.Compact, m.Compact) {
				t.Errorf("made again: %+v, first %+v", again.Compact, m.Compact)
			}
			_, err = opened(b, table).Rewrite(ctx, day, forget("bbbb", "b", "c"))
			check(t, err)
			wantExactly(t, b, table, without()...)
			for e := range b.List(ctx, "") { // also none that was kept for readers
				if strings.Contains(e.Name, compactPrefix) && !strings.HasSuffix(e.Name, "-bbbb") {
					t.Errorf("with rows of removed clients: %s", e.Name)
				}
			}
		})
	}
}

// TestNotCompact: large files, a single one, files of different columns, damaged ones and such as grow have none.
func TestNotCompact(t *testing.T) {
	b := localBucket(t)
	table := narrowed()
	check(t, putClients(b, table, "aaaa", map[int][]byte{0: clientFiles()[0]}))
	if m := published(t, b, table); m.Compact != nil {
		t.Errorf("a single file: %+v", m.Compact)
	}
	other := new(bytes.Buffer)
	_, err := writeRows(other, t, 3, 3, WriterOptions{})
	check(t, err)
	for name, data := range map[string][]byte{"bbbb": other.Bytes(), "cccc": []byte("damaged")} {
		check(t, putClients(b, table, name, map[int][]byte{0: clientFiles()[0], 10: data}))
		if m := published(t, b, table); m.Compact != nil || len(m.Files) != 2 {
			t.Errorf("%s: %+v", name, m)
		}
	}
	m := Manifest{Files: make([]File, 2), Parts: []Part{part0(0, 99)}, Bytes: 2 * compaction.meanBytes}
	if !m.compacts() {
		t.Error("small files are to be compacted")
	}
	if m.Bytes++; m.compacts() {
		t.Error("large files are to be compacted")
	}
	m.Bytes, m.Parts = 1, nil
	if m.compacts() {
		t.Error("a partition that grows is to be compacted")
	}
}

// TestCompactDamage: a compact file that is lost or changed is damage of the partition, which a run mends.
func TestCompactDamage(t *testing.T) {
	b := localBucket(t)
	table := narrowed()
	check(t, putClients(b, table, "aaaa", clientFiles()))
	m := published(t, b, table)
	lt := opened(b, table)
	look := func(want string) {
		t.Helper()
		_, found, err := lt.Look(ctx, day)
		check(t, err)
		if len(found) != 1 || found[0].File != m.Compact[1].Name || !strings.Contains(found[0].Error(), want) {
			t.Errorf("found %v, want %s", found, want)
		}
	}
	d := lt.damage(day, m.Compact[1].Name, "is odd")
	check(t, lt.RecordDamage(ctx, m, d))
	look("is odd")
	check(t, lt.DeleteDamage(ctx, day))
	check(t, b.Delete(ctx, lt.Path(day, m.Compact[1].Name)))
	look("is missing from wide/v1/submission_date_obj=20180301")
	check(t, putClients(b, table, "aaaa", clientFiles()))
	if _, found, err := lt.Look(ctx, day); err != nil || len(found) > 0 {
		t.Errorf("after it was made again: %v, %v", found, err)
	}
}

// putWithoutCompact publishes a partition as an earlier version would.
func putWithoutCompact(b store.Bucket, t *schema.Table, name string, files map[int][]byte) error {
	if err := putClients(b, t, name, files); err != nil {
		return err
	}
	lt := opened(b, t)
	m, err := lt.Partition(ctx, day)
	if err != nil {
		return err
	}
	for _, f := range m.Compact {
		for _, file := range []string{lt.Path(day, f.Name), lt.Paths(ctx, m)(f.Name)} {
			if err := b.Delete(ctx, file); err != nil {
				return err
			}
		}
	}
	m.Compact = nil
	return lt.writeManifest(ctx, lt.dir(day), m)
}

// TestCompactLater: a partition that an earlier version published gets its compact files, and nothing else changes.
func TestCompactLater(t *testing.T) {
	for _, back := range backends {
		t.Run(back.name, func(t *testing.T) {
			b := faulty(back.open(t), back.without)
			table := narrowed()
			check(t, putWithoutCompact(b, table, "aaaa", clientFiles()))
			before := published(t, b, table)
			if !before.LacksCompact() {
				t.Fatalf("it has %+v", before.Compact)
			}
			for range 2 {
				check(t, opened(b, table).Compact(ctx, day))
			}
			after := published(t, b, table)
			if len(after.Compact) != 2 || after.LacksCompact() || after.Generation != "aaaa" || !slices.Equal(after.Files, before.Files) {
				t.Errorf("before %+v, after %+v", before, after)
			}
			wantExactly(t, b, table, contentsOf(clientFiles())...)
		})
	}
}
