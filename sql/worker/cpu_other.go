//go:build !linux

package worker

// notifyCPU does nothing on this system, which has no limit of processor time.
func notifyCPU(func()) {}
