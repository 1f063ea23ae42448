package ingest

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/pingmill/pingmill/ping"
)

// walker checks a document against a program in one pass over its bytes. The document must be valid JSON.
type walker struct {
	doc     *ping.Doc
	b       []byte     // of the document
	path    []string   // of the violation, innermost first
	keyword string     // the violated keyword
	name    string     // of the missing or surplus member
	within  *violation // the violation of the nearest form, if a choice between forms is violated
	voided  int
	plain   bool // a number with a fraction or an exponent is no integer

	// guesses holds, by the place of a node or a property, the member that came first or next at the last
	// visit. Clients write the members of all objects of a kind in one order.
	guesses []*property
}

// verdict returns the text of the violation, "" if the document is valid.
func (w *walker) verdict(n *node, doc *ping.Doc) string {
	w.doc, w.b, w.voided = doc, doc.Bytes(), 0
	defer func() { w.doc, w.b, w.within = nil, nil, nil }()
	if w.value(n, skipSpace(w.b, 0)) >= 0 {
		return ""
	}
	v := w.violation()
	return v.text()
}

// These results of a failed check replace a position.
const (
	invalid   = -1
	forbidden = -2 // an object has a member that is not allowed
)

// fail records a violated keyword.
func (w *walker) fail(keyword string) int {
	w.keyword, w.path, w.name, w.within = keyword, w.path[:0], "", nil
	return invalid
}

// violation returns the recorded violation.
func (w *walker) violation() violation {
	path := slices.Clone(w.path)
	slices.Reverse(path)
	if w.within == nil {
		return violation{keyword: w.keyword, path: path, name: w.name}
	}
	v := *w.within
	v.path = slices.Concat(path, v.path)
	if w.keyword != "allOf" {
		v.chosen, v.at = w.keyword, path
	}
	return v
}

// value checks the value at p by n and returns the position after it, or a negative result.
func (w *walker) value(n *node, p int) int {
	if n == nil {
		return w.doc.SkipValue(p)
	}
	var end int
	switch c := w.b[p]; c {
	case '{':
		end = w.object(n, p)
	case '[':
		end = w.array(n, p)
	case '"':
		end = w.text(n, p)
	case 't', 'f', 'n':
		end = w.literal(n, p)
	default:
		end = w.number(n, p)
	}
	if end < 0 || len(n.some) == 0 {
		return end
	}
	return w.combinations(n, p, end)
}

func (w *walker) combinations(n *node, p, end int) int {
	for _, c := range n.some {
		accepted := 0
		for _, sub := range c.nodes {
			if w.value(sub, p) >= 0 {
				accepted++
			}
		}
		if accepted < c.min || accepted > c.max {
			return w.failChoice(&c, p, accepted)
		}
	}
	return end
}

// failChoice records a violated combination, and the violation of the form nearest to the value at p.
func (w *walker) failChoice(c *combination, p, accepted int) int {
	var nearest *violation
	voided := w.voided
	for _, sub := range c.nodes {
		if accepted >= c.min || w.value(sub, p) >= 0 {
			continue
		}
		if v := w.violation(); nearest == nil || v.compare(nearest) < 0 {
			nearest = &v
		}
	}
	w.fail(c.keyword)
	w.within, w.voided = nearest, voided
	return invalid
}

// allows reports whether n accepts one of the kinds. Only strings can be in
// an enumeration.
func (n *node) allows(k kinds) bool {
	return (n.kinds == 0 || n.kinds&k != 0) && (n.texts.enum == nil || k == kindString)
}

// refuse records the violation of a value whose kind n does not allow.
func (w *walker) refuse(n *node, k kinds) int {
	if n.kinds != 0 && n.kinds&k == 0 {
		return w.fail("type")
	}
	return w.fail("enum")
}

func (w *walker) object(n *node, p int) int {
	if !n.allows(kindObject) {
		return w.refuse(n, kindObject)
	}
	if n.anyMembers {
		return w.doc.SkipValue(p)
	}
	b, open := w.b, p
	if n.counts {
		if end := w.doc.Counts(p); end > p {
			return end
		}
	}
	if n.onlyPattern {
		return w.matched(n, p)
	}
	var seen uint64
	count, place := 0, n.place
	for p = skipSpace(b, p+1); b[p] != '}'; p = nextMember(b, p) {
		prop, end := w.member(n, p, w.guesses[place])
		if end < 0 {
			return invalid
		}
		if prop != nil {
			w.guesses[place], place = prop, prop.place
			seen |= prop.bit
		}
		count++
		p = end
	}
	if missing := n.required &^ seen; missing != 0 {
		w.fail("required")
		w.name = n.props.requiredName(missing & -missing)
		return invalid
	}
	if count > n.maxProperties && w.names(open, n.maxProperties) > n.maxProperties {
		return w.fail("maxProperties")
	}
	return p + 1
}

// member checks the member at p of an object, which is compared with the guessed one first. It returns its
// property, nil if it has none, and the position after it, or a negative result.
func (w *walker) member(n *node, p int, guess *property) (prop *property, end int) {
	v := w.guessed(guess, p)
	switch {
	case v > 0:
		prop = guess
		end = w.quickly(prop.quick, prop.node, v)
	case n.onlyExtra:
		v = w.memberValue(p)
		end = w.value(n.extra, v)
	default:
		var key []byte
		key, v = w.memberName(p)
		prop = n.props.find(key)
		end = w.named(n, prop, key, v)
	}
	if end < 0 {
		end = w.failMember(p, v, end)
	}
	return prop, end
}

// named checks the value at p of an object's member key, which is property prop if that is not nil.
func (w *walker) named(n *node, prop *property, key []byte, p int) (end int) {
	end = invalid
	if prop != nil && prop.declared {
		if end = w.value(prop.node, p); end < 0 {
			return end
		}
	}
	for i := range n.patterns {
		if n.patterns[i].match(key) {
			if end = w.value(n.patterns[i].node, p); end < 0 {
				return end
			}
		}
	}
	switch {
	case end >= 0:
	case n.closed:
		w.fail("additionalProperties")
		w.name = string(key)
		end = forbidden
	default:
		end = w.value(n.extra, p)
	}
	return end
}

func (w *walker) array(n *node, p int) int {
	if !n.allows(kindArray) {
		return w.refuse(n, kindArray)
	}
	if n.anyItems {
		return w.doc.SkipValue(p)
	}
	b := w.b
	count := 0
	for p = skipSpace(b, p+1); b[p] != ']'; p = skipSpace(b, p) {
		if b[p] == ',' {
			p = skipSpace(b, p+1)
		}
		sub := n.items
		if n.tuple != nil {
			if count < len(n.tuple) {
				sub = n.tuple[count]
			} else if sub = n.extraItems; n.closedItems {
				return w.fail("additionalItems")
			}
		}
		if p = w.value(sub, p); p < 0 {
			w.path = append(w.path, strconv.Itoa(count))
			return invalid
		}
		count++
	}
	switch {
	case count < n.minItems:
		return w.fail("minItems")
	case count > n.maxItems:
		return w.fail("maxItems")
	}
	return p + 1
}

func (w *walker) text(n *node, p int) int {
	if !n.allows(kindString) {
		return w.refuse(n, kindString)
	}
	quote := w.doc.ClosingQuote(p)
	if n.texts.enum == nil && n.texts.match == nil && quote-p-1 <= n.texts.maxLength { // a character has a byte or more
		return quote + 1
	}
	s, end := w.b[p+1:quote], quote+1
	if w.doc.Escapes() {
		s, end = readString(w.b, p)
	}
	if n.texts.enum != nil && !slices.Contains(n.texts.enum, string(s)) {
		return w.fail("enum")
	}
	if n.texts.match != nil && !n.texts.match(s) {
		return w.fail("pattern")
	}
	if len(s) > n.texts.maxLength && utf8.RuneCount(s) > n.texts.maxLength {
		return w.fail("maxLength")
	}
	return end
}

func (w *walker) literal(n *node, p int) int {
	k, end := kindBoolean, p+len("true")
	switch w.b[p] {
	case 'n':
		k = kindNull
	case 'f':
		end = p + len("false")
	}
	if !n.allows(k) {
		return w.refuse(n, k)
	}
	return end
}
