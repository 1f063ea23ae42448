//go:build !linux

package queryservice

// MachineMemory returns the machine's memory in bytes, 0 if unknown.
func MachineMemory() int64 { return 0 }
