package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
)

// maxText limits the characters that describe an operator.
const maxText = 160

// unsaid are members of operators that Lines leaves out: they name files, or repeat a line.
var unsaid = []string{"File Filters", "Scanning Files", "Function", "Estimated Cardinality", "Total Files Read", "Filename(s)"}

// Lines writes a plan, an operator a line, its inputs below it and further right. read describes the input of an operator, where it
// reads a table.
func Lines(nodes []Node, read func(Scan) string) (lines []string) {
	for i := range nodes {
		lines = nodes[i].lines(lines, 0, read)
	}
	return lines
}

func (n *Node) lines(lines []string, depth int, read func(Scan) string) []string {
	text := n.Name
	if len(n.Children) == 0 {
		if table := read(Scan{Node: n}); table != "" {
			text = "READ " + table
		} else if some, all, ok := strings.Cut(strings.Join(Texts(n.Info["Scanning Files"]), ""), "/"); ok {
			text += ": " + some + " of " + all + " files"
		}
	}
	for _, key := range slices.Sorted(maps.Keys(n.Info)) {
		if value := shortened(strings.Join(Texts(n.Info[key]), ", ")); value != "" && !slices.Contains(unsaid, key) {
			text += fmt.Sprintf("; %s %s", strings.ToLower(key), value)
		}
	}
	if rows, ok := n.Info["Estimated Cardinality"].(string); ok {
		text += "; rows about " + grouped(rows)
	}
	lines = append(lines, strings.Repeat("  ", depth)+text)
	for i := range n.Children {
		lines = n.Children[i].lines(lines, depth+1, read)
	}
	return lines
}

// grouped writes a number of rows for people.
func grouped(digits string) string {
	var n int64
	if _, err := fmt.Sscan(digits, &n); err != nil {
		return digits
	}
	return humanize.Comma(n)
}

// shortened returns a text on one line, its end cut off if it is long.
func shortened(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= maxText {
		return s
	}
	return string([]rune(s)[:maxText-1]) + "…"
}
