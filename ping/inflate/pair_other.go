//go:build !amd64 || purego

package inflate

const usePairs = false

func pairStep(_, _ *Decoder) {}
