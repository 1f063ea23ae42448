//go:build !linux

package sandbox

// Restrict makes the rules hold that the system knows, and returns what it lacks.
func Restrict(Rules) (lacking []Protection, err error) {
	return []Protection{Files, Network, Programs, Limits}, nil
}

// Lacks returns the protections that this system does not have.
func Lacks() []Protection { return []Protection{Files, Network, Programs, Limits} }

// Disinherit does nothing here.
func Disinherit(int) error { return nil }
