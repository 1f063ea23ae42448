// Package foreign makes system calls of another architecture than the program's, for tests of the sandbox that forbids
// them.
package foreign

// Call makes a 32-bit system call of i386. The kernel must have them: else the process gets a signal. It returns the negative
// number of an error.
func Call(number uint32, args [6]uint32) int32 {
	return int80(number, args[0], args[1], args[2], args[3], args[4], args[5])
}
