//go:build unix

package schema

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestLoadProbesPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "Scalars.yaml"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadProbes(dir); err == nil || !strings.Contains(err.Error(), "probes: Scalars.yaml: not a regular file") {
		t.Errorf("got %v", err)
	}
}
