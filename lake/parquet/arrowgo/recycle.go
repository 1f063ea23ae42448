package arrowgo

// recycler is a memory.Allocator for one goroutine that lends freed memory
// again: a row group's page buffers serve the next one.
type recycler struct {
	free [][]byte
}

// maxFree limits the freed buffers that are kept: a few for each column.
const maxFree = 128

// maxPooled is the largest buffer that is used again: pages have 1 MiB, except pages of one large body.
const maxPooled = 4 << 20

// slack is the free space behind every buffer, in bytes. The page decoder takes pointers
// to values at the end of a page also when there is none to read; they must not
// point into something else.
const slack = 64

// Allocate returns size bytes of any content.
func (a *recycler) Allocate(size int) []byte {
	best := -1
	for i, b := range a.free {
		if cap(b) >= size && (best < 0 || cap(b) < cap(a.free[best])) {
			best = i
		}
	}
	if best < 0 || cap(a.free[best]) > 4*size+64<<10 {
		return make([]byte, size+slack)[:size:size]
	}
	b := a.free[best]
	last := len(a.free) - 1
	a.free[best] = a.free[last]
	a.free = a.free[:last]
	return b[:size]
}

// Reallocate returns b's bytes in size bytes.
func (a *recycler) Reallocate(size int, b []byte) []byte {
	if size <= cap(b) {
		return b[:size]
	}
	grown := a.Allocate(size)
	copy(grown, b)
	a.Free(b)
	return grown
}

// Free takes b back.
func (a *recycler) Free(b []byte) {
	if cap(b) >= 1<<10 && cap(b) <= maxPooled && len(a.free) < maxFree {
		a.free = append(a.free, b[:0])
	}
}
