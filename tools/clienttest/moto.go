package clienttest

import (
	"context"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Moto starts moto, which answers as services of AWS do.
func Moto(t *testing.T) (uri string) {
	t.Helper()
	python := Python(t, "moto[server,glue]==5.1.4")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	require.NoError(t, l.Close())
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, filepath.Join(filepath.Dir(python), "moto_server"), "-H", "127.0.0.1", "-p", port)
	var output strings.Builder
	cmd.Stdout, cmd.Stderr = &output, &output
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { cancel(); _ = cmd.Wait() })
	uri = "http://127.0.0.1:" + port
	for range 300 {
		if r, err := http.Get(uri + "/moto-api/"); err == nil {
			r.Body.Close()
			return uri
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("moto does not answer:\n%s", &output)
	return ""
}
