//go:build !linux

package queryservice

// machineMemory is how many bytes the machine has, 0 if that is not known.
func machineMemory() int64 { return 0 }
