package doctor

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pingmill/pingmill/internal/lazy"
)

// removed is written in place of a text.
const removed = "(removed)"

// scrub keeps of texts the program's own words. Everything that could name a person, a machine or a place is removed, also where
// nothing is known of it: a word stays only if it is of plain letters, a number, a time, or known.
type scrub struct {
	known map[string]bool // names of keys and tables, which stay
	marks []string        // texts from the configuration and the log, which go wherever they are
}

var (
	quoted    = lazy.Regexp(`"(?:[^"\\]|\\.)*(?:"|$)|` + "`[^`]*(?:`|$)" + `|(^|[^\pL])'[^']*(?:'|$)`)
	statement = lazy.Regexp(`(?is)\b(?:select|insert|create|explain|pragma|values)\b.*|\bLINE \d+:.*`)
	word      = lazy.Regexp(`^[A-Za-z]+(?:['’_-][A-Za-z]+)*$`)
	number    = lazy.Regexp(`^[+-]?\d{1,15}(?:[.,]\d{1,9})?(?:%|[KMGT]?i?B|\+)?$`)
	moment    = lazy.Regexp(`^\d{4}-\d\d-\d\d(?:T[0-9:.]+Z)?$|^\d\d:\d\d(?::\d\d)?$`)
	part      = lazy.Regexp(`^\w$`)
	ours      = lazy.Regexp(`^docs/[a-z-]+\.md$|^--[a-z-]+$|^[a-z_]+=\d{1,15}$|^[-+/|=→·&]+$`)
)

// longest is the length up to which a word of letters can be one of a sentence: tokens are longer.
const longest = 24

// mark makes a text and its parts go wherever they are as words.
func (s *scrub) mark(text string) {
	s.name(text)
	for _, p := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("/:@?&=,; \t\n", r) }) {
		s.name(p)
	}
}

// name makes one text go. Short ones would take too much away.
func (s *scrub) name(text string) {
	if len(text) >= 3 && !s.known[text] && !number().MatchString(text) {
		s.marks = append(s.marks, text)
	}
}

// text returns what may stay of a text.
func (s *scrub) text(text string) string {
	text = quoted().ReplaceAllString(s.unmarked(text), "$1(text)")
	text = statement().ReplaceAllString(text, "(statement)")
	all := strings.Fields(text)
	for i, w := range all {
		all[i] = s.word(w)
	}
	return strings.Join(all, " ")
}

// unmarked replaces the marks, the longest first, since one can be a part of another.
func (s *scrub) unmarked(text string) string {
	slices.SortFunc(s.marks, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	s.marks = slices.Compact(s.marks)
	for _, m := range s.marks {
		if strings.Contains(text, m) {
			text = bounded(m).ReplaceAllString(text, removed)
		}
	}
	return text
}

// bounded matches a text where it is not a part of a longer word.
func bounded(text string) *regexp.Regexp {
	p := regexp.QuoteMeta(text)
	if part().MatchString(text[:1]) {
		p = `\b` + p
	}
	if part().MatchString(text[len(text)-1:]) {
		p += `\b`
	}
	return regexp.MustCompile(p)
}

// word keeps the punctuation around a word, and the word if it may stay.
func (s *scrub) word(w string) string {
	const before, after = "([{<,;", ")]}>,;:.!?…"
	core := strings.TrimRight(strings.TrimLeft(w, before), after)
	at := strings.Index(w, core)
	for _, own := range []string{removed, "(text)", "(statement)"} {
		if w == own || strings.Trim(w, before+after) == own[1:len(own)-1] {
			return w
		}
	}
	if core == "" || s.plain(core) {
		return w
	}
	return w[:at] + removed + w[at+len(core):]
}

func (s *scrub) plain(w string) bool {
	if s.known[w] || ours().MatchString(w) || number().MatchString(w) || moment().MatchString(w) {
		return true
	}
	_, err := time.ParseDuration(w)
	return err == nil || len(w) <= longest && word().MatchString(w)
}
