package edge

import (
	"math/bits"
	"sync"
)

// buffers holds body buffers by size: powers of two from minBuffer on.
type buffers struct{ pools [16]sync.Pool }

var minBits = bits.Len(minBuffer - 1)

// class returns the class of the smallest buffers that hold n bytes.
func class(n int64) int { return max(bits.Len64(uint64(max(n, 1)-1))-minBits, 0) }

// classSize returns the size of a class's buffers.
func classSize(n int64) int64 { return minBuffer << class(n) }

// get returns an empty buffer for at least n bytes.
func (b *buffers) get(n int64) *[]byte {
	c := class(n)
	if c < len(b.pools) {
		if p, _ := b.pools[c].Get().(*[]byte); p != nil {
			return p
		}
	}
	buf := make([]byte, 0, classSize(n))
	return &buf
}

// put returns a buffer to its pool.
func (b *buffers) put(p *[]byte) {
	*p = (*p)[:0]
	if c := class(int64(cap(*p))); c < len(b.pools) {
		b.pools[c].Put(p)
	}
}
