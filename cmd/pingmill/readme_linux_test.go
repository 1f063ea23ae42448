package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/tools/clienttest"
)

var shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// awaitRow takes the place of the README's sleep: it ends when the row is there.
const awaitRow = `sleep() {
  for i in $(seq 600); do
    pingmill query --format csv "SELECT client_id FROM telemetry_new_profile_parquet" | grep -q f47ac10b && return
    command sleep 0.1
  done
  return 1
}
`

// TestReadme runs the commands of the README in a shell, as they are printed,
// where the demo was made. Only the port of the edge is another.
func TestReadme(t *testing.T) {
	clienttest.NeedProgram(t, "curl")
	t.Parallel()
	dir, out := runPage(t, "../../README.md", awaitRow)
	for _, want := range []string{"HTTP/1.1 200 OK", "f47ac10b-58cc-4372-a567-0e02b2c3d479 | Linux", " 0 missing, 0 more than once",
		"nothing to do: all", "search_clients_daily", "rejected submissions: 0 are pings now", "clients forgotten"} {
		if !strings.Contains(out, want) {
			t.Errorf("the README's commands do not say %q:\n%s", want, out)
		}
	}
	if b, err := os.ReadFile(filepath.Join(dir, "searches.csv")); err != nil || len(b) == 0 {
		t.Errorf("the result of a query: %v", err)
	}
}

// TestPromises runs the commands of the page of promises, and looks for what proves them.
func TestPromises(t *testing.T) {
	t.Parallel()
	_, out := runPage(t, "../../docs/promises.md", "")
	require.Contains(t, out, " 0 missing, 0 more than once")
	require.Equal(t, 2, strings.Count(out, " 0 damaged"), out)
	sums := regexp.MustCompile(`(?m)^([0-9a-f]{64})  -$`).FindAllStringSubmatch(out, -1)
	require.Len(t, sums, 2, out)
	require.Equal(t, sums[0], sums[1])
	require.Regexp(t, `rows_left\s+-+\s+0\n`, out)
	require.Regexp(t, `removed .* main_summary `, out)
}

// runPage runs the commands of a page in a shell, in a folder where the demo was made, and returns the folder and what they print.
func runPage(t *testing.T, name, before string) (dir, printed string) {
	t.Helper()
	page, err := os.ReadFile(name)
	require.NoError(t, err)
	dir = t.TempDir()
	programIn(t, filepath.Join(dir, "bin"))
	docs, err := filepath.Abs("../../docs")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(docs, filepath.Join(dir, "docs")))
	address := clienttest.FreeAddress(t)
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	script := "set -e\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT\nbin/pingmill demo\n" + before
	for i, m := range shellBlock.FindAllStringSubmatch(string(page), -1) {
		script += fmt.Sprintf("echo '== block %d'\n", i) + strings.ReplaceAll(m[1], "localhost:8080", "localhost:"+port)
	}
	bash := exec.Command("bash", "-c", script)
	bash.Dir = dir
	bash.Env = append(os.Environ(), "PINGMILL_EDGE_LISTEN="+address, "PINGMILL_PRIVATE_LISTEN="+clienttest.FreeAddress(t),
		"PINGMILL_WEB_LISTEN="+clienttest.FreeAddress(t),
		"PINGMILL_SPOOL_SEGMENT_AGE=1s", "PINGMILL_DECODE_PUBLISH_EVERY=1s")
	bash.WaitDelay = time.Minute // what it left running has its output
	out, err := bash.CombinedOutput()
	if err != nil {
		log, _ := os.ReadFile(filepath.Join(dir, "serve.log"))
		t.Fatalf("the commands of %s: %v\n%s\n%s", name, err, out, log)
	}
	return dir, string(out)
}
