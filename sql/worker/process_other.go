//go:build !linux

package worker

import (
	"os"
	"os/exec"
)

func executable() (string, error) { return os.Executable() }

// isolate does nothing here: a worker ends when its pipe does.
func isolate(*exec.Cmd) {}

func killGroup(p *os.Process) { _ = p.Kill() }

// peak is not known here.
func peak(*os.ProcessState) int64 { return 0 }
