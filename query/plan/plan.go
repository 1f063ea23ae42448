// Package plan reads the plans of DuckDB: EXPLAIN (FORMAT json).
package plan

import (
	"encoding/json"
	"fmt"
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

// Walk calls do for all operators, those nearer to the result first.
func Walk(nodes []Node, do func(*Node) error) error {
	for i := range nodes {
		if err := do(&nodes[i]); err != nil {
			return err
		}
		if err := Walk(nodes[i].Children, do); err != nil {
			return err
		}
	}
	return nil
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
			if depth == 0 && i > start {
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
