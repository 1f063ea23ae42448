package ingest

import (
	"errors"
	"maps"
	"math"
	"math/big"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// errUnsupported means the schema uses a keyword that programs do not support.
var errUnsupported = errors.New("unsupported keyword")

// kinds is a set of JSON types. An integer is a number without a fraction.
type kinds uint8

const (
	kindNull kinds = 1 << iota
	kindBoolean
	kindInteger
	kindNumber
	kindString
	kindArray
	kindObject
)

var kindNames = map[string]kinds{
	"null": kindNull, "boolean": kindBoolean, "integer": kindInteger, "number": kindNumber | kindInteger,
	"string": kindString, "array": kindArray, "object": kindObject,
}

// node is a compiled draft 4 schema in the form that the walker needs. A nil node accepts everything.
type node struct {
	kinds kinds // accepted types, 0: all

	props         properties
	required      uint64 // bits of the required properties
	patterns      []patternProperty
	extra         *node // for members that neither props nor patterns name
	closed        bool  // no such members are allowed
	maxProperties int

	items              *node
	tuple              []*node
	extraItems         *node
	closedItems        bool
	minItems, maxItems int

	texts textRules // of a string

	min, max *bound
	some     []combination

	settled

	place int // in walker.guesses
}

// settled says which values of a node can be accepted without a walk of their parts, see node.settle.
type settled struct {
	anyMembers, anyItems bool // any members of an object, or items of an array, are accepted
	onlyExtra            bool // extra applies to all members, whatever their names
	onlyPattern          bool // an object whose members all match the only pattern
	counts               bool // objects whose names are digits and whose values are integers without a sign are accepted
}

// textRules are the rules of a string.
type textRules struct {
	match     func([]byte) bool // pattern, nil: any
	enum      []string          // accepted texts, nil: any; otherwise no value of another kind is accepted either
	maxLength int               // characters
}

type patternProperty struct {
	match  func([]byte) bool
	digits bool // names of digits alone
	node   *node
	quick  quick // quickest of node
}

// bound is a minimum or maximum, as a decimal and, if it is an integer of 64 bits, as int64.
type bound struct {
	decimal decimal
	value   int64
	whole   bool
}

// combination is allOf, anyOf, oneOf or not: at least min and at most max of its nodes must accept.
type combination struct {
	keyword  string
	nodes    []*node
	min, max int
}

// compileProgram compiles the program of a schema and returns the number of its places for guesses. It returns
// errUnsupported if the schema uses a keyword that programs do not support.
func compileProgram(s *jsonschema.Schema) (root *node, places int, err error) {
	c := programCompiler{nodes: map[*jsonschema.Schema]*node{}}
	root = c.node(s)
	for _, n := range c.nodes {
		if n.reaches(n, map[*node]bool{}) {
			c.unsupported = true // a schema that refers to itself for the same value
		}
		places = n.settle(places)
	}
	for _, n := range c.nodes {
		for _, p := range n.props.list {
			p.quick = p.node.quickest()
		}
		for i := range n.patterns {
			n.patterns[i].quick = n.patterns[i].node.quickest()
		}
	}
	if c.unsupported {
		return nil, 0, errUnsupported
	}
	return root, places, nil
}

type programCompiler struct {
	nodes       map[*jsonschema.Schema]*node
	unsupported bool
}

func (c *programCompiler) node(s *jsonschema.Schema) *node {
	for hops := 0; s.Ref != nil; hops++ {
		if s = s.Ref; hops > len(c.nodes)+100 {
			c.unsupported = true
			return nil
		}
	}
	if n, ok := c.nodes[s]; ok {
		return n
	}
	n := &node{maxProperties: unlimited, maxItems: unlimited, texts: textRules{maxLength: unlimited}}
	c.nodes[s] = n
	if hasUnsupported(s) {
		c.unsupported = true
		return n
	}
	c.types(n, s)
	c.object(n, s)
	c.array(n, s)
	if s.Pattern != nil {
		n.texts.match = matcher(s.Pattern.String())
	}
	if s.MaxLength != nil {
		n.texts.maxLength = *s.MaxLength
	}
	n.min, n.max = newBound(s.Minimum), newBound(s.Maximum)
	c.combine(n, "allOf", s.AllOf, len(s.AllOf), math.MaxInt)
	c.combine(n, "anyOf", s.AnyOf, 1, math.MaxInt)
	c.combine(n, "oneOf", s.OneOf, 1, 1)
	if s.Not != nil {
		c.combine(n, "not", []*jsonschema.Schema{s.Not}, 0, 0)
	}
	return n
}

// hasUnsupported reports whether a schema uses a keyword that programs do not support.
func hasUnsupported(s *jsonschema.Schema) bool {
	return s.DraftVersion != 4 || s.Format != nil || s.MinProperties != nil ||
		len(s.Dependencies) > 0 || s.UniqueItems || s.MinLength != nil ||
		s.ExclusiveMinimum != nil || s.ExclusiveMaximum != nil || s.MultipleOf != nil || len(s.Extensions) > 0
}

func (c *programCompiler) types(n *node, s *jsonschema.Schema) {
	if s.Types != nil {
		for _, name := range s.Types.ToStrings() {
			n.kinds |= kindNames[name]
		}
	}
	if s.Enum == nil {
		return
	}
	n.texts.enum = []string{}
	for _, v := range s.Enum.Values {
		text, ok := v.(string)
		if !ok {
			c.unsupported = true
		}
		n.texts.enum = append(n.texts.enum, text)
	}
}

func (c *programCompiler) object(n *node, s *jsonschema.Schema) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := n.props.add(name)
		p.node, p.declared = c.node(s.Properties[name]), true
	}
	if len(s.Required) > 64 {
		c.unsupported = true
		return
	}
	for i, name := range s.Required {
		p := n.props.add(name)
		if p.bit == 0 {
			p.bit = 1 << i
		}
		n.required |= p.bit
	}
	for re, sub := range s.PatternProperties {
		n.patterns = append(n.patterns, patternProperty{match: matcher(re.String()), digits: isDigits(re.String()), node: c.node(sub)})
	}
	n.extra, n.closed = c.additional(s.AdditionalProperties)
	if s.MaxProperties != nil {
		n.maxProperties = *s.MaxProperties
	}
}

func (c *programCompiler) array(n *node, s *jsonschema.Schema) {
	switch items := s.Items.(type) {
	case *jsonschema.Schema:
		n.items = c.node(items)
	case []*jsonschema.Schema:
		for _, sub := range items {
			n.tuple = append(n.tuple, c.node(sub))
		}
		n.extraItems, n.closedItems = c.additional(s.AdditionalItems)
	}
	if s.MinItems != nil {
		n.minItems = *s.MinItems
	}
	if s.MaxItems != nil {
		n.maxItems = *s.MaxItems
	}
}

// additional reads additionalProperties or additionalItems.
func (c *programCompiler) additional(v any) (extra *node, closed bool) {
	switch v := v.(type) {
	case bool:
		return nil, !v
	case *jsonschema.Schema:
		return c.node(v), false
	}
	return nil, false
}

func (c *programCompiler) combine(n *node, keyword string, subs []*jsonschema.Schema, min, max int) {
	if len(subs) == 0 {
		return
	}
	combo := combination{keyword: keyword, min: min, max: max}
	for _, sub := range subs {
		combo.nodes = append(combo.nodes, c.node(sub))
	}
	n.some = append(n.some, combo)
}

// reaches reports whether checking a value by n can lead to checking the same value by to.
func (n *node) reaches(to *node, seen map[*node]bool) bool {
	for _, combo := range n.some {
		for _, sub := range combo.nodes {
			if sub == to {
				return true
			}
			if sub != nil && !seen[sub] {
				seen[sub] = true
				if sub.reaches(to, seen) {
					return true
				}
			}
		}
	}
	return false
}

func newBound(r *big.Rat) *bound {
	if r == nil {
		return nil
	}
	b := &bound{decimal: ratDecimal(r)}
	if r.IsInt() && r.Num().IsInt64() {
		b.value, b.whole = r.Num().Int64(), true
	}
	return b
}
