//go:build !linux

package ask

// notifyCPU does nothing here: there is no such limit.
func notifyCPU(func()) {}
