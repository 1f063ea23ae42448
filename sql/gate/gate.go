// Package gate decides whether a query in DuckDB's SQL may run. It reads the tree that DuckDB's parser makes of the
// text (json_serialize_sql) and refuses everything that is not on its lists: kinds of nodes, their members, tables,
// functions, types, collations. Additions of another DuckDB version are refused until a developer has reviewed them.
//
// It reads no file and does not import DuckDB: package query obtains the tree, and runs only what gate has allowed.
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

// Limits of a tree. MaxDepth is also DuckDB's own limit for nested expressions.
const (
	MaxBytes = 64 << 20
	MaxDepth = 1000
	MaxNodes = 200_000
)

// Grants list what a query may name.
type Grants struct {
	Tables []string // names and aliases of tables, in another schema than the default as schema.table; case-insensitive
	// Functions are allowed in addition to the public lists: functions that a translator to DuckDB's SQL writes, and
	// macros of another schema as schema.macro.
	Functions []string
}

// Refusal means that a part of a query is not allowed.
type Refusal struct {
	What string // such as "the function read_text"
	Hint string // why, or what to write instead
	At   int    // byte offset in the query, -1 if the tree has none
}

// Error returns what is refused, and the reason.
func (r *Refusal) Error() string {
	s := r.What + " is not allowed"
	if r.Hint != "" {
		s += ": " + r.Hint
	}
	return s
}

// NoTable means that a table is not granted or does not exist.
type NoTable struct {
	Name string
	At   int // as in Refusal
}

func (n *NoTable) Error() string { return "there is no table " + n.Name }

// Syntax means that DuckDB's parser rejects the text.
type Syntax struct {
	Type, Message string
	At            int // as in Refusal
}

// Error returns the parser's message.
func (s *Syntax) Error() string { return s.Message }

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

// within reports whether the only statement of tree outer selects from a subquery that equals the statement of tree
// inner, so that a checked text has the same meaning inside another text. Places are ignored.
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

// same reports whether two trees have the same statements. Places are ignored.
func same(a, b []byte) bool {
	x, err := statementsOf(a)
	if err != nil {
		return false
	}
	y, err := statementsOf(b)
	return err == nil && alike(x, y)
}

// alike reports whether two parts of trees are equal.
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

// statementsOf decodes the result of json_serialize_sql.
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
		return nil, &Refusal{What: "a statement that is not a query", Hint: "only SELECT, WITH, VALUES, FROM, DESCRIBE, SUMMARIZE, SHOW " +
			"TABLES and EXPLAIN of those are; PIVOT needs its values: ON column IN (…)", At: -1}
	}
	s := &Syntax{Type: top.ErrorType, Message: top.ErrorMessage, At: -1}
	if n, err := strconv.Atoi(top.Position); err == nil {
		s.At = n
	}
	return nil, s
}
