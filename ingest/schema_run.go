package ingest

import (
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// run is a pattern of some fixed ASCII characters and then a number of characters out of one set, up to the end of the
// text, such as the pattern of a metric's id.
type run struct {
	fixed
	not         *[256]uint8 // 1 for bytes that are not in the set; nil: any character
	least, most int         // characters out of set
}

// newRun compiles such a pattern. It returns false for other patterns.
func newRun(pattern string) (r run, ok bool) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || re.Op != syntax.OpConcat || len(re.Sub) < 3 {
		return r, false
	}
	last := len(re.Sub) - 1
	if re.Sub[0].Op != syntax.OpBeginText || re.Sub[last].Op != syntax.OpEndText {
		return r, false
	}
	for _, part := range re.Sub[1 : last-1] {
		if !r.add(part.Simplify()) {
			return r, false
		}
	}
	return r, r.repeat(re.Sub[last-1])
}

// repeat sets the repeated part. It returns false if the part is something else.
func (r *run) repeat(re *syntax.Regexp) bool {
	if re.Op != syntax.OpRepeat || re.Max < 0 {
		return false
	}
	r.least, r.most = re.Min, re.Max
	switch sub := re.Sub[0]; {
	case sub.Op == syntax.OpAnyChar, sub.Op == syntax.OpCharClass && len(sub.Rune) == 2 && sub.Rune[0] == 0 && sub.Rune[1] == unicode.MaxRune:
		return true
	case sub.Op == syntax.OpCharClass:
		var one fixed
		if !one.addRanges(sub.Rune) {
			return false
		}
		r.not = new([256]uint8)
		for c, in := range one.sets[0] {
			if !in {
				r.not[c] = 1
			}
		}
		return true
	}
	return false
}

func (r *run) match(text []byte) bool {
	if !r.fixed.match(text) {
		return false
	}
	rest := text[len(r.sets):]
	if r.not == nil {
		if len(rest) <= r.most && r.least == 0 {
			return true
		}
		n := utf8.RuneCount(rest)
		return n >= r.least && n <= r.most
	}
	if len(rest) < r.least || len(rest) > r.most {
		return false
	}
	wrong := uint8(0)
	for ; len(rest) >= 4; rest = rest[4:] {
		wrong |= r.not[rest[0]] | r.not[rest[1]] | r.not[rest[2]] | r.not[rest[3]]
	}
	for _, c := range rest {
		wrong |= r.not[c]
	}
	return wrong == 0
}
