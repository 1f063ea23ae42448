//go:build amd64 && !purego

package ping

// version is a way to make the index.
type version struct {
	name    string
	vectors bool
}

// run calls f with the index made in that way, also by the code that f tests.
func (v version) run(f func()) {
	defer func(old bool) { useVectors = old }(useVectors)
	useVectors = v.vectors
	f()
}

// versions lists those that this machine can run.
func versions() []version {
	if useVectors {
		return []version{{"words", false}, {"vectors", true}}
	}
	return []version{{"words", false}}
}
