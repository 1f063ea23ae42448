package lake

import (
	"errors"
	"strings"
	"testing"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table/column"
)

// A published file is read in portions; what it lacks is null.
func TestTableRead(t *testing.T) {
	b := store.NewMemory()
	table := opened(b, &schema.Table{Name: "t", Dir: "t", Version: "v1", PartitionKeys: []string{"day"}, Columns: fileColumns()})
	g, err := table.Begin(ctx, day, "aaaa")
	check(t, err)
	w, err := g.Create(ctx, g.FileName("", 0, 0))
	check(t, err)
	const rows = readRows + 10
	info, err := writeRows(w, t, rows, 1000, WriterOptions{})
	check(t, err)
	f, err := w.Finish()
	check(t, err)
	f.Rows, f.Hi = info.Rows, 99
	check(t, g.Publish(ctx, Manifest{Files: []File{f}, Parts: []Part{part0(0, 99)}}, nil))

	batch := column.NewBatch([]schema.Column{newColumn("document_id", "string!"), newColumn("new", "int")})
	portions, n := 0, 0
	check(t, table.Read(ctx, day, table.Path(day, f.Name), f, batch, func() error {
		portions++
		n += batch.Rows
		return nil
	}))
	if portions != 2 || n != rows || info.Bytes != f.Bytes {
		t.Errorf("%d rows in %d portions of a file of %d bytes (%d)", n, portions, f.Bytes, info.Bytes)
	}

	enough := errors.New("enough")
	if err := table.Read(ctx, day, table.Path(day, f.Name), f, batch, func() error { return enough }); !errors.Is(err, enough) {
		t.Errorf("stopped by next: %v", err)
	}
	none := func() error { return nil }
	if err := table.Read(ctx, day, table.Path(day, "missing"), File{Name: "missing"}, batch, none); err == nil ||
		!strings.Contains(err.Error(), "file missing of t, day 20180301, is missing: run `pingmill run t --date 20180301`") {
		t.Errorf("missing file: %v", err)
	}
	if err := table.Read(ctx, day, table.Path(day, manifestName), File{Name: manifestName}, batch, none); err == nil {
		t.Error("read the manifest as a table")
	}
	wrong := column.NewBatch([]schema.Column{newColumn("n", "string")})
	if err := table.Read(ctx, day, table.Path(day, f.Name), f, wrong, none); err == nil ||
		!strings.Contains(err.Error(), "column n is int, not string") {
		t.Errorf("wrong type: %v", err)
	}
}
