package gate

// A rule describes the allowed values of a node's member.
type rule struct {
	kind  kind
	inner *rule    // of the elements of a list, of an optional
	words []string // of a choice
	shape shape    // of an object
}

// shape are the members of an object, in the order in which they are judged. An object has all of them and no
// other: with one more it would mean something that nobody looked at, and one less may have been lost on its way.
type shape []member

type member struct {
	name string
	rule rule
}

type kind int

const (
	kindText kind = iota
	kindFlag
	kindNumber
	kindValue
	kindData // any JSON, which DuckDB takes as a value
	kindNull
	kindChoice
	kindList
	kindOptional
	kindObject
	kindExpression
	kindCall // a function behind FROM
	kindTable
	kindNode     // a query
	kindModifier // ORDER BY, LIMIT, DISTINCT
	kindCTEs
	kindTypeInfo
)

var (
	text       = rule{kind: kindText}
	flag       = rule{kind: kindFlag}
	number     = rule{kind: kindNumber}
	null       = rule{kind: kindNull}
	expression = rule{kind: kindExpression}
	table      = rule{kind: kindTable}
	node       = rule{kind: kindNode}
	texts      = list(text)

	expressions = list(expression)
	ctes        = rule{kind: kindCTEs}
	modifiers   = list(rule{kind: kindModifier})

	// statement is a SELECT as json_serialize_sql gives it. It has no parameters: nobody would fill them in.
	statement = object(shape{{"node", node}, {"named_param_map", rule{kind: kindList, inner: &null}}})
	// dataType is a type: an id, and what belongs to it.
	dataType = object(shape{{"id", choice(typeIDs...)}, {"type_info", optional(rule{kind: kindTypeInfo})}})

	value = rule{kind: kindValue}
	// some is a value; NULL has no member value.
	some = shape{{"type", dataType}, {"is_null", flag}, {"value", rule{kind: kindData}}}

	order = object(shape{{"type", choice("ORDER_DEFAULT", "ASCENDING", "DESCENDING")},
		{"null_order", choice("ORDER_DEFAULT", "NULLS FIRST", "NULLS LAST", "NULLS_FIRST", "NULLS_LAST")}, {"expression", expression}})
	orders = list(order)
	sample = optional(object(shape{{"sample_size", value}, {"is_percentage", flag}, {"method", choice("System", "Bernoulli", "Reservoir")},
		{"seed", number}}))

	// qualified is the name of a column.
	qualified = object(shape{{"catalog", text}, {"schema", text}, {"table", text}, {"column", text}})
)

func list(inner rule) rule        { return rule{kind: kindList, inner: &inner} }
func optional(inner rule) rule    { return rule{kind: kindOptional, inner: &inner} }
func object(s shape) rule         { return rule{kind: kindObject, shape: s} }
func choice(words ...string) rule { return rule{kind: kindChoice, words: words} }
func pairs(key, value rule) rule  { return list(object(shape{{"key", key}, {"value", value}})) }

// with returns a shape with more members.
func (s shape) with(more ...member) shape { return append(append(shape{}, s...), more...) }
