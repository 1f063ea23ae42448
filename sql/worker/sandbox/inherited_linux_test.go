package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestInherited: descriptors of the parent are closed, and capabilities are dropped, also in existing threads.
func TestInherited(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	secret, err := os.Open(exe)
	require.NoError(t, err)
	defer secret.Close()
	cmd := exec.Command(exe)
	cmd.Env = []string{probeVariable + "=inherited"}
	cmd.ExtraFiles = []*os.File{secret, secret, secret}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "3 true\n4 false\n5 false\ncapabilities: none\n", string(out))
}

// inherited returns the remaining descriptors and capabilities. Descriptor 3 is expected.
func inherited() int {
	threads := make(chan func())
	for range 4 {
		go func() {
			for do := range threads {
				do()
			}
		}()
	}
	status, err := os.ReadDir("/proc/self/task")
	if err != nil {
		panic(err)
	}
	if err := Disinherit(4); err != nil {
		panic(err)
	}
	for fd := 3; fd < 6; fd++ {
		_, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		fmt.Println(fd, err == nil)
	}
	var left []string
	if err := errors.Join(dropBounding(), dropCapabilities(nil)); err != nil {
		panic(err)
	}
	for _, task := range status {
		text, err := os.ReadFile("/proc/self/task/" + task.Name() + "/status")
		if err != nil {
			continue // the thread ended
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "Cap") && strings.Trim(line, "CapInhPrmEffBndAmb:\t0\n") != "" && !strings.HasPrefix(line, "CapBnd") {
				left = append(left, line)
			}
			if strings.HasPrefix(line, "CapBnd") && os.Getuid() == 0 && strings.Trim(line, "CapBnd:\t0\n") != "" {
				left = append(left, line)
			}
		}
	}
	if left == nil {
		left = []string{"none"}
	}
	fmt.Println("capabilities:", strings.Join(left, " "))
	return 0
}
