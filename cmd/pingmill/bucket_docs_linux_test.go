package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store/blob"
	"github.com/pingmill/pingmill/tools/clienttest"
)

func storagePage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/object-storage.md")
	require.NoError(t, err)
	return string(page)
}

// TestParametersOfBuckets: the page says of each parameter of a URL what it is.
func TestParametersOfBuckets(t *testing.T) {
	page := storagePage(t)
	for _, p := range blob.Parameters() {
		require.Contains(t, page, "| `"+p.Name+"` | "+strings.Join(p.Schemes, ", ")+" | "+p.Doc+" |")
	}
}

// TestTryObjectStorage runs the commands of the page in a shell as they are printed; the port is another.
func TestTryObjectStorage(t *testing.T) {
	if !*demoInBucket {
		t.Skip("installs a server: make object-storage")
	}
	dir := t.TempDir()
	programIn(t, filepath.Join(dir, "path"))
	_, port, err := net.SplitHostPort(clienttest.FreeAddress(t))
	require.NoError(t, err)
	script := shellBlock.FindStringSubmatch(storagePage(t))[1]
	bash := exec.Command("bash", "-c", "set -e\ntrap 'kill $(jobs -p)' EXIT\n"+strings.ReplaceAll(script, "7070", port))
	bash.Dir = dir
	bash.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "path")+":"+os.Getenv("PATH"), "GOFLAGS=")
	out, err := bash.CombinedOutput()
	require.NoError(t, err, string(out))
	for _, want := range []string{"# published (14)", "19 passed, 0 failed", "s3://pings/first/lake/clients_daily/v6/",
		"removed 0 rows of 1 client"} {
		require.Contains(t, string(out), want)
	}
}
