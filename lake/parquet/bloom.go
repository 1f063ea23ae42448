package parquet

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/cespare/xxhash/v2"
)

// bloomFalse is the rate of false positives that filters are sized for.
const bloomFalse = 0.01

// maxBloom bounds a filter, in bytes.
const maxBloom = 1 << 20

// bloomSalt are the odd constants of the format's split-block filter.
var bloomSalt = [8]uint32{
	0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d,
	0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31,
}

// bloomBytes returns the size of a filter of n distinct values: a power of two, since some readers refuse others.
func bloomBytes(n int) int {
	perValue := -8 / math.Log(1-math.Pow(bloomFalse, 1.0/8)) // bits
	size := int(float64(n) * perValue / 8)
	if size <= 32 {
		return 32
	}
	return min(maxBloom, 1<<bits.Len(uint(size-1)))
}

// bloomFilter builds a split-block bloom filter of texts: blocks of eight
// 32-bit words, of which a value sets one bit each.
func bloomFilter(values [][]byte) []byte {
	filter := make([]byte, bloomBytes(len(values)))
	blocks := uint64(len(filter) / 32)
	for _, v := range values {
		h := xxhash.Sum64(v)
		block := filter[(h>>32)*blocks>>32*32:][:32]
		for i, salt := range bloomSalt {
			word := block[4*i:]
			bit := uint32(1) << (uint32(h) * salt >> 27)
			binary.LittleEndian.PutUint32(word, binary.LittleEndian.Uint32(word)|bit)
		}
	}
	return filter
}

// appendBloom appends a filter with its header.
func appendBloom(w *thriftWriter, filter []byte) {
	w.element()
	w.i32(1, len(filter))
	for id := 2; id <= 4; id++ { // algorithm BLOCK, hash XXHASH, compression UNCOMPRESSED
		w.begin(id)
		w.begin(1)
		w.end()
		w.end()
	}
	w.end()
	w.buf = append(w.buf, filter...)
}
