package inflate

import (
	"math/rand/v2"
	"testing"
)

// randomCode returns the lengths of a code that uses all bits, for n symbols among size: the leaves of a tree
// that grows by splitting, mostly the deepest leaf if deep is near 1.
func randomCode(r *rand.Rand, n, size int, deep float64) []uint8 {
	leaves := []uint8{1, 1}
	for len(leaves) < n {
		i := r.IntN(len(leaves))
		if r.Float64() < deep {
			i = len(leaves) - 1
		}
		if leaves[i] < maxCodeLen {
			leaves[i]++
			leaves = append(leaves, leaves[i])
		}
	}
	lens := make([]uint8, size)
	for i, s := range r.Perm(size)[:n] {
		lens[s] = leaves[i]
	}
	return lens
}

// TestTables looks up every symbol of random codes.
func TestTables(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	lit, dist := make([]entry, litSize), make([]entry, distSize)
	var b codeBuilder
	check := func(table []entry, root uint, lens []uint8, entries []entry) {
		t.Helper()
		if _, ok := b.build(table, root, lens, entries); !ok {
			t.Fatalf("code refused: %v", lens)
		}
		for s, n := range lens {
			if n == 0 {
				continue
			}
			var w bitWriter
			w.symbols(lens, s).bits(uint(r.Uint64()), 48)
			bits := uint64(0)
			for i, c := range w.b[:8] {
				bits |= uint64(c) << (8 * i)
			}
			e, drop, extra := lookup(table, root, bits)
			more := uint(entries[s] & dropMask)
			if e>>valueShift != entries[s]>>valueShift || drop != uint(n)+more || extra != int(bits>>n&(1<<more-1)) {
				t.Fatalf("symbol %d of %d bits: entry %#x drops %d, extra %d", s, n, e, drop, extra)
			}
		}
	}
	for range 400 {
		deep := []float64{0, 0.3, 0.6, 0.9, 0.97}[r.IntN(5)]
		check(lit, litBits, randomCode(r, 2+r.IntN(litSymbols-1), litSymbols, deep), litEntries[:])
		check(dist, distBits, randomCode(r, 2+r.IntN(distSymbols-1), distSymbols, deep), distEntries[:])
	}
}

// TestSteps follows every step of random codes symbol by symbol.
func TestSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var (
		b codeBuilder
		s stepBuilder
		c codes
	)
	for range 100 {
		b.build(c.lit[:], litBits, randomCode(r, 2+r.IntN(maxLit-1), maxLit, r.Float64()), litEntries[:])
		s.build(&c, &b)
		for i, step := range c.steps {
			rest, used := uint64(i), uint(0)
			next := func() (entry, int) {
				e, drop, extra := lookup(c.lit[:], litBits, rest)
				rest >>= drop
				used += drop
				return e, extra
			}
			for n, shift := step>>6&3, firstShift; n > 0; n, shift = n-1, shift+8 {
				if e, _ := next(); e&kindLit == 0 || byte(e>>valueShift) != byte(step>>shift) {
					t.Fatalf("step %#x for %#x: not this literal: %#x", step, i, e)
				}
			}
			if length := step >> lenShift; length != 0 {
				if e, extra := next(); e&kindMatch == 0 || int(e>>valueShift)+extra != int(length) {
					t.Fatalf("step %#x for %#x: not this match: %#x", step, i, e)
				}
			}
			if used != uint(step&stepDrop) || used > stepBits {
				t.Fatalf("step %#x for %#x drops %d bits", step, i, used)
			}
			if e, drop, _ := lookup(c.lit[:], litBits, uint64(i)); step == 0 && e&kindLit != 0 && drop <= stepBits {
				t.Fatalf("no step for %#x, but a literal of %d bits", i, drop)
			}
		}
	}
}
