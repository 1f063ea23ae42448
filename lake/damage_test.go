package lake

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
)

// A rewrite reads with the checksums: damage is an error that names the file, and
// nothing of it gets into the new generation, also not with row groups that are copied.
func TestRewriteOfDamage(t *testing.T) {
	for _, o := range []WriterOptions{{}, {RowGroupRows: 10}} {
		rewriteDamage(t, o)
	}
}

func rewriteDamage(t *testing.T, o WriterOptions) {
	t.Helper()
	dir := t.TempDir()
	b, err := store.OpenLocal(dir)
	check(t, err)
	table := Open(b, &schema.Table{Name: "t", Dir: "t", Version: "v1", PartitionKeys: []string{"day"}, Columns: fileColumns()})
	g, err := table.Begin(ctx, day, "aaaa")
	check(t, err)
	w, err := g.Create(ctx, g.FileName("", 0, 0))
	check(t, err)
	info, err := writeRows(w, t, 100, 50, o)
	check(t, err)
	f, err := w.Finish()
	check(t, err)
	f.Rows, f.Hi = info.Rows, 99
	check(t, g.Publish(ctx, Manifest{Files: []File{f}, Parts: []Part{part0(0, 99)}}, nil))
	m, damage, err := table.Look(ctx, day)
	check(t, err)
	if len(damage) > 0 {
		t.Fatalf("at first: %v", damage)
	}
	name := filepath.Join(dir, filepath.FromSlash(table.Paths(ctx, m)(f.Name)))
	whole, err := os.ReadFile(name)
	check(t, err)
	for at := 10; at < len(whole)/2; at += len(whole) / 17 {
		spoilt := append([]byte{}, whole...)
		spoilt[at] ^= 0x10
		check(t, os.WriteFile(name, spoilt, 0o600))
		_, err := table.Rewrite(ctx, day,
			Rewrite{Name: "bbbb", Keys: []Key{{"document_id", func(v []byte) bool { return strings.HasSuffix(string(v), "97") }}}})
		if d, is := Damage(err); err == nil || is && d.File != f.Name {
			t.Errorf("byte %d: %v", at, err)
		}
		now, err := table.Partition(ctx, day)
		check(t, err)
		if now.Generation != "aaaa" {
			t.Fatalf("byte %d: generation %s is published", at, now.Generation)
		}
	}
}

// TestPublishedAfterLook: a day that is published for the first time between the look for its manifest and that for its files is
// not a day without a manifest; one whose manifest was removed is.
func TestPublishedAfterLook(t *testing.T) {
	b := localBucket(t)
	table := Open(b, &schema.Table{Name: "t", Dir: "t", Version: "v1", PartitionKeys: []string{"day"}, Columns: fileColumns()})
	publishAt(t, table, "aaaa")
	if damage := table.withoutManifest(ctx, day); len(damage) > 0 {
		t.Errorf("of a published day: %v", damage)
	}
	check(t, b.Delete(ctx, table.Path(day, manifestName)))
	if damage := table.withoutManifest(ctx, day); len(damage) != 1 {
		t.Errorf("of a day without a manifest: %v", damage)
	}
}
