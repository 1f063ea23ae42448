package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestVersion: the program says what it is built from, also where Go does not find out, and the ledger has the same.
func TestVersion(t *testing.T) {
	for _, arg := range []string{"version", "--version"} {
		out, err := program(t, arg).Output() // of tests Go notes no commit
		if err != nil || !strings.HasPrefix(string(out), "pingmill devel (commit unknown) go1.") || strings.Count(string(out), "\n") != 1 {
			t.Errorf("%s: %v: %s", arg, err, out)
		}
	}
	b, err := os.ReadFile("../../Makefile")
	if err != nil || !strings.Contains(string(b), "STAMP := -X main.buildVersion=$(VERSION) -X main.buildCommit=$(COMMIT)") {
		t.Errorf("the Makefile gives something else: %v", err)
	}
	bin := filepath.Join(t.TempDir(), "pingmill")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-ldflags", "-X main.buildVersion=v1.2.3 -X main.buildCommit=0a1b2c3d", "-o", bin, ".")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), bin, "--version").Output()
	if err != nil || !strings.HasPrefix(string(out), "pingmill v1.2.3 (commit 0a1b2c3d) go1.") {
		t.Errorf("stamped: %v: %s", err, out)
	}
}
