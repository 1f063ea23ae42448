package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// TestSearch finds an id in every form and in every kind of file, and no other.
func TestSearch(t *testing.T) {
	const id, other = "0a1b2c3d-1111-4222-8333-444455556666", "0a1b2c3d-1111-4222-8333-444455556667"
	raw, err := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
	require.NoError(t, err)
	var numbers []string // which differ, but take few bits a byte
	for i := range uint32(500) {
		numbers = append(numbers, fmt.Sprintf("%08x", i*2654435761))
	}
	for name, form := range map[string]string{
		"text": id, "upper": strings.ToUpper(id), "short": strings.ReplaceAll(id, "-", ""), "bytes": string(raw), "other": other,
	} {
		text := strings.Join(numbers, " ") + form + strings.Join(numbers, " ")
		var packed, frame bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, _ = z.Write([]byte(text)) // into memory
		require.NoError(t, z.Close())
		f, err := zstd.NewWriter(&frame)
		require.NoError(t, err)
		_, _ = f.Write([]byte(text))
		require.NoError(t, f.Close())
		for kind, data := range map[string][]byte{
			"file": []byte(text), "state.zst": frame.Bytes(), "gzip": append([]byte("body: "), packed.Bytes()...),
			"plain.parquet": parquetOf(t, text, false), "dictionary.parquet": parquetOf(t, text, true),
			"body.parquet": parquetOf(t, packed.String(), false),
		} {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, kind), data, 0o600))
			if bytes.Contains(data, []byte(form)) && kind != "file" {
				t.Fatalf("%s in %s is not packed", name, kind)
			}
			s, err := searchIDs(t.Context(), dir, []string{"ffffffff-1111-4222-8333-444455556666", id})
			require.NoError(t, err)
			if found := s.clients[1] && len(s.Found) == 1; found == (name == "other") || s.clients[0] {
				t.Errorf("%s in %s: %v", name, kind, s)
			}
		}
	}
}

// parquetOf returns a file of rows with a text.
func parquetOf(t *testing.T, text string, dictionary bool) []byte {
	t.Helper()
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{{Name: "body", Type: arrow.BinaryTypes.Binary}}, nil))
	for range 100 {
		b.Field(0).(*array.BinaryBuilder).Append([]byte(text))
	}
	rows := b.NewRecordBatch()
	var out bytes.Buffer
	w, err := pqarrow.NewFileWriter(rows.Schema(), &out, parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd),
		parquet.WithDictionaryDefault(dictionary), parquet.WithStats(false)), pqarrow.DefaultWriterProps())
	require.NoError(t, err)
	require.NoError(t, w.Write(rows))
	require.NoError(t, w.Close())
	return out.Bytes()
}

// TestChangedRows recognises lost and other rows of clients that stay, and rows of the others.
func TestChangedRows(t *testing.T) {
	before := lakeRows{"a": {All: 3, Others: 2, Hash: 1}, "b": {All: 2, Others: 2, Hash: 2}}
	for _, c := range []struct {
		after lakeRows
		want  int
	}{
		{lakeRows{"a": {2, 2, 1}, "b": {2, 2, 2}}, 0},
		{lakeRows{"a": {3, 2, 1}, "b": {2, 2, 2}}, 1},
		{lakeRows{"a": {2, 2, 1}, "b": {2, 2, 3}}, 1},
		{lakeRows{"a": {1, 1, 1}}, 2},
	} {
		if got := before.changed(c.after); len(got) != c.want {
			t.Errorf("%v: %v", c.after, got)
		}
	}
}
