//go:build !amd64 || purego

package ping

const useVectors = false

func (s *indexState) addVectors(b []byte, blocks []block) { s.addWords(b, blocks, nil) }

func classifyVectors([]byte, []classes) {} // without vectors addWords does it
