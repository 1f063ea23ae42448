// Package blobtest starts real servers of object storage for tests, one of each kind in a test process. They listen on 127.0.0.1 only,
// and end with the process. Programs are installed once into the user's cache.
package blobtest

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/tools/clienttest"
)

// installed returns the folder of a program in the cache, which install fills if it is not there yet.
func installed(t testing.TB, name string, install func(dir string) *exec.Cmd) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	dir := filepath.Join(cache, "pingmill-tests", name)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	lock := flock.New(dir + ".lock")
	require.NoError(t, lock.Lock())
	defer lock.Close()
	done := filepath.Join(dir, "complete")
	if _, err := os.Stat(done); err == nil {
		return dir
	}
	cmd := install(dir)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s cannot be installed: %s\n%s", name, cmd, out)
	require.NoError(t, os.WriteFile(done, nil, 0o644))
	return dir
}

// goInstall installs a command of a Go module, in a build of its own: the program's go.mod does not see it.
func goInstall(t testing.TB, command, version string) string {
	t.Helper()
	name := filepath.Base(command)
	dir := installed(t, name+"-"+version, func(dir string) *exec.Cmd {
		cmd := exec.Command("go", "install", command+"@"+version)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOBIN="+dir, "GOFLAGS=", "GOOS=", "GOARCH=")
		return cmd
	})
	return filepath.Join(dir, name)
}

// A server is a running process.
type server struct {
	addr string // 127.0.0.1:port
	dir  string // its files
}

// start runs a server whose arguments depend on address and folder, and waits until it takes connections. A shell ends
// it, and removes its folder, when the test process ends in any way: then its input ends.
func start(t testing.TB, env []string, args func(addr, dir string) []string) *server {
	t.Helper()
	addr, _, err := clienttest.ReserveAddress() // for as long as the process of the tests lives
	require.NoError(t, err)
	s := &server{addr: addr}
	s.dir, err = os.MkdirTemp("", "pingmill-server-")
	require.NoError(t, err)
	input, keep, err := os.Pipe()
	require.NoError(t, err)
	holding.Lock()
	held = append(held, keep)
	holding.Unlock()
	log, err := os.Create(filepath.Join(s.dir, "log"))
	require.NoError(t, err)
	defer log.Close()
	script := `dir=$1; shift; "$@" </dev/null & cat >/dev/null; kill -9 $!; rm -rf "$dir"`
	cmd := exec.Command("sh", append([]string{"-c", script, "sh", s.dir}, args(s.addr, s.dir)...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = input, log, log, append(os.Environ(), env...)
	require.NoError(t, cmd.Start())
	input.Close()
	go func() { _ = cmd.Wait() }() // it is killed in the end
	for range 1000 {
		if c, err := net.Dial("tcp", s.addr); err == nil {
			c.Close()
			return s
		}
		time.Sleep(20 * time.Millisecond)
	}
	output, _ := os.ReadFile(log.Name())
	t.Fatalf("%s does not answer:\n%s", strings.Join(cmd.Args[5:], " "), output)
	return nil
}

// held are the ends of pipes that servers live as long as.
var (
	holding sync.Mutex
	held    []*os.File
)
