package chaos

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// filterVariable, when set, makes the test binary run the program of its arguments
// with some system calls failing: "number argument mask value errno", where a call
// fails if the low half of its argument has these bits.
const filterVariable = "PINGMILL_CHAOS_FILTER"

// exitNotRun is the status when the program could not be run with the filter.
const exitNotRun = 99

// fault is a kind of system calls that fail.
type fault struct {
	name     string
	number   uint32
	argument uint32 // that decides
	mask     uint32
	value    uint32
	errno    unix.Errno
}

func (f fault) String() string {
	return fmt.Sprintf("%s fails with %v where argument %d & %#x is %#x", f.name, f.errno, f.argument, f.mask, f.value)
}

// command runs a program with the fault.
func (f fault) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append([]string{name}, args...)...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d %d %d %d", filterVariable, f.number, f.argument, f.mask, f.value, uint32(f.errno)))
	return cmd
}

// execFiltered becomes the program of the arguments, under the filter.
func execFiltered(args []string) error {
	var n [5]uint32
	for i, text := range strings.Fields(os.Getenv(filterVariable)) {
		v, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			return err
		}
		n[i] = uint32(v)
	}
	// Offsets in struct seccomp_data: the number, the architecture, the
	// instruction pointer, the arguments.
	program := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: n[0], Jf: 4},
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 16 + 8*n[1]},
		{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: n[2]},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: n[3], Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | n[4]},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("set no-new-privs: %w", err)
	}
	// For all threads: exec keeps the filter of whichever calls it.
	p := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	if _, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&p))); e != 0 {
		return fmt.Errorf("set the filter: %w", e)
	}
	env := os.Environ()
	for i, v := range env {
		if strings.HasPrefix(v, filterVariable+"=") {
			env = append(env[:i], env[i+1:]...)
			break
		}
	}
	return unix.Exec(args[0], args, env)
}
