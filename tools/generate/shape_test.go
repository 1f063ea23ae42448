package generate

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/pingmill/pingmill/tools/generate/probe"
	"github.com/pingmill/pingmill/tools/generate/random"
)

// TestShape compares sizes and the density of tokens of main pings with those of
// real ones.
func TestShape(t *testing.T) {
	g := mustNew(t, Config{Seed: 12, Clients: 400, Damaged: -1, Duplicates: -1})
	var sizes []int
	total := 0
	tokens := map[byte]int{}
	for s := range g.Submissions() {
		if s.DocType != "main" {
			continue
		}
		sizes = append(sizes, len(s.Document))
		total += len(s.Document)
		for _, c := range []byte(`":,{}[]`) {
			tokens[c] += bytes.Count(s.Document, []byte{c})
		}
	}
	slices.Sort(sizes)
	for _, q := range []struct{ permille, lo, hi int }{
		{0, 15_000, 24_000}, {100, 28_000, 36_000}, {500, 57_000, 71_000}, {900, 138_000, 170_000}, {999, 320_000, 420_000},
	} {
		if n := sizes[len(sizes)*q.permille/1000]; n < q.lo || n > q.hi {
			t.Errorf("%d of 1000 pings are smaller than %d bytes, want %d to %d", q.permille, n, q.lo, q.hi)
		}
	}
	brackets := tokens['{'] + tokens['}'] + tokens['['] + tokens[']']
	for _, d := range []struct {
		name     string
		n        int
		lo, high float64
	}{
		{"mean size", len(sizes) * 1000, 1 / 86.0, 1 / 74.0},
		{"quotes", tokens['"'], 0.135, 0.155}, {"colons", tokens[':'], 0.065, 0.077},
		{"commas", tokens[','], 0.058, 0.072}, {"brackets", brackets, 0.025, 0.035},
	} {
		if got := float64(d.n) / float64(total); got < d.lo || got > d.high {
			t.Errorf("%s: %.4f a byte, want %.4f to %.4f", d.name, got, d.lo, d.high)
		}
	}
}

func TestMeanBytes(t *testing.T) {
	for _, mean := range []int{24_000, 160_000} {
		g := mustNew(t, Config{Seed: 13, Clients: 150, Days: 2, Damaged: -1, MeanBytes: mean})
		n, total := 0, 0
		for s := range g.Submissions() {
			if s.DocType == "main" {
				n++
				total += len(s.Document)
			}
		}
		if got := float64(total) / float64(n) / float64(mean); math.Abs(got-1) > 0.2 {
			t.Errorf("mean size is %d instead of %d", total/n, mean)
		}
	}
}

// TestExponentialBuckets has the bounds that browsers have for 10,000 and 50.
func TestExponentialBuckets(t *testing.T) {
	lows := probe.Exponential("X", 1, 10_000, 50).Lows
	for _, low := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 24, 29, 34, 40, 48, 57, 68, 81, 96, 114, 135, 160, 190, 226, 268,
		318, 378, 1782, 2117, 10_000} {
		if !slices.Contains(lows, low) {
			t.Errorf("no bucket begins at %d: %v", low, lows)
		}
	}
	if n := len(probe.Exponential("X", 1, 2_000_000_000, 1<<30).Lows); n != probe.MaxBuckets {
		t.Errorf("%d buckets", n)
	}
}

// TestDamagesDoSomething writes documents of all kinds with and without each
// damage.
func TestDamagesDoSomething(t *testing.T) {
	g := mustNew(t, Config{Seed: 15, Clients: 150, Days: 2, Damaged: -1, NullClients: 0.3, MeanBytes: 16_000})
	sound, damaged := writer{g: g}, writer{g: g}
	seen := map[kind]int{}
	g.plan(func(e *entry) bool {
		if seen[e.kind]++; seen[e.kind] > 12 {
			return true
		}
		sound.write(e)
		for i := range damages[1:] {
			d := &damages[1+i]
			if d.weightFor(e.kind) == 0 {
				continue
			}
			other := *e
			other.damage = uint8(1 + i)
			damaged.write(&other)
			a, b := &sound.sub, &damaged.sub
			if bytes.Equal(a.Body, b.Body) && bytes.Equal(a.URI, b.URI) && slices.Equal(a.Headers, b.Headers) {
				t.Errorf("%s ping of client %d: %q does nothing", a.DocType, e.client, d.name)
			}
			if b.Odd != d.name || (b.Fate == Rejected) != (d.class != "") {
				t.Errorf("%s ping, %q: fate %d of %q", a.DocType, d.name, b.Fate, b.Odd)
			}
		}
		return true
	})
	if len(seen) != int(numKinds)-1 { // event pings are of newer browsers
		t.Errorf("not all kinds were met: %v", seen)
	}
}

func TestRandom(t *testing.T) {
	r := random.New(1, random.ForProfile, 2, 3)
	least, most := math.MaxInt, 0
	for range 20_000 {
		n := r.Span(3, 1000)
		least, most = min(least, n), max(most, n)
		if m := r.Between(-2, 2); m < -2 || m > 2 {
			t.Fatal(m)
		}
		if m := r.Span(0, 1); m < 0 || m > 1 {
			t.Fatal(m)
		}
	}
	if least != 3 || most < 900 || most > 1000 {
		t.Errorf("from %d to %d", least, most)
	}
	if r.Share(0) || !r.Share(1) {
		t.Error("shares of nothing and all")
	}
	counts := map[int]int{}
	for range 10_000 {
		counts[drawIndex(&r, []weighted[int]{{1, 0}, {3, 0}, {0, 0}})]++
	}
	if counts[2] != 0 || counts[0] < 2200 || counts[0] > 2800 {
		t.Errorf("draws by weight: %v", counts)
	}
}
