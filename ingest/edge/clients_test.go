package edge

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/tools/clienttest"
)

// TestCurl sends with curl over each protocol: many submissions on one connection,
// also with bodies that are not announced and ones that wait for the go-ahead.
func TestCurl(t *testing.T) {
	clienttest.NeedProgram(t, "curl")
	dir := t.TempDir()
	certFile, keyFile, body := filepath.Join(dir, "cert"), filepath.Join(dir, "key"), filepath.Join(dir, "body")
	writePair(t, certFile, keyFile, 1)
	require.NoError(t, os.WriteFile(body, bytes.Repeat([]byte("ping"), 20_000), 0o600))
	for _, c := range []struct {
		name, version string
		secure        bool
		together      int // submissions of one process
		flags         []string
	}{
		{"http/1.1", "1.1", false, 30, []string{"--http1.1"}},
		{"http/1.1, which offers h2c", "1.1", false, 30, []string{"--http2"}},
		{"h2c", "2", false, 1, []string{"--http2-prior-knowledge"}}, // curl 7.88 fails with more, with any server
		{"tls, http/1.1", "1.1", true, 30, []string{"--http1.1"}},
		{"tls, h2", "2", true, 30, []string{"--http2"}},
		{"tls 1.2, h2", "2", true, 30, []string{"--http2", "--tls-max", "1.2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			scheme := "http"
			e := start(t, func(cfg *Config) {
				if c.secure {
					cfg.CertFile, cfg.KeyFile, scheme = certFile, keyFile, "https"
				}
			})
			url := scheme + "://" + e.addr + "/submit/telemetry/%d-%d/main/Firefox/61.0/release/20180601"
			common := slices.Concat(c.flags,
				[]string{"--silent", "--cacert", certFile, "--data-binary", "@" + body, "-o", os.DevNull, "-w", "%{http_version} %{http_code}\n"})
			unannounced := []string{"-H", "Transfer-Encoding: chunked"}
			if c.version == "2" {
				unannounced = []string{"-H", "Content-Length:"}
			}
			var waiting [][]string
			for i := range c.together {
				for j, more := range [][]string{nil, unannounced, {"-H", "Expect: 100-continue"}} {
					waiting = append(waiting, slices.Concat(common, more, []string{fmt.Sprintf(url, i, j)}))
				}
			}
			var output strings.Builder
			for together := range slices.Chunk(waiting, c.together) {
				args := []string{"--parallel", "--parallel-max", "8"}
				for i, a := range together {
					if i > 0 {
						args = append(args, "--next")
					}
					args = append(args, a...)
				}
				out, err := exec.Command("curl", args...).Output()
				require.NoError(t, err)
				output.Write(out)
			}
			if want := strings.Repeat(c.version+" 200\n", len(waiting)); output.String() != want {
				t.Errorf("got %s", output.String())
			}
			ids := map[string]bool{}
			for _, r := range e.stop(t) {
				if ids[string(r.URI)] || len(r.Body) != 80_000 {
					t.Errorf("%s again, or with a body of %d bytes", r.URI, len(r.Body))
				}
				ids[string(r.URI)] = true
			}
			if len(ids) != len(waiting) {
				t.Errorf("%d submissions are kept, want %d", len(ids), len(waiting))
			}
		})
	}
}
