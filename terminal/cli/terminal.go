package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// IsTerminal says whether a writer shows to a person.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// TerminalWidth is the width of a writer's terminal in characters, 0 when it
// is none.
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
