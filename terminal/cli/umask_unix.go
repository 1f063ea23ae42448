//go:build unix

package cli

import "syscall"

// privateMask keeps other users from everything, and the group from writing.
const privateMask = 0o027

// KeepPrivate makes that files and folders which this process and its children create cannot be read by other users, and not
// be written by the group, whatever the umask of the caller is. They may hold pings.
func KeepPrivate() { syscall.Umask(privateMask | syscall.Umask(privateMask)) }
