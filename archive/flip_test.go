package archive

import (
	"bytes"
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// TestFlippedBits reads files with a wrong bit anywhere: the right rows come of it,
// or an error before the first wrong one.
func TestFlippedBits(t *testing.T) {
	b := store.NewMemory()
	r := rand.New(rand.NewPCG(3, 4))
	all := randomSamples(r, 60, 3000)
	load(t, b, "x", Options{}, all)
	name := "pings/v1/submission_date_obj=20180601/doc_type=main/x-000002.parquet"
	flipBits(t, b, name, expected(all, "20180601", "main", 0, 100))
}

// flipBits reads the pings of 20180601 with a wrong bit anywhere in their file.
func flipBits(t *testing.T, b store.Bucket, name string, want []sample) {
	r := rand.New(rand.NewPCG(3, 4))
	whole, err := store.ReadFile(ctx, b, name)
	require.NoError(t, err)
	for i := range whole {
		if i > 400 && i < len(whole)-3000 && r.IntN(20) > 0 { // all of the beginning and of the footer
			continue
		}
		bad := bytes.Clone(whole)
		bad[i] ^= 1 << r.IntN(8)
		require.NoError(t, store.WriteFile(ctx, b, name, bad))
		d, err := OpenDay(ctx, b, "20180601", "main")
		require.NoError(t, err)
		rows := 0
		for p, err := range d.Pings(ctx, 0, 100) {
			if err != nil {
				if !IsDamage(err) || !strings.Contains(err.Error(), path.Base(name)) {
					t.Errorf("byte %d: %v", i, err)
				}
				rows = -1
				break
			}
			if render(&p.Meta, p.Body) != render(want[rows].meta, want[rows].body) {
				t.Fatalf("byte %d: row %d is wrong", i, rows)
			}
			rows++
		}
		if rows >= 0 && (rows != len(want) || i >= 4) { // nobody reads the magic bytes
			t.Errorf("byte %d: %d rows and no error", i, rows)
		}
	}
}

// TestRewriteFlippedBits removes a row from a file with a wrong bit anywhere, whose other row groups are copied: nothing is replaced.
func TestRewriteFlippedBits(t *testing.T) {
	b := store.NewMemory()
	r := rand.New(rand.NewPCG(5, 6))
	all := randomSamples(r, 60, 600<<10)
	load(t, b, "x", Options{}, all)
	want := rowsOf(t, b, mainDay, nil)
	d, err := OpenDay(ctx, b, mainDay.day, mainDay.docType)
	require.NoError(t, err)
	name := d.Names()[0]
	groups, err := newDayFile(d.files[0].LoadFile).rows.OpenGroups(ctx, b, mainDay.kind)
	require.NoError(t, err)
	require.Greater(t, groups.Len(), 2)
	last := ""
	for row, err := range groups.Rows(ctx, rowfile.NewPool(mainDay.kind, rowfile.WithoutBody), groups.Len()-1) {
		require.NoError(t, err)
		last = string(row.Meta.Text(ping.DocumentID))
	}
	o := RewriteOptions{
		Load: RewriteName(mainDay.day, mainDay.docType, "x"), Owner: "replay",
		Drop: func(m *ping.Meta) bool { return string(m.Text(ping.DocumentID)) == last },
	}
	whole, err := store.ReadFile(ctx, b, name)
	require.NoError(t, err)
	for i := range whole {
		if i > 50 && (i < len(whole)-300 && r.IntN(len(whole)/200) > 0 || i%3 > 0) {
			continue
		}
		bad := bytes.Clone(whole)
		bad[i] ^= 1 << r.IntN(8)
		require.NoError(t, store.WriteFile(ctx, b, name, bad))
		if out, err := RewriteDay(ctx, b, mainDay.day, mainDay.docType, o); !IsDamage(err) {
			t.Fatalf("byte %d: %+v, %v", i, out, err)
		}
	}
	require.NoError(t, store.WriteFile(ctx, b, name, whole))
	out, err := RewriteDay(ctx, b, mainDay.day, mainDay.docType, o)
	require.NoError(t, err)
	require.EqualValues(t, len(want)-len(rowsOf(t, b, mainDay, nil)), out.Rows)
	require.NotZero(t, out.Rows)
}
