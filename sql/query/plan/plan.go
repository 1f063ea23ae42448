// Package plan reads the plans of DuckDB: EXPLAIN (FORMAT json).
package plan

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Node is an operator of a plan.
type Node struct {
	Name     string         `json:"name"`
	Children []Node         `json:"children"`
	Info     map[string]any `json:"extra_info"`
}

// Read reads a plan; its first operators give the result.
func Read(text []byte) ([]Node, error) {
	var nodes []Node
	if err := json.Unmarshal(text, &nodes); err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	return nodes, nil
}

// Scan is an operator that reads a table, and the conditions above it that only look at the rows it has read.
type Scan struct {
	*Node
	Above []string
}

// Scans returns all operators without children, those nearer to the result first.
func Scans(nodes []Node) (all []Scan) {
	for i := range nodes {
		all = scans(all, &nodes[i], nil)
	}
	return all
}

func scans(all []Scan, n *Node, above []string) []Scan {
	switch {
	case len(n.Children) == 0:
		return append(all, Scan{n, above})
	case n.Name == "FILTER":
		above = append(slices.Clone(above), Texts(n.Info["Expression"])...)
	case n.Name != "PROJECTION":
		above = nil
	}
	for i := range n.Children {
		all = scans(all, &n.Children[i], above)
	}
	return all
}

// Restricts reports whether the filters of a scan keep a range or some values of a column.
func (s Scan) Restricts(column string) bool {
	p := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(column) + `"?\s*(=|<|>|IN\b)`)
	return slices.ContainsFunc(Texts(s.Info["Filters"]), p.MatchString)
}

// Late reports whether a condition on a column looks at the rows only when they have been read.
func (s Scan) Late(column string) bool {
	p := regexp.MustCompile(`\b` + regexp.QuoteMeta(column) + `\b`)
	return slices.ContainsFunc(s.Above, p.MatchString)
}

// Texts reads a member of a plan that is a text or several.
func Texts(v any) (all []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, e := range v {
			all = append(all, Texts(e)...)
		}
	case map[string]any:
		for _, e := range v {
			all = append(all, Texts(e)...)
		}
	}
	return all
}

// Terms divides filters, which are side by side in parentheses.
func Terms(filters string) (all []string) {
	depth, start, quote := 0, 0, byte(0)
	for i := range len(filters) {
		switch c := filters[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(':
			if depth == 0 && i > start && !calls(filters[i-1]) {
				all, start = append(all, "("+filters[start:i]+")"), i
			}
			depth++
		case c == ')':
			if depth--; depth == 0 {
				all, start = append(all, "("+filters[start:i+1]+")"), i+1
			}
		}
	}
	if rest := strings.TrimSpace(filters[start:]); rest != "" {
		all = append(all, "("+rest+")")
	}
	return all
}

// calls says of the character before a parenthesis whether it may end the name of a function.
func calls(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z'
}
