//go:build !amd64

package foreign

// Has reports whether the architecture has calls of another one.
const Has = false

func int80(number, a0, a1, a2, a3, a4, a5 uint32) int32 { return -38 }
