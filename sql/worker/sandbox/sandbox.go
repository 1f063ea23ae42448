// Package sandbox restricts the present process permanently: the files that it may open, its memory, processor time and
// disk space. It denies network access, starting programs and controlling other processes. It is for processes that run
// untrusted input.
//
// Protections that the operating system does not support are omitted and reported. On Linux, Landlock restricts files
// (since 5.13; truncating since 6.2, TCP since 6.7, signals to others since 6.12), and seccomp and resource limits do
// the rest. Other systems have only their resource limits.
package sandbox

import "time"

// Rules describe what the process may do after Restrict.
type Rules struct {
	Read  []string // files or folders that it may read
	Write []string // folders in which it may create, change and remove files

	// Limits; 0 means no limit.
	Memory int64         // bytes of data in addition to the present ones
	CPU    time.Duration // of all threads, in whole seconds; a second later the process is killed
	File   int64         // bytes of a file that it writes
	Open   int           // open files
}

// Protection is a restriction that the operating system enforces.
type Protection string

// The protections.
const (
	Files    Protection = "files"    // only files of the rules are opened
	Network  Protection = "network"  // no socket
	Programs Protection = "programs" // no other program or process
	Limits   Protection = "limits"   // memory, processor time, sizes
)

// meanings describes the consequence of each missing protection.
var meanings = map[Protection]string{
	Files:    "the operating system does not keep it from files (Linux 5.13 with Landlock does)",
	Network:  "the operating system does not keep it from the network (Linux with seccomp does)",
	Programs: "the operating system does not keep it from starting programs (Linux with seccomp does)",
	Limits:   "the operating system does not limit its memory and processor time",
}

// Meaning describes the consequence if the system lacks the protection.
func (p Protection) Meaning() string { return meanings[p] }
