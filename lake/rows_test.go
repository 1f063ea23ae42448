package lake

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table/column"
)

func newColumn(name, typ string) schema.Column {
	bare, notNull := strings.CutSuffix(typ, "!")
	return schema.Column{Name: name, Type: schema.MustType(bare), NotNull: notNull}
}

// fileColumns returns the columns of most tests here.
func fileColumns() []schema.Column {
	return []schema.Column{
		newColumn("document_id", "string!"), newColumn("n", "int"), newColumn("price", "decimal(37,6)"),
		newColumn("tags", "array<string not null>"), newColumn("histogram", "map<int,int>"),
		newColumn("experiments", "map<string,struct<branch:string,seen:array<long>>>"),
	}
}

// fileRow is row i as JSON: every kind of null and emptiness in turn.
func fileRow(i int) string {
	pick := func(values ...string) string { return values[i%len(values)] }
	return fmt.Sprintf(`{"document_id":"id-%d","n":%s,"price":%s,"tags":%s,"histogram":%s,"experiments":%s}`, i,
		pick("null", "1", "-2147483648", fmt.Sprint(i)),
		pick("null", `"-0.000001"`, `"1234567890123456789012345678901.123456"`),
		pick("null", "[]", `["a"]`, `["","b","ü"]`, `["x","y"]`),
		pick("{}", `{"1":2,"3":null}`, "null", `{"-5":7}`),
		pick("null", "{}", `{"e":null}`, `{"e":{"branch":null,"seen":null},"f":{"branch":"b","seen":[]}}`,
			`{"g":{"branch":"c","seen":[1,null,3]}}`))
}

// fileValues is row i.
func fileValues(i int) map[string]any {
	d := json.NewDecoder(strings.NewReader(fileRow(i)))
	d.UseNumber()
	var row map[string]any
	if err := d.Decode(&row); err != nil {
		panic(err)
	}
	return row
}

// fileBatch holds rows from to to.
func fileBatch(t testing.TB, from, to int) *column.Batch {
	t.Helper()
	b := column.NewBatch(fileColumns())
	for i := from; i < to; i++ {
		require.NoError(t, b.AppendJSONRow(fileValues(i)))
	}
	return b
}

// writeRows writes rows in batches of a size.
func writeRows(w io.Writer, t testing.TB, rows, batch int, o WriterOptions) (FileInfo, error) {
	f, err := NewFileWriter(w, fileColumns(), o)
	if err != nil {
		return FileInfo{}, err
	}
	for i := 0; i < rows; i += batch {
		if err := f.Write(fileBatch(t, i, min(rows, i+batch))); err != nil {
			return FileInfo{}, err
		}
	}
	return f.Close()
}

// put stores a file and opens it.
func put(t *testing.T, data []byte) *FileReader {
	t.Helper()
	b := store.NewMemory()
	check(t, store.WriteFile(ctx, b, "f", data))
	r, err := b.Open(ctx, "f")
	require.NoError(t, err)
	f, err := OpenFile(r)
	require.NoError(t, err)
	return f
}

// rowsOf reads a file as JSON rows.
func rowsOf(t *testing.T, f *FileReader, cols []schema.Column, step int) (rows []string) {
	t.Helper()
	require.NoError(t, f.Select(cols, step))
	b := column.NewBatch(cols)
	for {
		err := f.Next(b)
		if err == io.EOF {
			return rows
		}
		require.NoError(t, err)
		w := column.NewRowWriter(b)
		for range b.Rows {
			rows = append(rows, string(w.AppendRow(nil)))
		}
	}
}

// clientColumns lists the columns of files of clients; the schemas of the tables here
// say something else, as those of a newer program would.
func clientColumns() []schema.Column {
	return append([]schema.Column{newColumn("client_id", "string")}, fileColumns()...)
}

// clientFile returns a parquet file of rows for these clients, "" for none.
func clientFile(clients ...string) []byte { return clientFileWithout(nil, clients...) }

// clientFileWithout is that file without the rows of some clients. The row groups of three rows that keep all stay as they are.
func clientFileWithout(removed []string, clients ...string) []byte {
	var out bytes.Buffer
	w, err := NewFileWriter(&out, clientColumns(), WriterOptions{RowGroupRows: 3})
	i := 0
	for group := range slices.Chunk(clients, 3) {
		b := column.NewBatch(clientColumns())
		for _, c := range group {
			if row := fileValues(i); !slices.Contains(removed, c) {
				if c != "" {
					row["client_id"] = c
				}
				err = errors.Join(err, b.AppendJSONRow(row))
			}
			i++
		}
		copied := b.Rows == len(group)
		if copied {
			err = errors.Join(err, w.endGroup())
		}
		if err = errors.Join(err, w.Write(b)); copied {
			err = errors.Join(err, w.endGroup())
		}
	}
	if err == nil {
		_, err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return out.Bytes()
}

// clientsOf reads the clients of such a file.
func clientsOf(t *testing.T, data string) []string {
	t.Helper()
	return rowsOf(t, put(t, []byte(data)), clientColumns()[:1], 100)
}
