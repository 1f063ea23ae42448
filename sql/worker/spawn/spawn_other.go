//go:build !linux

package spawn

import (
	"os"
	"syscall"
)

func executable() (string, error) { return os.Executable() }

// isolated sets nothing on this system: a worker ends when its pipe is closed.
func isolated() *syscall.SysProcAttr { return nil }
