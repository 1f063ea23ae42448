package worker

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

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

// usedCPU returns the processor time of a process that this program has not waited for, 0 if unknown.
func usedCPU(pid int) time.Duration {
	const cpuOfProcess = 2 // CPUCLOCK_SCHED of all threads
	var t unix.Timespec
	if unix.ClockGettime(int32(^pid<<3|cpuOfProcess), &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// peak returns the largest resident memory of the process in bytes. It is at least the memory of this program at the
// time of the fork.
func peak(state *os.ProcessState) int64 {
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss << 10
	}
	return 0
}
