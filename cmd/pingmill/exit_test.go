package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/terminal/cli"
)

// TestExitUsage: a status that stops the service for good is none that a panic has,
// and what is packaged has the same.
func TestExitUsage(t *testing.T) {
	panics := exec.Command(testBinaryAs(t, t.TempDir(), "panics"))
	if err := panics.Run(); err == nil || panics.ProcessState.ExitCode() == cli.ExitUsage {
		t.Errorf("a panic ends with %d", panics.ProcessState.ExitCode())
	}
	for file, pattern := range map[string]string{
		"pingmill.service":          `(?m)^RestartPreventExitStatus=(.*)$`,
		"kubernetes/cronjob.yaml":   `values: \[(.*)\]`,
		"kubernetes/tasks.yaml":     `values: \[(.*)\]`,
		"airflow/pingmill_tasks.py": `USELESS = \((\d+), `,
		"try-unit.sh":               `ExecMainStatus\) == (\d+)`,
	} {
		b, err := os.ReadFile(filepath.Join("..", "..", "packaging", file))
		require.NoError(t, err)
		if m := regexp.MustCompile(pattern).FindSubmatch(b); m == nil || string(m[1]) != fmt.Sprint(cli.ExitUsage) {
			t.Errorf("%s: %q, want %d", file, m, cli.ExitUsage)
		}
	}
	for file, pattern := range map[string]string{"airflow/pingmill_tasks.py": `USELESS = \(\d+, (\d+)\)`,
		"spark/pingmill_day.py": `PLAN_AGAIN = (\d+)`} {
		b, err := os.ReadFile(filepath.Join("..", "..", "packaging", file))
		require.NoError(t, err)
		if m := regexp.MustCompile(pattern).FindSubmatch(b); m == nil || string(m[1]) != fmt.Sprint(cli.ExitRefused) {
			t.Errorf("%s: %q, want %d", file, m, cli.ExitRefused)
		}
	}
}
