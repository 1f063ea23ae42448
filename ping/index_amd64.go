//go:build amd64 && !purego

package ping

import (
	"math/bits"

	"golang.org/x/sys/cpu"
)

//go:generate go run ./avo -pkg ping -out index_amd64.s -stubs index_stubs_amd64.go

// useVectors reports whether the processor can run the assembly. Tests clear it to test the plain Go version.
var useVectors = cpu.X86.HasAVX2 && cpu.X86.HasPCLMULQDQ && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

// useWide reports whether the processor can run the assembly that reads 64 bytes at a time. All processors with
// these instructions since 2019 (Intel) and 2022 (AMD) have AVX-512 that does not slow them down.
var useWide = useVectors && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI2

// vectorBlocks bounds one call of assembly, because the scheduler cannot interrupt it. 256 KiB take some tens
// of microseconds.
const vectorBlocks = 4096

// addVectors works like addBlocks, in assembly.
func (s *indexState) addVectors(b []byte, blocks []block) {
	for len(blocks) > 0 {
		n := min(len(blocks), vectorBlocks)
		if useWide {
			indexWide(&b[0], n, &blocks[0].quote, (*[5]uint64)(s))
		} else {
			indexBlocks(&b[0], n, &blocks[0].quote, (*[5]uint64)(s))
		}
		b, blocks = b[n*64:], blocks[n:]
	}
}

// classifyVectors computes classes as addWords does, in assembly.
func classifyVectors(b []byte, to []classes) {
	if useWide {
		classifyWide(&b[0], len(to), &to[0].white)
	} else {
		classifyBlocks(&b[0], len(to), &to[0].white)
	}
}

// common proves blocks, the first of which begins at base, until one has something rare: white space between
// tokens, bytes outside of all brackets, or more than 63 levels. It returns the number of proved blocks, and
// false if a block is invalid.
func (c *checker) common(b []byte, base int, blocks []block, class []classes, rare []uint64) (n int, ok bool) {
	if !useVectors || c.deep || c.depth <= 0 || base >= len(b) {
		return 0, true
	}
	var other [partBlocks]uint64
	c.kinds |= 1 << c.depth
	found := c.found
	n = proveBlocks(&b[base], min(len(blocks), len(other)), &blocks[0].quote, &class[0].white, &rare[0], &other[0], &c.inside, &c.ends[0])
	if n < 0 {
		return 0, false
	}
	c.depth = bits.Len64(c.kinds) - 1
	c.kinds ^= 1 << c.depth
	c.endedIn(base, n, found)
	for i, m := range other[:n] {
		if m != 0 && !c.scalars(b, base+i*64, m) {
			return 0, false
		}
	}
	return n, true
}
