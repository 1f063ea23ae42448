package archive

import (
	"bytes"
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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
