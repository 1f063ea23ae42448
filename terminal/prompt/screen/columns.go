package screen

import (
	"fmt"
	"io"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/pingmill/pingmill/terminal/cli"
)

const (
	// widestColumn is the maximum width of a column except the last; longer cells overflow.
	widestColumn = 40
	// leastColumn is the minimum width of the last column; below, it is left out.
	leastColumn = 20
)

// Columns writes rows in aligned columns, two spaces apart. A heading with the prefix > marks a column of numbers,
// which is aligned to the right. With a width, the last column is truncated, or left out if too little fits; a width
// of 0 truncates nothing.
func Columns(out io.Writer, width int, heads []string, rows [][]string) {
	widths, right := make([]int, len(heads)), make([]bool, len(heads))
	shown := make([]string, len(heads))
	for i, h := range heads {
		shown[i], right[i] = strings.CutPrefix(h, ">")
		widths[i] = uniseg.StringWidth(shown[i])
	}
	for _, row := range rows {
		for i := range row {
			row[i] = cli.Safe(row[i])
			widths[i] = max(widths[i], min(widestColumn, uniseg.StringWidth(row[i])))
		}
	}
	last := len(heads) - 1
	used := 0
	for _, w := range widths[:last] {
		used += w + 2
	}
	if width > 0 && used+min(widths[last], leastColumn) > width {
		last--
	}
	for _, row := range append([][]string{shown}, rows...) {
		var line strings.Builder
		for i, cell := range row[:last+1] {
			fill := strings.Repeat(" ", max(0, widths[i]-uniseg.StringWidth(cell)))
			if right[i] {
				cell = fill + cell
			} else {
				cell += fill
			}
			line.WriteString(cell + "  ")
		}
		text := strings.TrimRight(line.String(), " ")
		if width > 0 {
			text = Cut(text, width)
		}
		fmt.Fprintln(out, text)
	}
}

// Cut truncates a line to a width, with … at the end.
func Cut(s string, width int) string {
	if uniseg.StringWidth(s) <= width {
		return s
	}
	used, size, rest, state := 0, 0, s, -1
	for rest != "" {
		cluster, tail, w, next := uniseg.FirstGraphemeClusterInString(rest, state)
		if used+w > width-1 {
			break
		}
		used, size, rest, state = used+w, size+len(cluster), tail, next
	}
	return s[:size] + "…"
}
