package sitetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/table/column"
)

// Publish publishes a day of a table as one file of a part, with these rows as in JSON.
func Publish(t testing.TB, lt *lake.Table, day, generation, part string, rows []map[string]any) *lake.Manifest {
	t.Helper()
	return PublishFiles(t, lt, day, generation, []string{part}, rows)
}

// PublishFiles publishes a day of a table as a file for each part, all with these rows.
func PublishFiles(t testing.TB, lt *lake.Table, day, generation string, parts []string, rows []map[string]any) *lake.Manifest {
	t.Helper()
	g, err := lt.Begin(t.Context(), day, generation)
	require.NoError(t, err)
	var m lake.Manifest
	each := 100 / len(parts)
	for i, part := range parts {
		b := column.NewBatch(lt.Schema.Columns)
		for _, row := range rows {
			require.NoError(t, b.AppendJSONRow(row))
		}
		sink, err := g.Create(t.Context(), g.FileName(part, i*each, 0))
		require.NoError(t, err)
		w, err := lake.NewFileWriter(sink, lt.Schema.Columns, lake.Laptop())
		require.NoError(t, err)
		require.NoError(t, w.Write(b))
		_, err = w.Close()
		require.NoError(t, err)
		f, err := sink.Finish()
		require.NoError(t, err)
		f.Rows, f.Lo, f.Hi = int64(len(rows)), i*each, i*each+each
		m.Files, m.Parts = append(m.Files, f), append(m.Parts, lake.Part{Lo: f.Lo, Hi: f.Hi, Work: generation})
	}
	require.NoError(t, g.Publish(t.Context(), m, nil))
	published, err := lt.Partition(t.Context(), day)
	require.NoError(t, err)
	return published
}
