package lake

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
	"github.com/pingmill/pingmill/table/column"
)

// The bytes depend on the rows alone, not on how they were cut into batches,
// and give the rows again in steps of any size.
func TestFile(t *testing.T) {
	const rows = 1003
	for _, group := range []int{100, 1003, 5000} {
		var first []byte
		for _, batch := range []int{1003, 1, 99, 100, 101, 350} {
			var buf bytes.Buffer
			info, err := writeRows(&buf, t, rows, batch, WriterOptions{RowGroupRows: group, PageRows: 40})
			require.NoError(t, err)
			want := FileInfo{Rows: rows, Bytes: int64(buf.Len()), RowGroups: (rows + group - 1) / group}
			if info != want {
				t.Errorf("got %+v, want %+v", info, want)
			}
			if first != nil && !bytes.Equal(first, buf.Bytes()) {
				t.Errorf("row groups of %d: batches of %d give another file", group, batch)
			}
			first = buf.Bytes()
		}
		for _, step := range []int{1, 7, 100, 10000} {
			f := put(t, first)
			got := rowsOf(t, f, fileColumns(), step)
			if len(got) != rows || f.Rows() != rows {
				t.Fatalf("%d rows of %d", len(got), f.Rows())
			}
			for i, row := range got {
				if row != fileRow(i) {
					t.Fatalf("row %d is\n%s, want\n%s", i, row, fileRow(i))
				}
			}
		}
	}
}

// A row group ends before the row that would make it too large, however the rows
// were cut into batches.
func TestRowGroupBytes(t *testing.T) {
	const rows, most = 200, 4000
	var first []byte
	for _, batch := range []int{rows, 1, 7, 50} {
		var buf bytes.Buffer
		info, err := writeRows(&buf, t, rows, batch, WriterOptions{RowGroupRows: 60, RowGroupBytes: most})
		if err != nil || info.RowGroups < 5 || info.RowGroups > rows/2 {
			t.Fatalf("batches of %d: %+v, %v", batch, info, err)
		}
		if first != nil && !bytes.Equal(first, buf.Bytes()) {
			t.Errorf("batches of %d give another file", batch)
		}
		first = buf.Bytes()
	}
	f := put(t, first)
	check(t, f.Select(fileColumns(), rows))
	for b := column.NewBatch(fileColumns()); ; {
		err := f.Next(b)
		if err == io.EOF {
			break
		}
		check(t, err)
		if b.Size() > most || b.Rows > 60 {
			t.Errorf("a row group of %d rows and %d bytes", b.Rows, b.Size())
		}
	}
	if got := rowsOf(t, f, fileColumns(), rows); len(got) != rows || got[rows-1] != fileRow(rows-1) {
		t.Errorf("%d rows", len(got))
	}
	var buf bytes.Buffer // rows that are too large alone
	if info, err := writeRows(&buf, t, 10, 10, WriterOptions{RowGroupBytes: 1}); err != nil || info.RowGroups != 10 {
		t.Errorf("%+v, %v", info, err)
	}
}

func TestEmptyFile(t *testing.T) {
	var buf bytes.Buffer
	info, err := writeRows(&buf, t, 0, 1, Laptop())
	if err != nil || info.Rows != 0 || info.RowGroups != 0 {
		t.Errorf("%+v, %v", info, err)
	}
	if rows := rowsOf(t, put(t, buf.Bytes()), fileColumns(), 10); len(rows) != 0 {
		t.Errorf("got %q", rows)
	}
}

// Columns are found by name; those a file does not have are null.
func TestSelect(t *testing.T) {
	var buf bytes.Buffer
	_, err := writeRows(&buf, t, 10, 10, WriterOptions{RowGroupRows: 4})
	check(t, err)
	f := put(t, buf.Bytes())
	cols := []schema.Column{newColumn("new", "map<string,int>"), newColumn("n", "int"), newColumn("newer", "string")}
	for range 2 { // Select starts again
		rows := rowsOf(t, f, cols, 3)
		if len(rows) != 10 || rows[9] != `{"new":null,"n":1,"newer":null}` || rows[7] != `{"new":null,"n":7,"newer":null}` {
			t.Errorf("got %q", rows)
		}
	}
	for _, test := range []struct{ name, typ, want string }{
		{"n", "long", "column n is int, not long"},
		{"n", "int!", "column n is int, not int not null"},
		{"document_id", "string", "column document_id is string not null, not string"},
		{"experiments", "map<string,struct<branch:string>>", "column experiments is map<string,struct<branch:string,seen:array<long>>>, not"},
		{"other", "string!", "required column other is missing"},
	} {
		err := f.Select([]schema.Column{newColumn(test.name, test.typ)}, 10)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %s: %v", test.name, test.typ, err)
		}
	}
	if err := f.Select(cols, 0); err == nil {
		t.Error("a step of no rows")
	}
	check(t, f.Select(cols, 10))
	if err := f.Next(column.NewBatch(cols[:1])); err == nil {
		t.Error("read into a batch of other columns")
	}
	if got := len(f.Columns()); got != len(fileColumns()) {
		t.Errorf("%d columns", got)
	}
}

func TestOpenFileErrors(t *testing.T) {
	var buf bytes.Buffer
	_, err := writeRows(&buf, t, 10, 10, WriterOptions{})
	check(t, err)
	for _, data := range []string{"", "PAR1PAR1", buf.String()[:buf.Len()-1], "PAR1" + buf.String()[buf.Len()-8:]} {
		b := store.NewMemory()
		check(t, store.WriteFile(ctx, b, "f", []byte(data)))
		r, err := b.Open(ctx, "f")
		check(t, err)
		if _, err := OpenFile(r); err == nil {
			t.Errorf("opened %d bytes", len(data))
		}
	}
	// A file that is whole but for its pages fails when they are read.
	data := bytes.Clone(buf.Bytes())
	clear(data[4:40])
	f := put(t, data)
	check(t, f.Select(fileColumns(), 10))
	if err := f.Next(column.NewBatch(fileColumns())); err == nil || !strings.Contains(err.Error(), "row group 0, column document_id") {
		t.Errorf("read a corrupt page: %v", err)
	}
}

// On a full disk every file stops with an error and nothing appears.
func TestFullDisk(t *testing.T) {
	var whole bytes.Buffer
	_, err := writeRows(&whole, t, 300, 100, WriterOptions{RowGroupRows: 100})
	check(t, err)
	for space := 0; space < whole.Len(); space += 1 + whole.Len()/50 {
		b := storetest.NewFaults(store.NewMemory())
		b.FullAfter(int64(space))
		w, err := b.Create(ctx, "f")
		check(t, err)
		_, err = writeRows(w, t, 300, 100, WriterOptions{RowGroupRows: 100})
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%d bytes free: %v", space, err)
		}
		if w.Commit() == nil {
			t.Errorf("%d bytes free: committed", space)
		}
		for e := range b.List(ctx, "") {
			t.Errorf("%d bytes free: left %s", space, e.Name)
		}
	}
}

func TestWriterErrors(t *testing.T) {
	if _, err := NewFileWriter(io.Discard, []schema.Column{newColumn("a", "int"), newColumn("a", "int")}, WriterOptions{}); err == nil {
		t.Error("two columns of one name")
	}
	f, err := NewFileWriter(io.Discard, fileColumns(), WriterOptions{})
	check(t, err)
	if err := f.Write(column.NewBatch(fileColumns()[:2])); err == nil {
		t.Error("wrote a batch of other columns")
	}
	if _, err := f.Close(); err == nil {
		t.Error("closed after an error")
	}
	f, err = NewFileWriter(io.Discard, fileColumns(), WriterOptions{})
	check(t, err)
	_, err = f.Close()
	check(t, err)
	if err := f.Write(fileBatch(t, 0, 1)); !errors.Is(err, errClosed) {
		t.Errorf("wrote to a closed file: %v", err)
	}
	if _, err := f.Close(); !errors.Is(err, errClosed) {
		t.Errorf("closed twice: %v", err)
	}
	f, err = NewFileWriter(io.Discard, fileColumns(), WriterOptions{})
	check(t, err)
	b := fileBatch(t, 0, 1)
	b.Leaves[0].Bytes[0] = []byte("\xff")
	check(t, f.Write(b))
	if _, err := f.Close(); err == nil || !strings.Contains(err.Error(), `column document_id: text "\xff" is not UTF-8`) {
		t.Errorf("wrote a text that is not UTF-8: %v", err)
	}
}

func TestOptions(t *testing.T) {
	o := WriterOptions{RowGroupRows: 300, FileRows: 1000}.withDefaults()
	if o.FileRows != 1200 || o.PageRows != 20_000 || len(o.Bloom) != 2 {
		t.Errorf("got %+v", o)
	}
	if o := (WriterOptions{Bloom: []string{}}).withDefaults(); len(o.Bloom) != 0 || o.RowGroupRows != Laptop().RowGroupRows {
		t.Errorf("got %+v", o)
	}
}
