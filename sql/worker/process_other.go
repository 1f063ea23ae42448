//go:build !linux

package worker

import (
	"os"
	"time"
)

func killGroup(p *os.Process) { _ = p.Kill() }

// resident measures nothing on this system.
func resident(int) (used func() int64, done func()) { return func() int64 { return 0 }, func() {} }

// peak returns 0 on this system: unknown.
func peak(*os.ProcessState) int64 { return 0 }

// usedCPU returns 0 on this system: unknown.
func usedCPU(int) time.Duration { return 0 }
