package pattern

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

// Error means that a pattern is invalid or unsupported, or that matching a text failed.
type Error struct {
	// Refused means that Trino would take it.
	Refused bool
	Message string
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

func wrong(format string, args ...any) error { return &Error{Message: fmt.Sprintf(format, args...)} }

func refused(format string, args ...any) error {
	return &Error{Refused: true, Message: fmt.Sprintf(format, args...)}
}

// maxBacktracking limits the time of one match.
const maxBacktracking = time.Second

// Pattern is a regular expression. It has two engines: Go's, which is linear, for
// what it answers as Trino does, and regexp2 for all else.
type Pattern struct {
	*translation
	text  string
	fast  *regexp.Regexp // nil: never
	slow  *regexp2.Regexp
	empty bool // it may match nothing
}

// Span is the place of a group's match in bytes; -1, -1 if the group did not match.
type Span struct{ From, To int }

// Text returns the text that the group matched, and false if it did not match.
func (s Span) Text(text string) (string, bool) {
	if s.From < 0 {
		return "", false
	}
	return text[s.From:s.To], true
}

func read(text string) (*Pattern, error) {
	t, err := translatePattern(text)
	if err != nil {
		return nil, err
	}
	p := &Pattern{translation: t, text: text, empty: true}
	if t.folds && strings.ContainsFunc(text, foldsToSeveral) {
		return nil, refused("a pattern without regard to case that has a character such as ß")
	}
	if p.slow, err = regexp2.Compile(t.net.String(), regexp2.None); err != nil {
		return nil, wrong("%v", err)
	}
	p.slow.MatchTimeout = maxBacktracking
	if t.special {
		return p, nil
	}
	tree, err := syntax.Parse(t.goText.String(), syntax.Perl)
	if err != nil {
		return p, nil //nolint:nilerr // regexp2 takes it, such as a{2000}
	}
	if !loopsOverNothing(tree) {
		p.fast, p.empty = regexp.MustCompile(t.goText.String()), matchesNothing(tree)
	}
	return p, nil
}

// matchesNothing reports whether an expression can match the empty text.
func matchesNothing(r *syntax.Regexp) bool {
	switch r.Op {
	case syntax.OpLiteral, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL, syntax.OpNoMatch:
		return false
	case syntax.OpCapture, syntax.OpPlus:
		return matchesNothing(r.Sub[0])
	case syntax.OpRepeat:
		return r.Min == 0 || matchesNothing(r.Sub[0])
	case syntax.OpConcat:
		for _, s := range r.Sub {
			if !matchesNothing(s) {
				return false
			}
		}
		return true
	case syntax.OpAlternate:
		for _, s := range r.Sub {
			if matchesNothing(s) {
				return true
			}
		}
		return false
	}
	return true
}

// loopsOverNothing reports whether something that can match the empty text is repeated: engines differ then.
func loopsOverNothing(r *syntax.Regexp) bool {
	if (r.Op == syntax.OpStar || r.Op == syntax.OpPlus || r.Op == syntax.OpRepeat) && matchesNothing(r.Sub[0]) {
		return true
	}
	for _, s := range r.Sub {
		if loopsOverNothing(s) {
			return true
		}
	}
	return false
}

// foldsToSeveral reports whether a letter without regard to case is several, as ß is ss.
func foldsToSeveral(c rune) bool {
	return c > 0x7f && (c == 'ß' || c == 'ẞ' || c == 'İ' || c == 'ŉ' || c == 'ǰ' || c == 'ΐ' || c == 'ΰ' || c == 'և' ||
		c >= 0x1e96 && c <= 0x1e9a || c >= 0x1f50 && c <= 0x1f56 || c >= 0x1f80 && c <= 0x1ffc || c >= 0xfb00 && c <= 0xfb17)
}

// mayFold reports whether a pattern that is not so itself may have a part that is such a letter, or a class with one.
func mayFold(pattern string, c rune) bool {
	letters := "["
	switch {
	case c == 'ß' || c == 'ẞ':
		letters += "sS"
	case c >= 0xfb00 && c <= 0xfb06:
		letters += "fFsS"
	default:
		return true
	}
	return strings.ContainsAny(pattern, letters) || strings.Contains(pattern, `\p`) || strings.Contains(pattern, `\P`)
}

// suits reports whether Go's engine answers as Trino's for a text.
func (p *Pattern) suits(s string) bool {
	return p.fast != nil && (!p.dollar || !strings.HasSuffix(s, "\n")) && (!p.boundary || ascii(s))
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Groups returns the number of groups, not counting the whole match.
func (p *Pattern) Groups() int { return p.groups }

// Group returns the number of the group of a name, 0 if there is none.
func (p *Pattern) Group(name string) int { return p.names[name] }

// EachFrom is Each from a character on, from 0.
func (p *Pattern) EachFrom(s string, start int, f func([]Span) bool) error {
	if err := p.takes(s); err != nil || start > 0 {
		if err == nil {
			err = p.eachSlowly(s, start, f)
		}
		return err
	}
	return p.Each(s, f)
}

// takes refuses texts for which no engine answers as Trino's.
func (p *Pattern) takes(s string) error {
	if p.folds && strings.ContainsFunc(s, func(c rune) bool { return foldsToSeveral(c) && mayFold(p.text, c) }) {
		return refused("a match without regard to case in a text that has a character such as ß")
	}
	return nil
}

// Matches reports whether there is a match.
func (p *Pattern) Matches(s string) (bool, error) {
	if err := p.takes(s); err != nil {
		return false, err
	}
	if p.suits(s) {
		return p.fast.MatchString(s), nil
	}
	ok, err := p.slow.MatchString(s)
	return ok, slowError(err)
}

func slowError(err error) error {
	if err != nil {
		return refused("the pattern needs more than %v for one text", maxBacktracking)
	}
	return nil
}

// First returns the groups of the first match, nil if there is none.
func (p *Pattern) First(s string) ([]Span, error) {
	if err := p.takes(s); err != nil {
		return nil, err
	}
	if p.suits(s) {
		if at := p.fast.FindStringSubmatchIndex(s); at != nil {
			return spans(at), nil
		}
		return nil, nil
	}
	var found []Span
	err := p.eachSlowly(s, 0, func(m []Span) bool { found = m; return false })
	return found, err
}

// Each calls f with the groups of each match, until it returns false.
func (p *Pattern) Each(s string, f func([]Span) bool) error {
	if err := p.takes(s); err != nil {
		return err
	}
	if !p.suits(s) || p.empty {
		return p.eachSlowly(s, 0, f)
	}
	for _, at := range p.fast.FindAllStringSubmatchIndex(s, -1) {
		if !f(spans(at)) {
			break
		}
	}
	return nil
}

func spans(at []int) []Span {
	out := make([]Span, len(at)/2)
	for i := range out {
		out[i] = Span{at[2*i], at[2*i+1]}
	}
	return out
}

// eachSlowly is Each with regexp2, from a character on.
func (p *Pattern) eachSlowly(s string, start int, f func([]Span) bool) error {
	runes := []rune(s)
	bytes := make([]int, 0, len(runes)+1) // where characters begin
	for i := range s {
		bytes = append(bytes, i)
	}
	bytes = append(bytes, len(s))
	m, err := p.slow.FindRunesMatchStartingAt(runes, start)
	for ; m != nil && err == nil; m, err = p.slow.FindNextMatch(m) {
		found := make([]Span, p.groups+1)
		for i := range found {
			found[i] = Span{-1, -1}
			if g := m.GroupByNumber(i); g != nil && len(g.Captures) > 0 {
				found[i] = Span{bytes[g.Index], bytes[g.Index+g.Length]}
			}
		}
		if !f(found) {
			return nil
		}
	}
	return slowError(err)
}

// Native returns the pattern for RE2, which DuckDB has, if that answers for all texts as Trino does, or "".
func (p *Pattern) Native() string {
	if p.fast == nil || p.dollar || p.boundary || p.folds {
		return ""
	}
	var b strings.Builder
	for _, c := range p.goText.String() {
		if c < ' ' { // DuckDB's literals have none
			fmt.Fprintf(&b, `\x%02x`, c)
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}
