//go:build !linux

package worker

// notifyCPU does nothing here: there is no such limit.
func notifyCPU(func()) {}
