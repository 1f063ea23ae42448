package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// programVariable names the program that make has built for all tests. Without it they build it.
const programVariable = "PINGMILL_TEST_PROGRAM"

// builtIn is the folder of the binaries of builtOnce.
var builtIn string

// builtOnce builds the program with a stamp.
var builtOnce = sync.OnceValues(func() (bin string, err error) {
	if bin = os.Getenv(programVariable); bin != "" {
		_, err = os.Stat(bin) // also tells go test that results depend on it
		return bin, err
	}
	if builtIn, err = os.MkdirTemp("", "pingmill-built-"); err != nil {
		return "", err
	}
	bin = filepath.Join(builtIn, "pingmill")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-ldflags", "-s -w -X main.buildVersion=v1.2.3 -X main.buildCommit=0a1b2c3d",
		"-o", bin, ".").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("build: %w\n%s", err, out)
	}
	return bin, err
})

// built returns the program without the tests, for tests of its packages and of its memory.
func built(t *testing.T) string {
	t.Helper()
	bin, err := builtOnce()
	require.NoError(t, err)
	return bin
}

// suite is the tests of the package.
type suite struct{ *testing.M }

// Run removes what they share.
func (s suite) Run() int {
	code := s.M.Run()
	_ = os.RemoveAll(builtIn) // a temporary folder
	return code
}

// TestRelease: the change log begins with the release that the sources become.
func TestRelease(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../../CHANGELOG.md")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(b), "# Changelog\n\n## "+release+", not released yet\n"), "the first heading of CHANGELOG.md")
}

// TestVersion: the program prints the revision that it is built from, also without Go's own stamp, and the ledger records the same.
func TestVersion(t *testing.T) {
	t.Parallel()
	for _, arg := range []string{"version", "--version"} {
		out, err := program(t, arg).Output() // of tests Go notes no commit
		if err != nil || !strings.HasPrefix(string(out), "pingmill v"+release+"-dev (commit unknown) go1.") ||
			strings.Count(string(out), "\n") != 1 {
			t.Errorf("%s: %v: %s", arg, err, out)
		}
	}
	b, err := os.ReadFile("../../Makefile")
	if err != nil || !strings.Contains(string(b), "STAMP := -X main.buildVersion=$(VERSION) -X main.buildCommit=$(COMMIT)") {
		t.Errorf("the Makefile gives something else: %v", err)
	}
	out, err := exec.CommandContext(t.Context(), built(t), "--version").Output()
	if err != nil || !strings.HasPrefix(string(out), "pingmill v1.2.3 (commit 0a1b2c3d) go1.") {
		t.Errorf("stamped: %v: %s", err, out)
	}
}
