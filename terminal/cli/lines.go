package cli

import (
	"fmt"
	"io"
)

// BadLines reports lines of input that cannot be used, at most the first namedLines.
type BadLines struct {
	Command string
	Errors  io.Writer
	n       int
}

const namedLines = 10

// Add reports a line.
func (b *BadLines) Add(n int, err error) {
	switch b.n++; {
	case b.n <= namedLines:
		fmt.Fprintf(b.Errors, "line %d: %v\n", n, err)
	case b.n == namedLines+1:
		fmt.Fprintln(b.Errors, "… and others, which are counted")
	}
}

// Err returns an error if a line was reported.
func (b *BadLines) Err() error {
	switch b.n {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("%s: a line could not be used", b.Command)
	}
	return fmt.Errorf("%s: %d lines could not be used", b.Command, b.n)
}
