//go:build !amd64 || purego

package ping

const useVectors = false

func (s *indexState) addVectors(b []byte, blocks []block) { s.addWords(b, blocks, nil) }

func classifyVectors(b []byte, to []classes) { classifyWords(b, to) }
