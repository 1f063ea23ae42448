package cli

import (
	"fmt"
	"io"
	"strings"
)

const (
	// maxLines is the maximum number of lines of an error.
	maxLines = 10
	// longestLine is the maximum length of a line of an error in characters.
	longestLine = 199
)

// PrintError prints an error, with a line for each joined error up to maxLines. Control characters are escaped.
func PrintError(w io.Writer, err error) {
	PrintLines(w, Name+": ", strings.Split(strings.TrimSuffix(Safe(err.Error()), "\n"), "\n"))
}

// PrintLines prints the first maxLines lines and the number of the others. It folds long lines.
func PrintLines(w io.Writer, before string, lines []string) {
	for i, line := range lines {
		if i == maxLines && len(lines) > maxLines+1 {
			fmt.Fprintf(w, "%sand %d more\n", before, len(lines)-i)
			return
		}
		fmt.Fprintln(w, folded(before+line))
	}
}

// folded folds a long line at spaces, or anywhere if there are none, so that nothing is lost.
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
