package parquet

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/lake/parquet/arrowgo"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// archiveBatch is like a row group of the archive: texts, some of them not UTF-8, and
// bodies from nothing to more than is read at once.
func archiveBatch(seed uint64, rows int) *column.Batch {
	body := schema.Column{Name: "body", Type: schema.Type{Kind: schema.Binary}, NotNull: true}
	b := column.NewBatch([]schema.Column{newColumn("id", "string"), newColumn("same", "string"), newColumn("none", "string"),
		newColumn("n", "long"), body})
	r := rand.New(rand.NewPCG(seed, 9))
	for row := range rows {
		if row%5 > 0 {
			b.SetBytes(0, binary.LittleEndian.AppendUint64(nil, r.Uint64()))
		}
		b.SetBytes(1, []byte("always"))
		if row%3 > 0 {
			b.SetLong(3, int64(row)-7)
		}
		bytes := make([]byte, []int{0, 10, 3000, 90_000, 700_000}[r.IntN(5)])
		for i := range bytes {
			bytes[i] = byte(r.Uint64() >> (r.IntN(2) * 6))
		}
		b.SetBytes(4, bytes)
		b.EndRow()
	}
	b.Finish()
	return b
}

func archiveFile(t *testing.T, groups ...*column.Batch) (data []byte, footer uint32) {
	t.Helper()
	l, err := NewLayout(groups[0].Columns)
	require.NoError(t, err)
	var buf bytes.Buffer
	f, err := NewWriter(&buf, l, Options{Verbatim: true, OneCodec: true})
	require.NoError(t, err)
	for _, b := range groups {
		require.NoError(t, f.Group(b.Leaves, b.Rows))
	}
	_, err = f.Close()
	require.NoError(t, err)
	return buf.Bytes(), f.FooterSum()
}

// Files as those of the archive are read page by page, also by another make's reader.
func TestPagewise(t *testing.T) {
	want := archiveBatch(1, 60)
	data, _ := archiveFile(t, want, want)
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	other := f.At(bytes.NewReader(data))
	for i := range want.Leaves {
		r := f.Leaf(i)
		for g := range f.Groups() {
			r.Open([]*File{f, other}[g])
			require.NoError(t, r.Start(g))
			got := column.NewBatch(want.Columns)
			l := &got.Leaves[i]
			for left := f.GroupRows(g); left > 0; {
				part := column.NewBatch(want.Columns)
				r.Recycle()
				n, err := r.ReadPage(&part.Leaves[i], 7)
				require.NoError(t, err)
				require.Positive(t, n)
				left -= n
				l.Def, l.Longs = append(l.Def, part.Leaves[i].Def...), append(l.Longs, part.Leaves[i].Longs...)
				for _, v := range part.Leaves[i].Bytes {
					l.Bytes = append(l.Bytes, bytes.Clone(v))
				}
			}
			sameLeaf(t, l, &want.Leaves[i])
			_, err := r.ReadPage(l, 1)
			require.ErrorIs(t, err, errShort)
			require.NoError(t, r.Verify(g))
		}
	}
	one, _ := archiveFile(t, want)
	sameLeaves(t, arrowRead(t, one, want.Columns), want)
	sameLeaves(t, readAll(t, one, want.Columns, 13), want)
}

// All chunks have one codec, however small; texts are not checked.
func TestArchiveOptions(t *testing.T) {
	data, footer := archiveFile(t, archiveBatch(2, 3))
	f, err := arrowgo.NewReader().Open(bytes.NewReader(data))
	require.NoError(t, err)
	for i := range f.MetaData().Schema.NumColumns() {
		c, err := f.MetaData().RowGroup(0).ColumnChunk(i)
		require.NoError(t, err)
		require.Equal(t, compress.Codecs.Zstd, c.Compression())
	}
	n := int(binary.LittleEndian.Uint32(data[len(data)-8:]))
	require.Equal(t, crc32.Checksum(data[len(data)-8-n:], crc32.MakeTable(crc32.Castagnoli)), footer)
	require.ErrorContains(t, writeFile(&bytes.Buffer{}, archiveBatch(2, 30), Options{}), "not UTF-8")
}

func TestStatisticsRead(t *testing.T) {
	data, _ := archiveFile(t, archiveBatch(3, 30))
	got := map[int]Statistics{}
	f, err := OpenStatistics(bytes.NewReader(data), int64(len(data)), func(group, leaf int, s Statistics) {
		require.Zero(t, group)
		got[leaf] = Statistics{s.Nulls, bytes.Clone(s.Min), bytes.Clone(s.Max)}
	})
	require.NoError(t, err)
	long := func(n int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(n)) }
	require.Equal(t, Statistics{0, []byte("always"), []byte("always")}, got[1])
	require.Equal(t, Statistics{Nulls: 30}, got[2])
	require.Equal(t, Statistics{10, long(-6), long(22)}, got[3])
	require.Equal(t, Statistics{}, got[4])
	at := int64(len(magic))
	for i := range f.Columns {
		offset, size := f.Chunk(0, i)
		require.Equal(t, at, offset)
		at += size
	}
}
