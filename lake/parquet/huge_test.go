package parquet

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// hugeBatch has rows of texts of one letter, some of them huge, alone and in lists.
func hugeBatch(letter byte, size, rows, copies int) *column.Batch {
	b := column.NewBatch([]schema.Column{newColumn("one", "string"), newColumn("few", "array<string>"), newColumn("id", "string")})
	text := bytes.Repeat([]byte{'a' + letter%26}, size)
	for row := range rows {
		part := text
		if row%copies > 0 {
			part = text[:min(size, row)]
		}
		b.SetBytes(0, part)
		n := b.Start(1)
		for e := range 1 + row%2 {
			b.Str(n.Elem, n.ElemRep(e, 0), part)
		}
		b.SetBytes(2, []byte(strings.Repeat("i", row%40)))
		b.EndRow()
	}
	b.Finish()
	return b
}

// FuzzHuge writes texts of up to 32 MB that compress to nearly nothing, which
// clients can send, and reads them back.
func FuzzHuge(f *testing.F) {
	f.Add(byte(0), uint32(17<<20), byte(1), byte(1)) // more than any ratio of other texts
	f.Add(byte(1), uint32(32<<20-1), byte(3), byte(2))
	f.Add(byte(2), uint32(1<<20), byte(9), byte(3))
	f.Add(byte(3), uint32(300), byte(200), byte(1))
	f.Fuzz(func(t *testing.T, letter byte, size uint32, rows, copies byte) {
		want := hugeBatch(letter, int(size%(32<<20)), 1+int(rows)%(1+64<<20/int(size%(32<<20)+1<<18)), 1+int(copies))
		var buf bytes.Buffer
		if err := writeFile(&buf, want, Options{Bloom: []string{"one"}}); err != nil {
			t.Fatal(err)
		}
		sameLeaves(t, readAll(t, buf.Bytes(), want.Columns, 3), want)
		require.NoError(t, verifyAll(buf.Bytes()))
		if size%8 == 0 {
			sameLeaves(t, parquetGoRead(t, buf.Bytes(), want.Columns), want)
		}
	})
}

// A row that is large gets a page of its own; those beside it stay in small ones.
func TestPagesBySize(t *testing.T) {
	b := column.NewBatch([]schema.Column{newColumn("s", "string"), newColumn("l", "array<string>")})
	for row := range 100 {
		text := bytes.Repeat([]byte{'x'}, 50)
		if row == 30 || row == 31 {
			text = bytes.Repeat([]byte{'x'}, 5<<20)
		}
		b.SetBytes(0, append(text, byte('0'+row%10), byte('0'+row/10))) // too many for a dictionary
		n := b.Start(1)
		b.Str(n.Elem, 0, text)
		b.Str(n.Elem, 1, append(text, byte('0'+row%10), byte('0'+row/10)))
		b.EndRow()
	}
	b.Finish()
	var buf bytes.Buffer
	require.NoError(t, writeFile(&buf, b, Options{}))
	sameLeaves(t, readAll(t, buf.Bytes(), b.Columns, 10), b)
	f, err := Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	require.NoError(t, err)
	for leaf := range b.Leaves {
		r := f.Leaf(leaf)
		require.NoError(t, r.Start(0))
		var large []int
		for len(r.rest) > 0 {
			h, _, err := r.nextStored()
			require.NoError(t, err)
			if h.size > pageBytes {
				large = append(large, h.values)
			}
		}
		if want := leaf + 1; len(large) != 2 || large[0] != want || large[1] != want {
			t.Errorf("leaf %d: pages over the size have %v values", leaf, large)
		}
	}
}

// The writer refuses what the reader would.
func TestTooManyValues(t *testing.T) {
	b := column.NewBatch([]schema.Column{newColumn("l", "array<boolean not null>")})
	n := b.Start(0)
	for i := range maxLevels + 1 {
		b.Bool(n.Elem, n.ElemRep(i, 0), true)
	}
	b.EndRow()
	if err := writeFile(io.Discard, b, Options{}); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a row of too many values: %v", err)
	}
}
