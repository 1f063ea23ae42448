package blobtest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/tools/clienttest"
)

// Away is a server of S3 that can be away: it does not run until Start, and can be killed and started again.
type Away struct {
	t       testing.TB
	program string
	addr    string
	dir     string
	cmd     *exec.Cmd
}

// S3Away returns a server that does not run yet, with an address of its own, and the URL of its bucket.
func S3Away(t testing.TB) (s *Away, root string) {
	t.Helper()
	S3(t) // sets the credentials
	addr, release, err := clienttest.ReserveAddress()
	require.NoError(t, err)
	s = &Away{t: t, program: goInstall(t, versitygw, versitygwVersion), addr: addr, dir: filepath.Join(t.TempDir(), "buckets")}
	require.NoError(t, os.MkdirAll(filepath.Join(s.dir, "bucket"), 0o755))
	t.Cleanup(func() {
		s.Kill()
		release()
	})
	return s, fmt.Sprintf("s3://bucket?endpoint=http://%s&path-style=true", addr)
}

// Start starts the server and waits until it takes connections.
func (s *Away) Start() {
	s.t.Helper()
	s.cmd = exec.Command(s.program, "--port", s.addr, "--access", Key, "--secret", Secret, "--quiet", "--keep-alive", "posix", s.dir)
	require.NoError(s.t, s.cmd.Start())
	for range 1000 {
		if c, err := net.Dial("tcp", s.addr); err == nil {
			c.Close()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	s.t.Fatal("versitygw does not answer")
}

// Kill ends the server at once.
func (s *Away) Kill() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	s.cmd = nil
}
