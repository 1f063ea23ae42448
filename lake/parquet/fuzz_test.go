package parquet

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// smallFile returns a file with dictionaries, pages of both codecs and all types.
func smallFile(t testing.TB, seed uint64, rows, pageRows int) []byte {
	t.Helper()
	var buf bytes.Buffer
	b := nestedBatch(seed, rows)
	require.NoError(t, writeGroups(&buf, Options{PageRows: pageRows}, b.Columns, b))
	return buf.Bytes()
}

// readLimited reads a file that may be anything, but not without end: a few
// bytes can claim any number of null rows.
func readLimited(data []byte) error {
	f, err := OpenStatistics(bytes.NewReader(data), int64(len(data)), func(int, int, Statistics) {})
	if err != nil {
		return err
	}
	b := column.NewBatch(f.Columns)
	var failed error
	for i := range b.Leaves {
		r := f.Leaf(i)
		for g := range min(f.Groups(), 10) {
			if err := r.Start(g); err != nil {
				failed = err
				break
			}
			for left := min(f.GroupRows(g), 1000); left > 0; left -= 100 {
				b.Reset()
				r.Recycle()
				if err := r.Read(&b.Leaves[i], min(left, 100)); err != nil {
					failed = err
					break
				}
			}
		}
	}
	return failed
}

// Whatever a file holds, reading it ends, without a panic.
func FuzzRead(f *testing.F) {
	f.Add(smallFile(f, 1, 3, 0))
	f.Add(smallFile(f, 2, 40, 7))
	var buf bytes.Buffer
	b := column.NewBatch([]schema.Column{newColumn("a", "int"), newColumn("b", "map<string,int>")})
	fillRandom(b, rand.New(rand.NewPCG(1, 1)), 300)
	if err := writeFile(&buf, b, Options{PageRows: 100, Bloom: []string{"a"}}); err != nil {
		f.Fatal(err)
	}
	f.Add(buf.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) { _ = readLimited(data) })
}

// FuzzWrite writes random rows of random shapes and reads them back.
func FuzzWrite(f *testing.F) {
	f.Add(uint64(1), uint16(1), uint16(0))
	f.Add(uint64(2), uint16(100), uint16(7))
	f.Add(uint64(3), uint16(1000), uint16(1))
	f.Fuzz(func(t *testing.T, seed uint64, rows, pageRows uint16) {
		want := nestedBatch(seed, int(rows)%1500+1)
		var buf bytes.Buffer
		require.NoError(t, writeGroups(&buf, Options{PageRows: int(pageRows)}, want.Columns, want))
		sameLeaves(t, readAll(t, buf.Bytes(), want.Columns, 1+int(seed%500)), want)
		sameLeaves(t, arrowRead(t, buf.Bytes(), want.Columns), want)
	})
}

// Every byte of a file is spoilt in turn: reading it fails or does not, but ends.
func TestSpoiltBytes(t *testing.T) {
	var buf bytes.Buffer
	b := column.NewBatch([]schema.Column{
		newColumn("a", "int"), newColumn("b", "map<string,int>"), newColumn("c", "boolean"), newColumn("d", "decimal(20,2)"),
		newColumn("e", "array<double>"), newColumn("f", "long"),
	})
	fillRandom(b, rand.New(rand.NewPCG(1, 1)), 60)
	require.NoError(t, writeGroups(&buf, Options{PageRows: 25}, b.Columns, b))
	data := buf.Bytes()
	failed := 0
	for i := range data {
		for _, flip := range []byte{1, 0x80, 0xff} {
			spoilt := bytes.Clone(data)
			spoilt[i] ^= flip
			if readLimited(spoilt) != nil {
				failed++
			}
		}
		if readLimited(data[:i]) == nil {
			t.Errorf("read the first %d of %d bytes", i, len(data))
		}
	}
	if failed < len(data) {
		t.Errorf("only %d of %d spoilt files were noticed", failed, 3*len(data))
	}
}
