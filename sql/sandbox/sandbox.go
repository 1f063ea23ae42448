// Package sandbox restricts the present process for good: what it may open, that it reaches no network, starts no program and
// controls no other process, and how much memory, processor time and disk it may use. It is for processes that run what somebody
// else wrote.
//
// What the operating system cannot do is left out and said. On Linux files are a matter of Landlock (since 5.13; truncating since
// 6.2, TCP since 6.7, signals to others since 6.12), the rest one of seccomp and resource limits. On other systems there are the
// resource limits that they have.
package sandbox

import "time"

// Rules are what the process may do from now on.
type Rules struct {
	Read  []string // files or folders that it may read
	Write []string // folders in which it may do all

	// Limits; 0 is none.
	Memory int64         // bytes of data more than now, whoever asks for them
	CPU    time.Duration // of all threads, in whole seconds; a second later the process is killed
	File   int64         // bytes of a file that it writes
	Open   int           // open files
}

// Protection is a thing that the operating system does.
type Protection string

// The protections.
const (
	Files    Protection = "files"    // none is opened but those of the rules
	Network  Protection = "network"  // no socket
	Programs Protection = "programs" // no other program or process
	Limits   Protection = "limits"   // memory, processor time, sizes
)

// meanings say what is not so without a protection.
var meanings = map[Protection]string{
	Files:    "the operating system does not keep it from files (Linux 5.13 with Landlock does)",
	Network:  "the operating system does not keep it from the network (Linux with seccomp does)",
	Programs: "the operating system does not keep it from starting programs (Linux with seccomp does)",
	Limits:   "the operating system does not limit its memory and processor time",
}

// Meaning says what is not so where the system lacks the protection.
func (p Protection) Meaning() string { return meanings[p] }
