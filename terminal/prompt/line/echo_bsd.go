//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package line

import "golang.org/x/sys/unix"

const (
	getTermios = unix.TIOCGETA
	setTermios = unix.TIOCSETA
	// noCharacter disables a control character.
	noCharacter = 0xff
)
