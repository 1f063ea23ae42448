//go:build unix

package schema

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLoadProbesPipe(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "Scalars.yaml"), 0o600))
	if _, err := LoadProbes(dir); err == nil || !strings.Contains(err.Error(), "probes: Scalars.yaml: not a regular file") {
		t.Errorf("got %v", err)
	}
}
