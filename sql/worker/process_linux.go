package worker

import (
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

// peak returns the largest resident memory of the process in bytes. It is at least the memory of this program at the
// time of the fork.
func peak(state *os.ProcessState) int64 {
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss << 10
	}
	return 0
}
