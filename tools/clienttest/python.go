// Package clienttest provides other programs with which tests connect to servers: Python with packages of PyPI, and
// jars of Maven Central. They are stored in the user's cache. A test is skipped, and reports what is missing, only if
// a program cannot be installed.
package clienttest

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"
)

// Arrow lists the packages of tests that read Arrow, from streams and by Flight SQL. They share one folder of the cache.
var Arrow = []string{"adbc-driver-flightsql==1.13.0", "adbc-driver-manager==1.13.0", "pyarrow==26.0.1"}

// Python returns the path of a Python with packages, each with its version: name==1.2.
func Python(t *testing.T, packages ...string) string {
	t.Helper()
	system, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is missing: install it, with its venv")
	}
	packages = slices.Sorted(slices.Values(packages))
	key := sha256.Sum256([]byte(strings.Join(packages, "\n")))
	dir, unlock := cached(t, "python-"+hex.EncodeToString(key[:6]))
	defer unlock()
	python, done := filepath.Join(dir, "bin", "python"), filepath.Join(dir, "complete")
	if _, err := os.Stat(done); err == nil {
		return python
	}
	if out, err := exec.Command(system, "-m", "venv", "--clear", dir).CombinedOutput(); err != nil {
		t.Skipf("python3 has no venv: install python3-venv: %v\n%s", err, out)
	}
	install := []string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1"}
	if out, err := exec.Command(python, append(install, packages...)...).CombinedOutput(); err != nil {
		if unreachable(out) {
			t.Skipf("PyPI cannot be reached for %s:\n%s", packages, out)
		}
		t.Fatalf("pip install %s: %v\n%s", packages, err, out)
	}
	require.NoError(t, os.WriteFile(done, nil, 0o644))
	return python
}

// unreachable reports whether pip failed because it has no network or cannot download packages.
func unreachable(output []byte) bool {
	for _, text := range []string{"Failed to establish a new connection", "connection broken", "ConnectTimeout", "Could not find a version"} {
		if strings.Contains(string(output), text) {
			return true
		}
	}
	return false
}

// cached returns a folder in the user's cache, which this process has alone until unlock.
func cached(t *testing.T, name string) (dir string, unlock func()) {
	t.Helper()
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	dir = filepath.Join(cache, "pingmill-tests", name)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	lock := flock.New(dir + ".lock")
	require.NoError(t, lock.Lock())
	return dir, func() { _ = lock.Unlock() }
}
