package random

import (
	"encoding/hex"
	"math/bits"
	"math/rand/v2"
)

// Purpose keeps the numbers that are drawn for different things apart: what is
// added to one leaves the others as they are.
type Purpose uint64

const (
	ForProfile Purpose = iota + 1
	ForHardware
	ForSoftware
	ForHistory
	ForDay
	ForFate
	ForSize
	ForDocument
	ForHeaders
	ForDamage
	ForSessionID
	ForSubsessionID
	ForDocumentID
	ForCatalogue
	ForGlean
	ForGleanID
	ForEvents
)

// Source is a source of numbers for one purpose. It works on integers alone, so
// that every machine draws the same.
type Source struct{ rand.PCG }

// New starts the source for the n-th thing of a client.
func New(seed uint64, p Purpose, client, n uint64) Source {
	var r Source
	a := Scramble(seed ^ Scramble(client<<8|uint64(p)))
	r.Seed(a, Scramble(a^n))
	return r
}

// Scramble maps 64 bits to 64 others that have nothing to do with them: the
// output function of splitmix64.
func Scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Below returns a number from 0 to n-1.
func (r *Source) Below(n int) int {
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}

// Between returns a number from lo to hi.
func (r *Source) Between(lo, hi int) int { return lo + r.Below(hi-lo+1) }

// Span returns a number from lo to hi whose size, not whose value, is even: as often from 1 to 2 as from 1000 to 2000.
func (r *Source) Span(lo, hi int) int {
	lowest, highest := bits.Len(uint(lo)), bits.Len(uint(hi))
	n := r.Between(lowest, highest)
	from, to := 1<<max(n-1, 0), 1<<n-1
	if n == 0 {
		from = 0
	}
	return r.Between(max(from, lo), min(to, hi))
}

// Few returns 0 in half of the cases, 1 in a quarter, and so on.
func (r *Source) Few(most int) int { return min(bits.TrailingZeros64(r.Uint64()), most) }

// OneIn returns true once in n times.
func (r *Source) OneIn(n int) bool { return r.Below(n) == 0 }

// Percent returns true n times in a hundred.
func (r *Source) Percent(n int) bool { return r.Below(100) < n }

// Share returns true with a probability.
func (r *Source) Share(p float64) bool {
	return float64(r.Uint64()>>11) < p*(1<<53)
}

func Pick[T any](r *Source, list []T) T { return list[r.Below(len(list))] }

// AppendUUID appends the n-th random identifier of a client.
func AppendUUID(dst []byte, seed uint64, p Purpose, client, n uint64) []byte {
	r := New(seed, p, client, n)
	return r.AppendUUID(dst)
}

func (r *Source) AppendUUID(dst []byte) []byte {
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
