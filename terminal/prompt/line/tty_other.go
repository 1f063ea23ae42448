//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package line

import (
	"errors"
	"os"
)

var errWoken = errors.New("woken")

// terminal is not supported on this system.
type terminal struct{}

func (*terminal) raw(*os.File) error { return errors.ErrUnsupported }
func (*terminal) restore()           {}
func (*terminal) quiet(*os.File)     {}
func (*terminal) wake()              {}
func (*terminal) pending() bool      { return false }
func (*terminal) key() (key, error)  { return key{}, errors.ErrUnsupported }

func stop() {}
