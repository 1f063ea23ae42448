//go:build !linux

package queryservice

// machineMemory returns the machine's memory in bytes, 0 if unknown.
func machineMemory() int64 { return 0 }
