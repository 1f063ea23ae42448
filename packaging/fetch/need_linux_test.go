package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// basics are the programs that need.sh runs itself; every system has them.
var basics = []string{"awk", "cat", "df", "dirname", "env", "id", "mktemp", "rm", "sed", "sh", "tee", "uname"}

// machine returns a folder for PATH, with links to programs of this machine and scripts.
func machine(t *testing.T, programs []string, scripts map[string]string) string {
	t.Helper()
	bin := t.TempDir()
	for _, name := range append(programs, basics...) {
		path, err := exec.LookPath(name)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(bin, name)))
	}
	for name, text := range scripts {
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755))
	}
	return bin
}

// need runs need.sh with a PATH, and returns its exit code and what it wrote.
func need(t *testing.T, target, bin string, env ...string) (int, string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "../need.sh", target)
	cmd.Env = append([]string{"PATH=" + bin, "HOME=" + t.TempDir(), "SSL_CERT_FILE=/dev/null"}, env...)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// says checks that need.sh has failed with all of some texts, and a command for each system with all packages.
func prints(t *testing.T, code int, out string, want []string, debian, fedora, brew string) {
	t.Helper()
	require.Equal(t, 1, code, out)
	for _, w := range want {
		require.Contains(t, out, "  - "+w)
	}
	require.Equal(t, len(want), strings.Count(out, "\n  - "), out)
	lines := strings.Split(out, "\n")
	for system, packages := range map[string]string{"Debian, Ubuntu: ": debian, "Fedora: ": fedora, "macOS: ": brew} {
		found := false
		for _, line := range lines {
			found = found || strings.HasPrefix(line, "  "+system) && strings.HasSuffix(line, packages)
		}
		require.True(t, found, "no line %q with %q in:\n%s", system, packages, out)
	}
}

// TestNeedsOfAnEmptyMachine: all that is missing is in one list.
func TestNeedsOfAnEmptyMachine(t *testing.T) {
	t.Parallel()
	bin := machine(t, nil, nil)
	for _, target := range []string{"build", "test"} {
		code, out := need(t, target, bin)
		prints(t, code, out, []string{"Go 1.", "a C compiler", "the library of C++", "make", "git", "bash"},
			" golang-go gcc libc6-dev g++ make git bash", " golang gcc glibc-devel gcc-c++ make git bash",
			"xcode-select --install; brew install go make git bash")
	}
}

// TestNeedsOfOldPrograms: programs that are there and do not serve are in the list, too.
func TestNeedsOfOldPrograms(t *testing.T) {
	t.Parallel()
	gcc, err := exec.LookPath("gcc")
	require.NoError(t, err)
	for _, test := range []struct {
		name                string
		scripts             map[string]string
		want                string
		debian, fedora, mac string
	}{
		{"no C++", map[string]string{"gcc": `case "$*" in *stdc++*) exit 1 ;; esac; exec ` + gcc + ` "$@"`}, "the library of C++", "g++",
			"gcc-c++", "xcode-select --install"},
		{"old Go", map[string]string{"go": `echo go1.19.8`}, "Go 1.26.8 (here is 1.19.8)", "golang-go", "golang", "brew install go"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			programs := []string{"make", "git", "bash", "cc", "as", "ld"}
			for _, p := range []string{"go", "gcc"} {
				if test.scripts[p] == "" {
					programs = append(programs, p)
				}
			}
			code, out := need(t, "build", machine(t, programs, test.scripts), "CC=gcc")
			prints(t, code, out, []string{test.want}, test.debian, test.fedora, test.mac)
		})
	}
}

// TestNodeVersions: need.sh takes the versions of the pages' package.json.
func TestNodeVersions(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../serve/web/app/package.json")
	require.NoError(t, err)
	require.Contains(t, string(text), `"node": "^20.19.0 || ^22.13.0 || >=23.5.0"`)
	for version, good := range map[string]bool{
		"18.20.4": false, "20.18.3": false, "20.19.0": true, "21.7.3": false, "22.12.0": false, "22.13.0": true, "23.4.0": false, "23.5.0": true,
		"26.1.0": true,
	} {
		bin := machine(t, []string{"make", "git", "bash", "gcc", "as", "ld"}, map[string]string{
			"node": "echo v" + version, "npm": "", "chromium": "", "go": `case "$1" in env) echo go1.99.0 ;; run) echo fetched ;; esac`,
		})
		code, out := need(t, "test", bin, "CC=gcc")
		require.Zero(t, code, out)
		require.Equal(t, !good, strings.Contains(out, "fetched\n"), "Node.js %s: %s", version, out)
	}
}

// TestNeedsOfPages: an old Node.js is replaced by one that is fetched. If that fails, its packages are named. Programs
// of optional tests are named, too.
func TestNeedsOfPages(t *testing.T) {
	t.Parallel()
	bin := machine(t, []string{"make", "git", "bash", "gcc", "as", "ld"}, map[string]string{
		"node": "echo v18.20.4", "npm": "echo 9.2.0", "chromium": "",
		"go": `case "$1" in env) echo go1.99.0 ;; run) shift; echo "fetched: $*"; exit ${FAIL:-0} ;; esac`,
	})
	code, out := need(t, "test", bin, "CC=gcc")
	require.Zero(t, code, out)
	require.Contains(t, out, "pingmill/tools node\n")
	require.NotContains(t, out, "tools node chromium")
	require.Contains(t, out, "without: python3 with venv, psql, curl, less")
	require.Contains(t, out, "install -y --no-install-recommends python3-venv postgresql-client curl less")
	code, out = need(t, "test", bin, "CC=gcc", "FAIL=1")
	prints(t, code, out, []string{"Node.js 22.13 or later with npm"}, "nodejs npm", "nodejs npm", "brew install node")
}
