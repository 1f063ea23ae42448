package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// IsTerminal reports whether a writer is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// TerminalWidth returns the width of a writer's terminal in characters, 0 if it is no terminal.
func TerminalWidth(w io.Writer) int {
	if !IsTerminal(w) {
		return 0
	}
	width, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil {
		return 80
	}
	return width
}
