package main

import (
	"bytes"
	"math/rand/v2"
	"runtime/debug"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// beyondCaches is more memory than processors cache, bytes.
const beyondCaches = 256 << 20

// yardsticks measures the machine's speed, so that pages of different machines can be compared: copying and
// decompressing on one core, and the cost of a memory access that misses all caches.
func yardsticks(p *page) error {
	defer debug.FreeOSMemory()
	from, to := bytes.Repeat([]byte{1}, beyondCaches), make([]byte, beyondCaches) // zeros that nobody wrote are all one page
	copying, err := rateOf(len(from), func() error { copy(to, from); return nil })
	if err != nil {
		return err
	}
	unzstd, err := unzstdRate()
	if err != nil {
		return err
	}
	p.printf("Yardsticks of the machine, one core: copying %d MB %.1f GB/s, an access to memory at random %.0f ns, zstd decompression of "+
		"pings in the cache %.2f GB/s.\n",
		beyondCaches>>20, copying, accessTime()*1e9, unzstd)
	return nil
}

// unzstdRate decompresses some pings over and over, in GB/s of JSON.
func unzstdRate() (float64, error) {
	bodies, err := sampleBodies(20)
	if err != nil {
		return 0, err
	}
	text := slices.Concat(bodies...)
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return 0, err
	}
	packed := w.EncodeAll(text, nil)
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return 0, err
	}
	defer r.Close()
	return rateOf(len(text), func() error {
		text, err = r.DecodeAll(packed, text[:0])
		return err
	})
}

// accessTime follows a chain through memory in an order that no processor foresees, in seconds an access.
func accessTime() float64 {
	const entries = beyondCaches / 4
	order := rand.New(rand.NewPCG(1, 1)).Perm(entries)
	next := make([]uint32, entries)
	for i, at := range order {
		next[at] = uint32(order[(i+1)%entries])
	}
	const steps = 5_000_000
	at := uint32(0)
	each, _ := cost(1, func() error { // it cannot fail
		for range steps {
			at = next[at]
		}
		return nil
	})
	if at == entries { // never: the chain is used
		panic("out of the chain")
	}
	return each / steps
}
