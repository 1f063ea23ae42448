package spawn

import (
	"os"
	"syscall"
)

// executable returns the path of the running program, even if another file has replaced it on disk.
func executable() (string, error) {
	if _, err := os.Stat("/proc/self/exe"); err == nil {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}

// isolated starts a process in its own group, so that signals of the terminal do not reach it. The kernel kills it
// when this program ends.
func isolated() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
