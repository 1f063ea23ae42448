package gate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// walker checks one tree.
type walker struct {
	granted   map[string]bool // tables, in lower case
	functions map[string]bool // in addition to the lists
	scope     []string        // names of WITH that are valid here, in lower case
	read      map[string]bool // tables that the query names
	lists     bool
	nodes     int
	depth     int
	at        []int // places of the enclosing nodes, outermost first
}

func newWalker(g Grants) *walker {
	w := &walker{granted: map[string]bool{}, functions: map[string]bool{}, read: map[string]bool{}}
	for _, t := range g.Tables {
		w.granted[strings.ToLower(t)] = true
	}
	for _, f := range g.Functions {
		w.functions[strings.ToLower(f)] = true
	}
	return w
}

// refuse returns a Refusal at the place of the innermost node that has one.
func (w *walker) refuse(hint, what string, args ...any) error {
	return &Refusal{What: fmt.Sprintf(what, args...), Hint: hint, At: w.last()}
}

// last returns the place of the innermost node that has one, -1 if none has.
func (w *walker) last() int {
	if len(w.at) == 0 {
		return -1
	}
	return w.at[len(w.at)-1]
}

// newer refuses a part that only another version of DuckDB can write.
func (w *walker) newer(what string, args ...any) error {
	return w.refuse("this part of DuckDB's SQL is not among those that were looked at", what, args...)
}

// member checks a value by a rule.
func (w *walker) member(r rule, v any) error {
	ok := true
	switch r.kind {
	case kindText:
		_, ok = v.(string)
	case kindFlag:
		_, ok = v.(bool)
	case kindNumber:
		_, ok = v.(json.Number)
	case kindNull:
		ok = v == nil
	case kindData:
	case kindChoice:
		word, isText := v.(string)
		if isText && !slices.Contains(r.words, word) {
			return w.newer("a tree with %.40q", word)
		}
		ok = isText
	case kindOptional:
		if v != nil {
			return w.member(*r.inner, v)
		}
	case kindList:
		var all []any
		if all, ok = v.([]any); ok {
			for _, e := range all {
				if err := w.member(*r.inner, e); err != nil {
					return err
				}
			}
		}
	default:
		var o map[string]any
		if o, ok = v.(map[string]any); ok {
			return w.within(func() error { return w.object(r, o) })
		}
	}
	if !ok {
		return w.newer("a tree with %.40v in this place", v)
	}
	return nil
}

// within runs do one level deeper and enforces the limits of depth and nodes.
func (w *walker) within(do func() error) error {
	w.depth++
	defer func() { w.depth-- }()
	if w.nodes++; w.depth > MaxDepth || w.nodes > MaxNodes {
		return w.refuse("divide it", "a query this long or this deeply nested")
	}
	return do()
}

// object checks an object by the rule of its kind.
func (w *walker) object(r rule, o map[string]any) error {
	switch r.kind {
	case kindObject:
		return w.shape(r.shape, o)
	case kindValue:
		if o["is_null"] == true {
			return w.shape(some[:2], o)
		}
		return w.shape(some, o)
	case kindExpression:
		return w.expression(o)
	case kindCall:
		return w.call(o)
	case kindTable:
		return w.table(o)
	case kindNode:
		return w.node(o)
	case kindModifier:
		return w.named(modifierShapes, shape{{"type", text}}, o)
	case kindTypeInfo:
		return w.named(typeInfos, everyTypeInfo, o)
	case kindCTEs:
		return w.ctes(o)
	}
	return fmt.Errorf("judge a query: no rule of kind %d", r.kind)
}

// shape checks the members of an object.
func (w *walker) shape(s shape, o map[string]any) error {
	for _, m := range s {
		v, ok := o[m.name]
		if !ok {
			return w.newer("a tree without a member %s", m.name)
		}
		if err := w.member(m.rule, v); err != nil {
			return err
		}
	}
	if len(o) > len(s) {
		for _, name := range slices.Sorted(maps.Keys(o)) {
			if !slices.ContainsFunc(s, func(m member) bool { return m.name == name }) {
				return w.newer("a tree with a member %.40s", name)
			}
		}
	}
	return nil
}

// named checks an object whose type determines its shape.
func (w *walker) named(shapes map[string]shape, begin shape, o map[string]any) error {
	name, _ := o["type"].(string)
	s, ok := shapes[name]
	if !ok {
		return w.newer("a tree with a node %.40q", name)
	}
	return w.shape(begin.with(s...), o)
}

// place pushes the place of a node, if it has one; leave pops it.
func (w *walker) place(o map[string]any) (leave func()) {
	n, ok := o["query_location"].(json.Number)
	if !ok {
		return func() {}
	}
	at, err := n.Int64() // the largest unsigned 64-bit number means that there is none
	if err != nil {
		return func() {}
	}
	w.at = append(w.at, int(at))
	return func() { w.at = w.at[:len(w.at)-1] }
}

// inSchema returns schema.name, by which Grants name objects outside the default schema; "" without a schema or with a
// catalog.
func inSchema(catalog, schema any, name string) string {
	s, _ := schema.(string)
	if c, _ := catalog.(string); c != "" || s == "" || strings.Contains(s, ".") || strings.Contains(name, ".") {
		return ""
	}
	return strings.ToLower(s + "." + name)
}
