package worker

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// executable returns the path of the running program, even if another file has replaced it on disk.
func executable() (string, error) {
	if _, err := os.Stat("/proc/self/exe"); err == nil {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}

// isolate starts the process in its own group, so that signals of the terminal do not reach it. The kernel kills it
// when this program ends.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func killGroup(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
}

// resident returns a function that returns the bytes of a process that are in memory and not from files, 0 if unknown; done
// releases it.
func resident(pid int) (used func() int64, done func()) {
	file, err := os.Open(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return func() int64 { return 0 }, func() {}
	}
	page, text := int64(os.Getpagesize()), make([]byte, 256)
	return func() int64 {
		n, _ := file.ReadAt(text, 0) // fewer bytes than text has
		var size, all, shared int64
		if _, err := fmt.Sscan(string(text[:n]), &size, &all, &shared); err != nil {
			return 0 // the process ended
		}
		return (all - shared) * page
	}, func() { _ = file.Close() }
}

// peak returns the largest resident memory of the process in bytes. It is at least the memory of this program at the
// time of the fork.
func peak(state *os.ProcessState) int64 {
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss << 10
	}
	return 0
}
