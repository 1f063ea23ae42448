package ingest

import (
	"bytes"
	"math"
	"strconv"
)

// The walk is fast for two reasons. It skips unconstrained values by the document's index; most of a ping, the
// buckets of histograms, is skipped that way. And it guesses names instead of reading them.

// unlimited is the limit on the number of members and items if the schema has none.
const unlimited = math.MaxInt

// settle determines which values of a complete node can be accepted without a walk of their parts. It reserves
// places for guesses; places is the number reserved so far, and settle returns the new number.
func (n *node) settle(places int) int {
	members := len(n.props.list) == 0 && n.required == 0
	n.onlyExtra = members && len(n.patterns) == 0 && !n.closed
	n.anyMembers = n.onlyExtra && n.extra == nil && n.unlimited()
	n.anyItems = n.items == nil && n.tuple == nil && n.minItems == 0 && n.maxItems == unlimited
	n.onlyPattern = members && len(n.patterns) == 1 && n.closed && n.unlimited()
	n.counts = members && len(n.patterns) == 1 && n.patterns[0].digits && n.unlimited() && n.patterns[0].node.takesCounts()
	n.place = places
	for i, p := range n.props.list {
		if p.place = places + 1 + i; p.declared && len(n.patterns) == 0 {
			p.quoted = quoted(p.name)
		}
	}
	return places + 1 + len(n.props.list)
}

// quoted returns a name as it usually is written in documents, "" if documents may write it differently.
func quoted(name string) string {
	text := strconv.Quote(name)
	if text != `"`+name+`"` {
		return ""
	}
	return text + ":"
}

func (n *node) unlimited() bool { return n.maxProperties == unlimited }

// takesCounts reports whether every integer without a sign is accepted.
func (n *node) takesCounts() bool {
	if n == nil {
		return true
	}
	least := n.min == nil || n.min.whole && n.min.value <= 0
	return n.allows(kindInteger|kindNumber) && least && n.max == nil && len(n.some) == 0
}

// guessed returns the position of the value of the member at p if it is the guessed member, else 0.
func (w *walker) guessed(guess *property, p int) int {
	if guess == nil || guess.quoted == "" {
		return 0
	}
	v := p + len(guess.quoted)
	if v >= len(w.b) || string(w.b[p:v]) != guess.quoted || w.b[v] <= ' ' {
		return 0
	}
	return v
}

// quick is a form of values that are accepted without a walk.
type quick uint8

const (
	slow          quick = iota
	quickCount          // an integer without a sign
	quickCounts         // an object of digits and such integers
	quickText           // a string without a pattern
	quickBoolean        // true or false
	quickArray          // an array
	quickAnything       // any value
)

// quickest returns the form that most values of a node probably have.
func (n *node) quickest() quick {
	switch {
	case n == nil:
		return quickAnything
	case len(n.some) > 0 || n.texts.enum != nil:
		return slow
	case n.takesCounts():
		return quickCount
	case n.counts && n.allows(kindObject):
		return quickCounts
	case n.anyItems && n.kinds == kindArray:
		return quickArray
	case n.texts.match == nil && n.kinds == kindString:
		return quickText
	case n.kinds == kindBoolean:
		return quickBoolean
	}
	return slow
}

// quickly works like value, for a node and its quickest form.
func (w *walker) quickly(q quick, n *node, p int) int {
	end := p
	switch c := w.b[p]; q {
	case quickCount:
		end = w.doc.Digits(p)
	case quickCounts:
		if c == '{' {
			end = w.doc.Counts(p)
		}
	case quickText:
		if c == '"' {
			if quote := w.doc.ClosingQuote(p); quote-p-1 <= n.texts.maxLength { // a character has a byte or more
				end = quote + 1
			}
		}
	case quickBoolean:
		switch c {
		case 't':
			end = p + len("true")
		case 'f':
			end = p + len("false")
		}
	case quickArray:
		if c == '[' {
			end = w.doc.SkipValue(p)
		}
	case quickAnything:
		end = w.doc.SkipValue(p)
	}
	if end > p {
		return end
	}
	return w.value(n, p)
}

// matched works like object, for a node of which onlyPattern is set.
func (w *walker) matched(n *node, p int) int {
	b, pattern := w.b, &n.patterns[0]
	for p = skipSpace(b, p+1); b[p] != '}'; p = nextMember(b, p) {
		key, v := w.memberName(p)
		end := 0
		if pattern.match(key) {
			end = w.quickly(pattern.quick, pattern.node, v)
		} else {
			end = w.named(n, nil, key, v)
		}
		if end < 0 {
			if end = w.failMember(p, v, end); end < 0 {
				return invalid
			}
		}
		p = end
	}
	return p + 1
}

// memberValue returns the position at which the value of the member at p begins.
func (w *walker) memberValue(p int) int {
	b, quote := w.b, w.doc.ClosingQuote(p)
	if b[quote+1] == ':' && b[quote+2] > ' ' {
		return quote + 2
	}
	return skipSpace(b, skipSpace(b, quote+1)+1)
}

// memberName returns the name of the member whose opening quote is at p, and the position of its value.
func (w *walker) memberName(p int) (key []byte, value int) {
	b, quote := w.b, w.doc.ClosingQuote(p)
	if key = b[p+1 : quote]; w.doc.Escapes() && bytes.IndexByte(key, '\\') >= 0 {
		key, _ = readString(b, p)
	}
	if b[quote+1] == ':' && b[quote+2] > ' ' {
		return key, quote + 2
	}
	return key, w.memberValue(p)
}

// nextMember returns the position of the member after the one that ends at p, or of the closing bracket.
func nextMember(b []byte, p int) int {
	if b[p] == ',' && b[p+1] > ' ' {
		return p + 1
	}
	if b[p] == '}' {
		return p
	}
	if p = skipSpace(b, p); b[p] == ',' {
		p = skipSpace(b, p+1)
	}
	return p
}
