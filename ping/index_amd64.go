//go:build amd64 && !purego

package ping

import "golang.org/x/sys/cpu"

//go:generate go run avo/main.go -pkg ping -out index_amd64.s -stubs index_stubs_amd64.go

// useVectors reports whether the processor can run the assembly. Tests clear it
// to reach the other version.
var useVectors = cpu.X86.HasAVX2 && cpu.X86.HasPCLMULQDQ

// vectorBlocks bounds one call of assembly: the scheduler cannot interrupt it,
// and 256 KiB take some tens of microseconds.
const vectorBlocks = 4096

// addVectors is addBlocks in assembly.
func (s *indexState) addVectors(b []byte, blocks []block) {
	for len(blocks) > 0 {
		n := min(len(blocks), vectorBlocks)
		indexBlocks(&b[0], n, &blocks[0].quote, (*[5]uint64)(s))
		b, blocks = b[n*64:], blocks[n:]
	}
}

// classifyVectors is what addWords makes of classes, in assembly.
func classifyVectors(b []byte, to []classes) {
	classifyBlocks(&b[0], len(to), &to[0].white)
}
