package table

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// encoded returns the rows of documents, each written by EncodeRows and read by DecodeRows.
func encoded(t testing.TB, p *Pings, meta *ping.Meta, documents ...[]byte) *column.Batch {
	t.Helper()
	one, all := column.NewBatch(p.Table.Columns), column.NewBatch(p.Table.Columns)
	for _, body := range documents {
		one.Clear()
		_, _ = p.Append(one, meta, body) // without a row it is encoded, too
		require.NoError(t, column.DecodeRows(all, column.EncodeRows(nil, one)))
	}
	return all
}

// requireSame compares levels and values, and what is left out.
func requireSame(t testing.TB, want, got *column.Batch) {
	t.Helper()
	want.Finish()
	got.Finish()
	require.Equal(t, want.Rows, got.Rows)
	require.Equal(t, len(want.LeftOut()), len(got.LeftOut()))
	for name, n := range want.LeftOut() {
		require.Equal(t, n, got.LeftOut()[name], name)
	}
	for i := range want.Leaves {
		w, g := &want.Leaves[i], &got.Leaves[i]
		require.Equal(t, len(w.Def), len(g.Def), w.Path)
		for _, part := range [][2]any{{w.Def, g.Def}, {w.Rep, g.Rep}, {w.Bools, g.Bools}, {w.Ints, g.Ints}, {w.Longs, g.Longs},
			{w.Doubles, g.Doubles}, {w.Bytes, g.Bytes}, {w.Decimals, g.Decimals}} {
			require.EqualValues(t, length(part[0]), length(part[1]), w.Path)
			if length(part[0]) > 0 {
				require.Equal(t, part[0], part[1], w.Path)
			}
		}
	}
}

func length(list any) int {
	switch l := list.(type) {
	case []int16:
		return len(l)
	case []bool:
		return len(l)
	case []int32:
		return len(l)
	case []int64:
		return len(l)
	case []float64:
		return len(l)
	case [][]byte:
		return len(l)
	}
	return len(list.([]column.Int128))
}

// TestEncodedRows: the encoded rows of real pings are the same rows, in batches with others.
func TestEncodedRows(t *testing.T) {
	metas, bodies := pingCases(t)
	probes := defaultProbes(t)
	for _, table := range schema.NewSet(probes).Tables {
		if table.DocType == "" {
			continue
		}
		p := NewPings(table, probes)
		one, want, got := column.NewBatch(table.Columns), column.NewBatch(table.Columns), column.NewBatch(table.Columns)
		for i := range bodies {
			one.Clear()
			var scanned ping.Doc
			require.NoError(t, scanned.ScanValid(new(ping.PathSet).Compile(), bodies[i]))
			_, err := p.AppendScanned(one, &metas[i], bodies[i], &scanned)
			require.NoError(t, err)
			require.NoError(t, column.DecodeRows(got, column.EncodeRows(nil, one)))
			_, err = p.Append(want, &metas[i], bodies[i])
			require.NoError(t, err)
		}
		requireSame(t, want, got)
	}
}

// TestDamagedEncodedRows: other bytes are an error or other rows, never a panic or much memory.
func TestDamagedEncodedRows(t *testing.T) {
	metas, bodies := pingCases(t)
	p := NewPings(probedTable(t).Table, defaultProbes(t))
	one, other := column.NewBatch(p.Table.Columns), column.NewBatch(p.Table.Columns)
	r := rand.New(rand.NewPCG(1, 28))
	failed := 0
	for i := range bodies {
		one.Clear()
		_, err := p.Append(one, &metas[i], bodies[i])
		require.NoError(t, err)
		rows := column.EncodeRows(nil, one)
		for range 50 {
			damaged := append([]byte(nil), rows[:1+r.IntN(len(rows))]...)
			damaged[r.IntN(len(damaged))] ^= byte(1 + r.IntN(255))
			other.Clear()
			if column.DecodeRows(other, damaged) != nil {
				failed++
			}
			require.Less(t, other.Rows, 1<<31)
		}
	}
	require.Greater(t, failed, 1000)
}

// BenchmarkEncodedRows writes and reads a real row of main_summary.
func BenchmarkEncodedRows(b *testing.B) {
	c := readCase(b, "testdata/conformance/main_summary/heka_hindsight_full_ping.json.gz")
	var meta ping.Meta
	require.NoError(b, meta.ParseJSON(c.Input.Meta))
	probes := defaultProbes(b)
	main, err := schema.Find(schema.NewSet(probes).Tables, "main_summary")
	require.NoError(b, err)
	p, one, all := NewPings(main, probes), column.NewBatch(main.Columns), column.NewBatch(main.Columns)
	_, err = p.Append(one, &meta, c.Input.Ping)
	require.NoError(b, err)
	rows := column.EncodeRows(nil, one)
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			rows = column.EncodeRows(rows[:0], one)
		}
		b.ReportMetric(float64(len(rows)), "bytes")
	})
	b.Run("make and write", func(b *testing.B) {
		for b.Loop() {
			one.Clear()
			_, err = p.Append(one, &meta, c.Input.Ping)
			rows = column.EncodeRows(rows[:0], one)
		}
	})
	b.Run("read", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if i%1000 == 0 {
				all.Reset()
			}
			if err := column.DecodeRows(all, rows); err != nil {
				b.Fatal(err)
			}
		}
	})
}
