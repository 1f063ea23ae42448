//go:build !amd64 || purego

package ping

// version is a way to make the index; without assembly there is one.
type version struct{ name string }

func (v version) run(f func()) { f() }

func versions() []version { return []version{{"words"}} }
