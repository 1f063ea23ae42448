package parquet

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// sealedBatch has columns of all ways to be stored.
func sealedBatch(rows int) *column.Batch {
	b := column.NewBatch([]schema.Column{
		newColumn("a", "int"), newColumn("b", "map<string,int>"), newColumn("c", "boolean"), newColumn("d", "decimal(20,2)"),
		newColumn("e", "array<double>"), newColumn("f", "string"), newColumn("g", "long"),
	})
	fillRandom(b, rand.New(rand.NewPCG(1, 1)), rows)
	return b
}

func sealedFile(t testing.TB, b *column.Batch) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := writeGroups(&buf, Options{PageRows: 25, Bloom: []string{"f"}, CreatedBy: "test version 1"}, b.Columns, b); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// verifyAll compares all of a file with its checksums.
func verifyAll(data []byte) error {
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	if !f.Sealed() {
		return errors.New("there are no checksums")
	}
	err = f.VerifyRest()
	for i := range f.Columns {
		err = errors.Join(err, f.VerifyColumn(i))
	}
	return err
}

// Every flipped bit of a file is noticed, or changes no value.
func TestFlippedBits(t *testing.T) {
	want := sealedBatch(60)
	data := sealedFile(t, want)
	require.NoError(t, verifyAll(data))
	silent := 0
	for at := range 8 * len(data) {
		data[at/8] ^= 1 << (at % 8)
		if verifyAll(data) == nil {
			t.Errorf("bit %d of byte %d of %d is not noticed", at%8, at/8, len(data))
		}
		got := column.NewBatch(want.Columns)
		if err := readSteps(data, got, 1000, func() {}); err == nil {
			silent++
			sameLeaves(t, got, want)
		}
		data[at/8] ^= 1 << (at % 8)
	}
	if silent > len(data)*8/5 { // filters and indexes, which this reader does not use
		t.Errorf("%d of %d flipped bits did not keep the file from being read", silent, 8*len(data))
	}
}

// Other makes' readers verify the checksums of pages.
func TestChecksumsOfPages(t *testing.T) {
	data := sealedFile(t, sealedBatch(60))
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	pages := 0
	for _, chunk := range f.Metadata().RowGroups[0].Columns {
		end := chunk.MetaData.DataPageOffset + 1
		if chunk.MetaData.DictionaryPageOffset > 0 {
			end = chunk.MetaData.DictionaryPageOffset + 1
		}
		// The last byte of the chunk is one of a page, not of a header.
		data[end-2+chunk.MetaData.TotalCompressedSize] ^= 4
		pages++
	}
	spoilt, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	for i, chunk := range spoilt.RowGroups()[0].ColumnChunks() {
		leaf := column.NewBatch(sealedBatch(1).Columns).Leaves[i]
		if err := parquetGoLeaf(chunk, &leaf); !errors.Is(err, parquet.ErrCorrupted) {
			t.Errorf("leaf %d: %v", i, err)
		}
	}
	if pages != len(sealedBatch(1).Leaves) {
		t.Errorf("%d chunks", pages)
	}
}

// Files of the first version, which have no checksums, can be read.
func TestVersion1(t *testing.T) {
	data, err := os.ReadFile("testdata/version1.parquet")
	require.NoError(t, err)
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	if f.Sealed() || f.VerifyColumn(0) != nil || f.VerifyRest() != nil {
		t.Error("it has checksums")
	}
	want := sealedBatch(60)
	sameLeaves(t, readAll(t, data, want.Columns, 7), want)
}
