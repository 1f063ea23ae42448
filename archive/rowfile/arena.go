package rowfile

import "sync"

const (
	minBlock = 4 << 10
	maxBlock = 4 << 20
)

// blocks lends memory in pieces and takes the large ones back, so that a long
// load does not leave the garbage collector hundreds of megabytes behind.
type blocks struct {
	mu   sync.Mutex
	free [][]byte // each of maxBlock
}

func (p *blocks) get(n int) []byte {
	if n != maxBlock {
		return make([]byte, 0, n)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if last := len(p.free) - 1; last >= 0 {
		b := p.free[last]
		p.free = p.free[:last]
		return b[:0]
	}
	return make([]byte, 0, n)
}

func (p *blocks) put(all [][]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, b := range all {
		if cap(b) == maxBlock {
			p.free = append(p.free, b)
		}
	}
}

// arena keeps the bytes of rows. Its blocks grow with it, so that a thousand
// nearly empty partitions cost little.
type arena struct {
	pool *blocks
	all  [][]byte
	size int64 // capacity of all blocks
}

// alloc returns n bytes that stay where they are.
func (a *arena) alloc(n int) []byte {
	if last := len(a.all) - 1; last >= 0 {
		if b := a.all[last]; cap(b)-len(b) >= n {
			a.all[last] = b[:len(b)+n]
			return a.all[last][len(b) : len(b)+n : len(b)+n]
		}
	}
	size := min(max(int(a.size/2), minBlock), maxBlock)
	b := a.pool.get(max(size, n))[:n]
	a.all = append(a.all, b)
	a.size += int64(cap(b))
	return b[:n:n]
}

// release gives the blocks back; no row may be used after it.
func (a *arena) release() {
	a.pool.put(a.all)
	a.all, a.size = nil, 0
}
