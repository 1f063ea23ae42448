package cli

import (
	"fmt"
	"io"
	"strings"
)

const (
	// mostLines is how many lines an error has.
	maxLines = 10
	// longestLine is how many characters a line of an error has.
	longestLine = 199
)

// PrintError prints an error: a line for each that is joined in it, the first of many. What it
// has from data cannot drive a terminal.
func PrintError(w io.Writer, err error) {
	PrintLines(w, Name+": ", strings.Split(strings.TrimSuffix(Safe(err.Error()), "\n"), "\n"))
}

// PrintLines prints the first of some lines, those that are too long in several, and how many more there are.
func PrintLines(w io.Writer, before string, lines []string) {
	for i, line := range lines {
		if i == maxLines && len(lines) > maxLines+1 {
			fmt.Fprintf(w, "%sand %d more\n", before, len(lines)-i)
			return
		}
		fmt.Fprintln(w, folded(before+line))
	}
}

// folded breaks a line that is too long where words end, or else anywhere, so that nothing is lost.
func folded(line string) string {
	var b strings.Builder
	for left := []rune(line); ; {
		if len(left) <= longestLine {
			b.WriteString(string(left))
			return b.String()
		}
		end := longestLine
		for at := longestLine; at > longestLine/2; at-- {
			if left[at] == ' ' {
				end = at
				break
			}
		}
		b.WriteString(string(left[:end]) + "\n")
		left = append([]rune("  "), []rune(strings.TrimLeft(string(left[end:]), " "))...)
	}
}
