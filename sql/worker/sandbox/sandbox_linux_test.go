package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/elastic/go-seccomp-bpf"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// insideVariable makes the test binary a process that restricts itself and tries things: the folder to try them in.
const insideVariable = "PINGMILL_TEST_SANDBOX"

// oldVariable takes Landlock away from that process first.
const oldVariable = "PINGMILL_TEST_SANDBOX_OLD"

func TestMain(m *testing.M) {
	switch kind := os.Getenv(probeVariable); kind {
	case "":
	case "inherited":
		os.Exit(inherited())
	default:
		os.Exit(probe(kind))
	}
	if dir := os.Getenv(insideVariable); dir != "" {
		if os.Getenv(oldVariable) != "" {
			withoutLandlock()
		}
		os.Exit(inside(dir))
	}
	os.Exit(m.Run())
}

// withoutLandlock makes the process believe that its kernel is an old one.
func withoutLandlock() {
	err := seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: seccomp.Policy{
		DefaultAction: seccomp.ActionAllow,
		Syscalls:      []seccomp.SyscallGroup{{Names: []string{"landlock_create_ruleset"}, Action: seccomp.ActionErrno}},
	}})
	if err != nil {
		panic(err)
	}
}

// attempts lists operations that fail in a restricted process, by the protection that prevents them.
var attempts = []struct {
	protection Protection
	name       string
	do         func(dir string) error
}{
	{Files, "read another file", func(dir string) error { return second(os.ReadFile(dir + "/secret")) }},
	{Files, "read another file through a link", func(dir string) error { return second(os.ReadFile(dir + "/own/link")) }},
	{Files, "read /proc/self/environ", func(string) error { return second(os.ReadFile("/proc/self/environ")) }},
	{Files, "list a folder", func(dir string) error { return second(os.ReadDir(dir)) }},
	{Files, "write the file that it may read", func(dir string) error { return os.WriteFile(dir+"/granted", nil, 0o600) }},
	{Files, "truncate it", func(dir string) error { return os.Truncate(dir+"/granted", 0) }},
	{Files, "append to it", func(dir string) error { return second(os.OpenFile(dir+"/granted", os.O_APPEND|os.O_WRONLY, 0)) }},
	{Files, "remove it", func(dir string) error { return os.Remove(dir + "/granted") }},
	{Files, "rename it", func(dir string) error { return os.Rename(dir+"/granted", dir+"/own/x") }},
	{Files, "link it", func(dir string) error { return os.Link(dir+"/granted", dir+"/own/x") }},
	{Files, "make a file", func(dir string) error { return os.WriteFile(dir+"/new", nil, 0o600) }},
	{Files, "make a folder", func(dir string) error { return os.Mkdir(dir+"/new", 0o700) }},
	{Network, "listen", func(string) error { return second(net.Listen("tcp", "127.0.0.1:0")) }},
	{Network, "make a socket", func(string) error { return second(unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)) }},
	{Programs, "run a program", func(string) error { return second(os.StartProcess("/bin/true", []string{"true"}, &os.ProcAttr{})) }},
	{Programs, "kill its parent", func(string) error { return syscall.Kill(os.Getppid(), 0) }},
	{Programs, "trace its parent", func(string) error { return syscall.PtraceAttach(os.Getppid()) }},
	{Programs, "change the mode of a file", func(dir string) error { return os.Chmod(dir+"/granted", 0o777) }},
	{Limits, "open more files", func(dir string) error {
		for range 100 {
			f, err := os.Open(dir + "/granted")
			if err != nil {
				return err
			}
			defer f.Close()
		}
		return nil
	}},
}

func second[T any](_ T, err error) error { return err }

// inside prints a line for each attempt.
func inside(dir string) int {
	started := make(chan func(), 1) // a thread from before tries, too
	go func() {
		for do := range started {
			do()
		}
	}()
	lacking, err := Restrict(Rules{Read: []string{dir + "/granted"}, Write: []string{dir + "/own"}, Open: 60, CPU: time.Minute,
		Memory: 1 << 30, File: 1 << 20})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("lacking:", lacking)
	for _, a := range attempts {
		done := make(chan error)
		started <- func() { done <- a.do(dir) }
		fmt.Printf("%s: %s: %v\n", a.protection, a.name, <-done)
	}
	b, err := os.ReadFile(dir + "/granted")
	fmt.Printf("granted: %s %v\n", b, err)
	fmt.Println("own:", os.WriteFile(dir+"/own/new", []byte("x"), 0o600),
		errors.Is(os.WriteFile(dir+"/own/large", make([]byte, 2<<20), 0o600), syscall.EFBIG))
	return 0
}

// restricted runs the attempts and gives what the process says.
func restricted(t *testing.T, env ...string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "own"), 0o700))
	for _, name := range []string{"secret", "granted"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600))
	}
	require.NoError(t, os.Symlink("../secret", filepath.Join(dir, "own", "link")))
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(exe)
	cmd.Env = append(append(os.Environ(), insideVariable+"="+dir), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// TestRestrict: a restricted process, also in threads that were there before, does what the rules say and nothing else.
func TestRestrict(t *testing.T) {
	text := restricted(t)
	if Landlock() > 0 && !strings.HasPrefix(text, "lacking: []\n") {
		t.Errorf("it says %s", text)
	}
	for _, a := range attempts {
		if a.protection == Files && Landlock() < 3 {
			continue // truncating is not restricted before, or nothing is
		}
		if strings.Contains(text, fmt.Sprintf("%s: %s: <nil>\n", a.protection, a.name)) || !strings.Contains(text, a.name) {
			t.Errorf("it does %s", a.name)
		}
	}
	if !strings.Contains(text, "granted: granted <nil>\n") || !strings.Contains(text, "own: <nil> true\n") {
		t.Errorf("it cannot do what it may: %s", text)
	}
}

// TestWithoutLandlock: an old kernel is found out, said, and the rest holds.
func TestWithoutLandlock(t *testing.T) {
	text := restricted(t, oldVariable+"=1")
	if !strings.HasPrefix(text, "lacking: [files]\n") || !strings.Contains(text, "read another file: <nil>") {
		t.Errorf("it says %s", text)
	}
	for _, a := range attempts {
		if a.protection != Files && strings.Contains(text, fmt.Sprintf("%s: %s: <nil>\n", a.protection, a.name)) {
			t.Errorf("it does %s", a.name)
		}
	}
	for _, p := range []Protection{Files, Network, Programs, Limits} {
		if p.Meaning() == "" {
			t.Errorf("nothing is said of %s", p)
		}
	}
}
