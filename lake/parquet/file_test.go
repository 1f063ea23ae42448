package parquet

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// writeFile writes a batch as one row group.
func writeFile(w io.Writer, b *column.Batch, o Options) error {
	return writeGroups(w, o, b.Columns, b)
}

// writeGroups writes each batch as a row group.
func writeGroups(w io.Writer, o Options, cols []schema.Column, groups ...*column.Batch) error {
	l, err := NewLayout(cols)
	if err != nil {
		return err
	}
	f, err := NewWriter(w, l, o)
	if err != nil {
		return err
	}
	for _, b := range groups {
		if err := l.Check(b); err != nil {
			return err
		}
		if err := f.Group(b.Leaves, b.Rows); err != nil {
			return err
		}
	}
	_, err = f.Close()
	return err
}

// readSteps reads all leaves of a file, some rows at a time, into b and calls
// do each time.
func readSteps(data []byte, b *column.Batch, step int, do func()) error {
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	readers := make([]*LeafReader, len(b.Leaves))
	for i := range readers {
		readers[i] = f.Leaf(i)
	}
	for g := range f.Groups() {
		for _, r := range readers {
			if err := r.Start(g); err != nil {
				return err
			}
		}
		for left := f.GroupRows(g); left > 0; left -= min(step, left) {
			b.Reset()
			for i, r := range readers {
				r.Recycle()
				if err := r.Read(&b.Leaves[i], min(step, left)); err != nil {
					return err
				}
			}
			b.Filled(min(step, left))
			do()
		}
	}
	return nil
}

// readAll reads a file into one batch.
func readAll(t *testing.T, data []byte, cols []schema.Column, step int) *column.Batch {
	t.Helper()
	all, b := column.NewBatch(cols), column.NewBatch(cols)
	rows := 0
	err := readSteps(data, b, step, func() {
		for i := range b.Leaves {
			appendTo(&all.Leaves[i], &b.Leaves[i])
		}
		rows += b.Rows
	})
	require.NoError(t, err)
	all.Filled(rows)
	return all
}

func appendTo(dst, src *column.Leaf) {
	dst.Def, dst.Rep = append(dst.Def, src.Def...), append(dst.Rep, src.Rep...)
	dst.Bools, dst.Ints = append(dst.Bools, src.Bools...), append(dst.Ints, src.Ints...)
	dst.Longs, dst.Doubles = append(dst.Longs, src.Longs...), append(dst.Doubles, src.Doubles...)
	dst.Decimals = append(dst.Decimals, src.Decimals...)
	for _, v := range src.Bytes {
		dst.Bytes = append(dst.Bytes, slices.Clone(v))
	}
}

// sameLeaves compares all levels and values.
func sameLeaves(t *testing.T, got, want *column.Batch) {
	t.Helper()
	if got.Rows != want.Rows {
		t.Fatalf("%d rows, want %d", got.Rows, want.Rows)
	}
	for i := range want.Leaves {
		sameLeaf(t, &got.Leaves[i], &want.Leaves[i])
	}
}

func sameLeaf(t *testing.T, g, w *column.Leaf) {
	t.Helper()
	same := slices.Equal(g.Def, w.Def) && slices.Equal(g.Rep, w.Rep) && slices.Equal(g.Bools, w.Bools) &&
		slices.Equal(g.Ints, w.Ints) && slices.Equal(g.Longs, w.Longs) &&
		bytes.Equal(bytesOf(g.Doubles), bytesOf(w.Doubles)) && slices.Equal(g.Decimals, w.Decimals) &&
		slices.EqualFunc(g.Bytes, w.Bytes, func(a, b []byte) bool { return bytes.Equal(a, b) })
	if !same {
		t.Errorf("%s differs: %d levels, want %d; %d values, want %d",
			strings.Join(w.Path, "."), len(g.Def), len(w.Def), g.Values(), w.Values())
	}
}

// What is written is read back, by this package and by two other makers', in
// files of several row groups and of several pages.
func TestRoundTrip(t *testing.T) {
	for name, want := range map[string]*column.Batch{
		"wide": newWide().batch(700), "nested": nestedBatch(1, 700), "one row": nestedBatch(2, 1),
		"wide row": newWide().batch(1), "null": nullBatch(300), "sparse": nestedBatch(3, 7),
	} {
		for _, pageRows := range []int{0, 150, 1} {
			if pageRows == 1 && name == "wide" {
				continue
			}
			var buf bytes.Buffer
			require.NoError(t, writeGroups(&buf, Options{PageRows: pageRows}, want.Columns, want, want))
			twice := column.NewBatch(want.Columns)
			for i := range want.Leaves {
				appendTo(&twice.Leaves[i], &want.Leaves[i])
				appendTo(&twice.Leaves[i], &want.Leaves[i])
			}
			twice.Filled(2 * want.Rows)
			t.Run(name, func(t *testing.T) {
				for _, step := range []int{1, 64, 149, 5000} {
					sameLeaves(t, readAll(t, buf.Bytes(), want.Columns, step), twice)
				}
				sameLeaves(t, arrowRead(t, buf.Bytes(), want.Columns), twice)
				sameLeaves(t, parquetGoRead(t, buf.Bytes(), want.Columns), twice)
			})
		}
	}
}

// nullBatch has no value at all.
func nullBatch(rows int) *column.Batch {
	var cols []schema.Column
	for _, c := range nestedColumns() {
		if !c.NotNull {
			cols = append(cols, c)
		}
	}
	b := column.NewBatch(cols)
	b.Rows = rows
	b.Finish()
	return b
}

func TestEmptyFile(t *testing.T) {
	var buf bytes.Buffer
	none := column.NewBatch(nestedColumns())
	require.NoError(t, writeGroups(&buf, Options{CreatedBy: "test version 1"}, nestedColumns(), none))
	f, err := Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	require.NoError(t, err)
	if f.Rows != 0 || f.Groups() != 0 || f.CreatedBy != "test version 1" || describe(f.Columns) != describe(nestedColumns()) {
		t.Errorf("got %d rows, %d groups by %q of %s", f.Rows, f.Groups(), f.CreatedBy, describe(f.Columns))
	}
	if b := arrowRead(t, buf.Bytes(), nestedColumns()); b.Rows != 0 {
		t.Errorf("arrow sees %d rows", b.Rows)
	}
}

// Equal rows give equal bytes, whatever the encoder's memory was used for.
func TestDeterministic(t *testing.T) {
	var first []byte
	for range 3 {
		var buf bytes.Buffer
		if err := writeFile(&buf, newWide().batch(200), Options{Bloom: []string{"document_id"}}); err != nil {
			t.Fatal(err)
		}
		if first != nil && !bytes.Equal(first, buf.Bytes()) {
			t.Fatal("two files of the same rows differ")
		}
		first = bytes.Clone(buf.Bytes())
		require.NoError(t, writeFile(io.Discard, nestedBatch(5, 100), Options{}))
	}
}

func describe(cols []schema.Column) (s string) {
	for _, c := range cols {
		s += c.Name + " " + c.Type.String()
		if c.NotNull {
			s += " not null"
		}
		s += "\n"
	}
	return s
}
