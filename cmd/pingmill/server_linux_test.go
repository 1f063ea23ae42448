package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/tools/clienttest"
)

// server is a pingmill process that serves.
type server struct {
	t       *testing.T
	bin     string
	data    string
	address string
	private string                // address of the private listener
	minFree int64                 // bytes of free disk below which it refuses
	args    []string              // beside those of start
	env     []string              // beside the environment of the test
	awaited string                // address that answers once it has started
	begin   func(*exec.Cmd) error // in the place of its Start, if not nil
	log     *os.File
	cmd     *exec.Cmd
}

// newServer finds addresses for a server of the program.
func newServer(t *testing.T, data string) *server {
	t.Helper()
	return serverOf(t, programIn(t, t.TempDir()), data)
}

// serverOf finds addresses for a server of a program.
func serverOf(t *testing.T, bin, data string) *server {
	t.Helper()
	s := &server{t: t, bin: bin, data: data, address: clienttest.FreeAddress(t), private: clienttest.FreeAddress(t)}
	s.awaited = s.address
	var err error
	if s.log, err = os.Create(filepath.Join(t.TempDir(), "log")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if s.cmd != nil {
			s.kill()
		}
		s.checkLog()
		s.log.Close()
	})
	return s
}

// start runs the server and waits until it answers.
func (s *server) start() {
	s.cmd = exec.Command(s.bin, append([]string{
		"serve", "--data", s.data, "--listen", s.address, "--private", s.private, "--min-free", fmt.Sprintf("%dB", s.minFree),
		"--segment-bytes", "8388608", "--segment-age", "1s",
	}, s.args...)...)
	s.cmd.Env = append(os.Environ(), s.env...)
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	begin := s.begin
	if begin == nil {
		begin = (*exec.Cmd).Start
	}
	if err := begin(s.cmd); err != nil {
		s.t.Error(err)
		return
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if r, err := http.Get("http://" + s.awaited + "/__lbheartbeat__"); err == nil {
			r.Body.Close()
			return
		}
	}
	s.t.Error("the server does not answer within a minute of its start")
}

// kill ends the process as a power cut would, but for the page cache.
func (s *server) kill() {
	_ = s.cmd.Process.Kill() // it may have ended
	_ = s.cmd.Wait()
	s.cmd = nil
}

// stop ends the server as an operator does, and waits until all is decoded.
func (s *server) stop() {
	assert.NoError(s.t, s.cmd.Process.Signal(syscall.SIGTERM))
	if err := s.cmd.Wait(); err != nil {
		s.t.Errorf("the server ended with %v", err)
	}
	s.cmd = nil
}

func (s *server) note(text string) { fmt.Fprintf(s.log, "test: %s\n", text) }

// checkLog looks for what should never be there, and shows the end of the log
// of a test that failed.
func (s *server) checkLog() {
	b, err := os.ReadFile(s.log.Name())
	assert.NoError(s.t, err)
	for _, bad := range []string{"panic:", "fatal error:", "DATA RACE"} {
		if i := bytes.Index(b, []byte(bad)); i >= 0 {
			s.t.Errorf("the log has %q: %s", bad, b[i:min(len(b), i+4000)])
		}
	}
	if s.t.Failed() {
		s.t.Logf("end of the log:\n%s", b[max(0, len(b)-8000):])
	}
}

// archived counts the pings of a type in the archive by day.
func archived(t *testing.T, site *site.Site, docType string) map[string]int64 {
	t.Helper()
	days, err := archive.Days(context.Background(), site.Archive)
	require.NoError(t, err)
	counts := map[string]int64{}
	for _, d := range days {
		if string(d.DocType) == docType {
			counts[string(d.Day)] += d.Rows
		}
	}
	return counts
}
