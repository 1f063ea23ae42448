package generate

import (
	"encoding/hex"
	"math/bits"
	"math/rand/v2"
)

// purpose keeps the numbers that are drawn for different things apart: what is
// added to one leaves the others as they are.
type purpose uint64

const (
	forProfile purpose = iota + 1
	forHardware
	forSoftware
	forHistory
	forDay
	forFate
	forSize
	forDocument
	forHeaders
	forDamage
	forSessionID
	forSubsessionID
	forDocumentID
	forCatalogue
)

// random is a source of numbers for one purpose. It works on integers alone, so
// that every machine draws the same.
type random struct{ rand.PCG }

// newRandom starts the source for the n-th thing of a client.
func newRandom(seed uint64, p purpose, client, n uint64) random {
	var r random
	a := scramble(seed ^ scramble(client<<8|uint64(p)))
	r.Seed(a, scramble(a^n))
	return r
}

// scramble maps 64 bits to 64 others that have nothing to do with them: the
// output function of splitmix64.
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// below is a number from 0 to n-1.
func (r *random) below(n int) int {
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}

// between is a number from lo to hi.
func (r *random) between(lo, hi int) int { return lo + r.below(hi-lo+1) }

// span is a number from lo to hi whose size, not whose value, is even: as often
// from 1 to 2 as from 1000 to 2000.
func (r *random) span(lo, hi int) int {
	lowest, highest := bits.Len(uint(lo)), bits.Len(uint(hi))
	n := r.between(lowest, highest)
	from, to := 1<<max(n-1, 0), 1<<n-1
	if n == 0 {
		from = 0
	}
	return r.between(max(from, lo), min(to, hi))
}

// few is 0 in half of the cases, 1 in a quarter, and so on.
func (r *random) few(most int) int { return min(bits.TrailingZeros64(r.Uint64()), most) }

// oneIn is true once in n times.
func (r *random) oneIn(n int) bool { return r.below(n) == 0 }

// percent is true n times in a hundred.
func (r *random) percent(n int) bool { return r.below(100) < n }

// share is true with a probability.
func (r *random) share(p float64) bool {
	return float64(r.Uint64()>>11) < p*(1<<53)
}

func pick[T any](r *random, list []T) T { return list[r.below(len(list))] }

// weighted are things with the number of times, among all, that each is drawn.
type weighted[T any] struct {
	weight int
	value  T
}

// draw picks by weight.
func draw[T any](r *random, list []weighted[T]) T { return list[drawIndex(r, list)].value }

// drawIndex picks an index by weight.
func drawIndex[T any](r *random, list []weighted[T]) int {
	total := 0
	for i := range list {
		total += list[i].weight
	}
	n := r.below(total)
	for i := range list {
		if n -= list[i].weight; n < 0 {
			return i
		}
	}
	return 0
}

// appendUUID appends the n-th random identifier of a client.
func appendUUID(dst []byte, seed uint64, p purpose, client, n uint64) []byte {
	r := newRandom(seed, p, client, n)
	return r.appendUUID(dst)
}

func (r *random) appendUUID(dst []byte) []byte {
	hi, lo := r.Uint64(), r.Uint64()
	var u [16]byte
	for i := range 8 {
		u[i], u[8+i] = byte(hi>>(8*i)), byte(lo>>(8*i))
	}
	u[6] = u[6]&0x0f | 0x40 // version 4, random
	u[8] = u[8]&0x3f | 0x80 // variant of RFC 9562
	for i, part := range [][]byte{u[:4], u[4:6], u[6:8], u[8:10], u[10:]} {
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, part)
	}
	return dst
}
