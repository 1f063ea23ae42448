package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/cli"
)

// TestExitUsage: a status that stops the service for good is none that a panic has,
// and what is packaged has the same.
func TestExitUsage(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "main.go")
	require.NoError(t, os.WriteFile(program, []byte("package main\nfunc main() { panic(0) }\n"), 0o644))
	binary := filepath.Join(dir, "panics")
	if out, err := exec.Command("go", "build", "-o", binary, program).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	panics := exec.Command(binary)
	if err := panics.Run(); err == nil || panics.ProcessState.ExitCode() == cli.ExitUsage {
		t.Errorf("a panic ends with %d", panics.ProcessState.ExitCode())
	}
	for file, pattern := range map[string]string{
		"pingmill.service":        `(?m)^RestartPreventExitStatus=(.*)$`,
		"kubernetes/cronjob.yaml": `values: \[(.*)\]`,
		"try-unit.sh":             `ExecMainStatus\) == (\d+)`,
	} {
		b, err := os.ReadFile(filepath.Join("..", "..", "packaging", file))
		require.NoError(t, err)
		if m := regexp.MustCompile(pattern).FindSubmatch(b); m == nil || string(m[1]) != fmt.Sprint(cli.ExitUsage) {
			t.Errorf("%s: %q, want %d", file, m, cli.ExitUsage)
		}
	}
}
