package line

import "golang.org/x/sys/unix"

const (
	getTermios = unix.TCGETS
	setTermios = unix.TCSETS
	// noCharacter disables a control character.
	noCharacter = 0
)
