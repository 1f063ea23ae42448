//go:build !linux

package doctor

import "runtime"

// fileSystemKind describes a type of file system.
type fileSystemKind struct {
	name            string
	network, memory bool
}

// The functions below know nothing of this system: the checks that need them say so or find nothing.

func fileSystem(string) (kind fileSystemKind, files int64) {
	return fileSystemKind{name: "a file system of " + runtime.GOOS}, -1
}

func sameDisk(string, string) bool { return false }

func owner(string) (uid int, ok bool) { return 0, false }

func mayWrite(string) bool { return true }

func synchronized() (is, known bool) { return false, false }

func openFiles() uint64 { return 0 }

func kernelRelease() string { return runtime.GOOS }
