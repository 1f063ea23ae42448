package clienttest

import (
	"os/exec"
	"testing"
)

// NeedProgram skips the test, with the reason, if a program is not installed.
func NeedProgram(t testing.TB, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skip(name + " is missing: install it")
	}
}
