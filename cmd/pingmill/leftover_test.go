package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/table/column"
)

// filesWith lists the files below a folder that have one of the ids anywhere, in either case: in their bytes, in the
// values of a parquet file, or in what such a value is unpacked to.
func filesWith(t *testing.T, folder string, ids ...string) (found []string) {
	t.Helper()
	has := func(b []byte) bool {
		lower := bytes.ToLower(b)
		return slices.ContainsFunc(ids, func(id string) bool { return bytes.Contains(lower, []byte(strings.ToLower(id))) })
	}
	b, err := store.OpenLocal(folder)
	require.NoError(t, err)
	files := 0
	require.NoError(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		require.NoError(t, err)
		files++
		if has(content) || has([]byte(path)) || strings.HasSuffix(path, ".parquet") && parquetHas(t, b, filepath.ToSlash(name), has) {
			found = append(found, name)
		}
		return nil
	}))
	require.NotZero(t, files)
	return found
}

// parquetHas looks at all values of a parquet file.
func parquetHas(t *testing.T, b store.Bucket, name string, has func([]byte) bool) (found bool) {
	t.Helper()
	r, err := b.Open(context.Background(), name)
	require.NoError(t, err)
	defer r.Close()
	file, err := lake.OpenFile(r)
	require.NoError(t, err)
	rows := column.NewBatch(file.Columns())
	require.NoError(t, file.SelectBatch(rows, 1000))
	for err = file.Next(rows); err == nil; err = file.Next(rows) {
		for i := range rows.Leaves {
			for _, value := range rows.Leaves[i].Bytes {
				found = found || has(value) || has(unpacked(value))
			}
		}
	}
	require.True(t, errors.Is(err, io.EOF), "%s: %v", name, err)
	return found
}

// unpacked returns what a value is unpacked to, nil if it is not packed.
func unpacked(value []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(value))
	if err != nil {
		return nil
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return nil
	}
	return text
}
