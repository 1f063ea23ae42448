package probe

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/tools/generate/jsontext"
	"github.com/pingmill/pingmill/tools/generate/random"
)

// TestHistograms checks that values are in buckets, buckets in order and sums
// possible.
func TestHistograms(t *testing.T) {
	p, err := schema.LoadProbes("")
	require.NoError(t, err)
	c, err := New(p, nil)
	require.NoError(t, err)
	var txt jsontext.Text
	for level := range Levels {
		for process := range c.plain {
			r := random.New(1, random.ForDocument, uint64(level), uint64(process))
			for _, h := range c.plain[process] {
				txt.B = append(txt.B[:0], '{')
				h.Write(&txt, &r, level)
				txt.Close()
				checkHistogram(t, h, txt.B[:len(txt.B)-1])
			}
		}
	}
	pages := Exponential("PAGES", 1000, 150_000, 20)
	txt.B = append(txt.B[:0], '{')
	for _, value := range []int{0, 9, 10_000, 1_000_000} {
		pages.WriteOne(&txt, value)
	}
	txt.Close()
	checkHistogram(t, pages, txt.B[:len(txt.B)-1])
}

func checkHistogram(t *testing.T, h *Histogram, doc []byte) {
	t.Helper()
	var all map[string]struct {
		Values      map[string]int64
		Sum         int64
		BucketCount int `json:"bucket_count"`
	}
	if err := json.Unmarshal(doc, &all); err != nil {
		t.Fatalf("histogram %s: %v in %s", h.Name, err, doc)
	}
	got := all[h.Name]
	if got.Sum < 0 || got.BucketCount != len(h.Lows) || len(got.Values) == 0 {
		t.Fatalf("histogram %s: %s", h.Name, doc)
	}
	for bucket, count := range got.Values {
		low, err := strconv.Atoi(bucket)
		if _, found := slices.BinarySearch(h.Lows, low); err != nil || !found || count < 0 || count > math.MaxInt32 {
			t.Fatalf("histogram %s: bucket %s with %d", h.Name, bucket, count)
		}
	}
	if !slices.IsSorted(h.Lows) || h.Lows[0] != 0 {
		t.Fatalf("histogram %s: buckets begin at %v", h.Name, h.Lows)
	}
}
