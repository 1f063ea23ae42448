//go:build unix

package cli

import "syscall"

// privateMask denies other users all access, and the group write access.
const privateMask = 0o027

// KeepPrivate sets the umask of this process and its children so that other users cannot read new files, and the group
// cannot write them, whatever the caller's umask. They may contain pings.
func KeepPrivate() { syscall.Umask(privateMask | syscall.Umask(privateMask)) }
