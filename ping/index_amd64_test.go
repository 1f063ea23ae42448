//go:build amd64 && !purego

package ping

// version is a way to make the index.
type version struct {
	name          string
	vectors, wide bool
}

// run calls f with the index made in that way, also by the code that f tests.
func (v version) run(f func()) {
	defer func(vectors, wide bool) { useVectors, useWide = vectors, wide }(useVectors, useWide)
	useVectors, useWide = v.vectors, v.wide
	f()
}

// versions lists those that this machine can run.
func versions() []version {
	all := []version{{"words", false, false}, {"vectors", true, false}, {"wide", true, true}}
	switch {
	case useWide:
		return all
	case useVectors:
		return all[:2]
	}
	return all[:1]
}
