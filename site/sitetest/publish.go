package sitetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/column"
	"github.com/pingmill/pingmill/lake"
)

// Publish publishes a day of a table as one file of a part, with these rows as in JSON.
func Publish(t testing.TB, lt *lake.Table, day, generation, part string, rows []map[string]any) *lake.Manifest {
	t.Helper()
	g, err := lt.Begin(t.Context(), day, generation)
	require.NoError(t, err)
	b := column.NewBatch(lt.Schema.Columns)
	for _, row := range rows {
		require.NoError(t, b.AppendJSONRow(row))
	}
	sink, err := g.Create(t.Context(), g.FileName(part, 0, 0))
	require.NoError(t, err)
	w, err := lake.NewFileWriter(sink, lt.Schema.Columns, lake.Laptop())
	require.NoError(t, err)
	require.NoError(t, w.Write(b))
	_, err = w.Close()
	require.NoError(t, err)
	f, err := sink.Finish()
	require.NoError(t, err)
	f.Rows, f.Hi = int64(len(rows)), 100
	require.NoError(t, g.Publish(t.Context(), lake.Manifest{Files: []lake.File{f}, Parts: []lake.Part{{Hi: 100, Work: generation}}}, nil))
	m, err := lt.Partition(t.Context(), day)
	require.NoError(t, err)
	return m
}
