package parquet

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// minRun is the number of equal values from which a run is shorter than
// packing them, whatever their width.
const minRun = 16

// maxGroups is the largest number of groups of eight values in a packed run
// whose header still is one byte.
const maxGroups = 63

// bitWidth returns the number of bits of the largest value.
func bitWidth(largest int) uint { return uint(bits.Len(uint(largest))) }

// appendHybrid appends values, each of at most width (1 to 32) bits, in the
// hybrid of run-length encoding and bit packing.
func appendHybrid[T int16 | uint32](dst []byte, v []T, width uint) []byte {
	header, groups := 0, 0 // of the packed run under way
	for len(v) >= 8 {
		g := (*[8]T)(v)
		if uniform(g) {
			if n := runLength(v); n >= minRun || n == len(v) {
				dst = appendRun(dst, v[0], n, width)
				v, groups = v[n:], 0
				continue
			}
		}
		if groups == 0 || groups == maxGroups {
			header, groups = len(dst), 0
			dst = append(dst, 0)
		}
		groups++
		dst[header] = byte(groups<<1 | 1)
		dst = appendPacked(dst, g, width)
		v = v[8:]
	}
	return appendTail(dst, v, width)
}

// appendTail appends fewer than eight values.
func appendTail[T int16 | uint32](dst []byte, v []T, width uint) []byte {
	if len(v) == 0 {
		return dst
	}
	if runLength(v) == len(v) {
		return appendRun(dst, v[0], len(v), width)
	}
	var g [8]T
	copy(g[:], v)
	return appendPacked(append(dst, 1<<1|1), &g, width)
}

func uniform[T int16 | uint32](g *[8]T) bool {
	return (g[0]^g[1])|(g[0]^g[2])|(g[0]^g[3])|(g[0]^g[4])|(g[0]^g[5])|(g[0]^g[6])|(g[0]^g[7]) == 0
}

// runLength counts how many values at the start of v are equal.
func runLength[T int16 | uint32](v []T) int {
	const block = 64
	n := 1
	for len(v)-n >= block && *(*[block]T)(v[n-1:]) == *(*[block]T)(v[n:]) {
		n += block
	}
	for n < len(v) && v[n] == v[0] {
		n++
	}
	return n
}

func appendRun[T int16 | uint32](dst []byte, v T, n int, width uint) []byte {
	dst = binary.AppendUvarint(dst, uint64(n)<<1)
	for shift := uint(0); shift < width; shift += 8 {
		dst = append(dst, byte(uint32(v)>>shift))
	}
	return dst
}

// appendPacked appends eight values, the first in the lowest bits.
func appendPacked[T int16 | uint32](dst []byte, g *[8]T, width uint) []byte {
	if width <= 8 {
		// The masks show the compiler that no shift count is out of range.
		w := width & 15
		x := uint64(g[0]) | uint64(g[1])<<w | uint64(g[2])<<(2*w&63) | uint64(g[3])<<(3*w&63) |
			uint64(g[4])<<(4*w&63) | uint64(g[5])<<(5*w&63) | uint64(g[6])<<(6*w&63) | uint64(g[7])<<(7*w&63)
		n := len(dst)
		return binary.LittleEndian.AppendUint64(dst, x)[:n+int(width)]
	}
	var x uint64
	var have uint
	for _, v := range g {
		x |= uint64(v) << have
		have += width
		if have >= 32 {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(x))
			x >>= 32
			have -= 32
		}
	}
	for ; have > 0; have -= 8 { // eight values fill whole bytes
		dst = append(dst, byte(x))
		x >>= 8
	}
	return dst
}

// bytesOf views numbers as their bytes in memory.
func bytesOf[T int16 | int32 | int64 | uint32 | float64](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(v[0])))
}
