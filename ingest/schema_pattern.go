package ingest

import (
	"regexp"
	"regexp/syntax"
	"unicode/utf8"
)

// matcher compiles a pattern that the schema compiler has accepted. It is fast for the names of histogram
// buckets, the only pattern that is matched a thousand times in a ping.
func matcher(pattern string) func([]byte) bool {
	switch {
	case isDigits(pattern):
		return allDigits
	case pattern == uuidPattern:
		return isUUID
	}
	if f, ok := newFixed(pattern); ok {
		return f.match
	}
	if r, ok := newRun(pattern); ok {
		return r.match
	}
	return regexp.MustCompile(pattern).Match
}

func isDigits(pattern string) bool { return pattern == `^\d+$` || pattern == `^[0-9]+$` }

// fixed is a pattern with a fixed number of ASCII characters from the begin of a text on, such as the pattern
// of an identifier.
type fixed struct {
	sets  []*[256]bool // which bytes are accepted, by place
	whole bool         // nothing may follow
}

// newFixed compiles such a pattern. It returns false for other patterns.
func newFixed(pattern string) (f fixed, ok bool) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || re.Op != syntax.OpConcat || re.Sub[0].Op != syntax.OpBeginText {
		return f, false
	}
	parts := re.Sub[1:]
	if n := len(parts) - 1; n >= 0 && parts[n].Op == syntax.OpEndText {
		f.whole, parts = true, parts[:n]
	}
	for _, part := range parts {
		if !f.add(part.Simplify()) {
			return f, false
		}
	}
	return f, true
}

// add appends a part of a pattern. It returns false if the part has no fixed length.
func (f *fixed) add(re *syntax.Regexp) bool {
	switch {
	case re.Op == syntax.OpConcat:
		for _, sub := range re.Sub {
			if !f.add(sub) {
				return false
			}
		}
		return true
	case re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase == 0:
		for _, r := range re.Rune {
			if !f.addRanges([]rune{r, r}) {
				return false
			}
		}
		return true
	case re.Op == syntax.OpCharClass:
		return f.addRanges(re.Rune)
	}
	return false
}

// addRanges appends a character out of some ranges, each given by its ends.
func (f *fixed) addRanges(ends []rune) bool {
	set := new([256]bool)
	for i := 0; i < len(ends); i += 2 {
		if ends[i+1] >= utf8.RuneSelf {
			return false
		}
		for r := ends[i]; r <= ends[i+1]; r++ {
			set[r] = true
		}
	}
	f.sets = append(f.sets, set)
	return true
}

func (f *fixed) match(text []byte) bool {
	if len(text) < len(f.sets) || f.whole && len(text) > len(f.sets) {
		return false
	}
	for i, set := range f.sets {
		if !set[text[i]] {
			return false
		}
	}
	return true
}
