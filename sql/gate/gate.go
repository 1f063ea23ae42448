// Package gate decides whether a query in DuckDB's SQL may run. It reads the tree that DuckDB's parser makes of
// the text (json_serialize_sql) and refuses whatever is not on its lists: kinds of nodes, their members, tables,
// functions, types, collations. What another version of DuckDB adds is refused until somebody has looked at it.
//
// It sees no file and knows no DuckDB: package query gets the tree, and runs nothing but what was judged.
package gate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Limits of a tree. DuckDB itself goes no deeper than MostDepth expressions.
const (
	MaxBytes = 64 << 20
	MaxDepth = 1000
	MaxNodes = 200_000
)

// Grants are what a query may name.
type Grants struct {
	Tables []string // names and aliases of tables, those of another schema than the usual one as schema.table; case does not count
	// Functions may be called beside those that everybody may: what a translator to DuckDB's SQL writes, and macros of another
	// schema as schema.macro.
	Functions []string
}

// Refusal is an error: what of a query is not allowed.
type Refusal struct {
	What string // such as "the function read_text"
	Hint string // why, or what to write instead
	At   int    // the byte of the query where it is, -1 where the tree does not say
}

// Error gives what is refused and why.
func (r *Refusal) Error() string {
	s := r.What + " is not allowed"
	if r.Hint != "" {
		s += ": " + r.Hint
	}
	return s
}

// NoTable is an error: a table that is not granted, or that there is not.
type NoTable struct {
	Name string
	At   int // as in Refusal
}

// Error gives the table.
func (n *NoTable) Error() string { return "there is no table " + n.Name }

// Syntax is an error: the text is no query at all, says DuckDB's parser.
type Syntax struct {
	Type, Message string
	At            int // as in Refusal
}

// Error gives the parser's message.
func (s *Syntax) Error() string { return s.Message }

// Check judges the tree of a query.
func Check(tree []byte, g Grants) error {
	return (&Statement{tree: tree}).check(g)
}

func (s *Statement) check(g Grants) error {
	statements, err := statementsOf(s.tree)
	if err != nil {
		return err
	}
	if len(statements) != 1 {
		hint := "ask one query at a time"
		if len(statements) == 0 {
			hint = "there is none"
		}
		return &Refusal{What: fmt.Sprintf("a text of %d statements", len(statements)), Hint: hint, At: -1}
	}
	w := newWalker(g)
	if err := w.member(statement, statements[0]); err != nil {
		return err
	}
	s.Tables, s.ListsNames = slices.Sorted(maps.Keys(w.read)), w.lists
	return nil
}

// within reports whether the only statement of tree outer selects from a subquery that is the statement of tree
// inner: that a text which was judged still means the same with other text around it. Places do not count.
func within(outer, inner []byte) bool {
	o, err := statementsOf(outer)
	if err != nil || len(o) != 1 {
		return false
	}
	i, err := statementsOf(inner)
	if err != nil || len(i) != 1 {
		return false
	}
	sub := o[0]
	for _, name := range []string{"node", "from_table", "subquery"} {
		m, _ := sub.(map[string]any)
		sub = m[name]
	}
	return alike(sub, i[0])
}

// same reports whether two trees are of the same statements. Places do not count.
func same(a, b []byte) bool {
	x, err := statementsOf(a)
	if err != nil {
		return false
	}
	y, err := statementsOf(b)
	return err == nil && alike(x, y)
}

// alike compares two pieces of trees.
func alike(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			if other, ok := b[k]; !ok || k != "query_location" && !alike(v, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !alike(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	return a == b
}

// statementsOf reads what json_serialize_sql returned.
func statementsOf(tree []byte) ([]any, error) {
	if len(tree) > MaxBytes {
		return nil, &Refusal{What: "a query this long", Hint: "", At: -1}
	}
	d := json.NewDecoder(bytes.NewReader(tree))
	d.UseNumber()
	var top struct {
		Error        *bool  `json:"error"`
		ErrorType    string `json:"error_type"`
		ErrorMessage string `json:"error_message"`
		Position     string `json:"position"`
		Statements   []any  `json:"statements"`
	}
	if err := d.Decode(&top); err != nil {
		return nil, fmt.Errorf("read the tree of a query: %w", err)
	}
	if d.More() || top.Error == nil {
		return nil, fmt.Errorf("read the tree of a query: it is none")
	}
	if !*top.Error {
		return top.Statements, nil
	}
	if strings.HasPrefix(top.ErrorMessage, "Only SELECT statements") {
		return nil, &Refusal{What: "a statement that is not a query", Hint: "only SELECT, WITH, VALUES, FROM, DESCRIBE, SUMMARIZE, SHOW TABLES and EXPLAIN of those are; PIVOT needs its values: ON column IN (…)", At: -1}
	}
	s := &Syntax{Type: top.ErrorType, Message: top.ErrorMessage, At: -1}
	if n, err := strconv.Atoi(top.Position); err == nil {
		s.At = n
	}
	return nil, s
}
