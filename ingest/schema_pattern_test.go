package ingest

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// patterns holds the patterns of the schemas and similar ones.
var patterns = []string{
	`^[0-9]{10}`, `^[0-9]{2,3}\.`, `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`, `^\d+$`,
	`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$`,
	`^[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{12}$`,
	`abc`, `^abc`, `abc$`, `^$`, `^`, ``, `^a|b$`, `^(?i)ab$`, `^(?m)a$`, `(?m)^ab`, `^a.c$`, `^(a(bc){2})$`, `^[^a]b$`, `^é$`, `^[a-é]$`,
	`^a?$`, `^(?:ab)+$`, `^a{0}b$`,
	`^[a-z_][a-z0-9_.]{1,4}$`, `^[\s\S]{0,3}$`, `^ab[\s\S]{1,2}$`, `^[a-z]{0,2}$`, `^[a-é]{0,2}$`, `^(?m)[a-z]{0,2}$`, `^.{0,2}$`,
	`^a[b-z]{2,}$`,
	`^a\nb`, `^ab\z`, `^(ab)`, `^[[:alpha:]]{2}`,
}

func TestMatcher(t *testing.T) {
	texts := []string{
		"", "a", "b", "ab", "aB", "abc", "abcd", "abcbc", "a\nb", "\nab", "a\n", "é", "\xff", "cb", "\xffb", "20180301", "2018-03-01",
		"2018-03-01\n",
		"a.b", "_a.b_", "a.b.c1", "A.b", "a.b.c1d", "éé", "ééé", "éééé", "abé", "abéé", "abééé", "aé", "abc\n", "\n\n",
		"2018-03-01T00:00:00.000Z", "2018-03-01T00:00:00.000z", "58.0", "5.0", "100.", "20180205110053", "201802051",
		"00000000-0000-4000-8000-0000000000ff", "00000000-0000-4000-8000-0000000000fg", "00000000-0000-4000-8000-0000000000ff0",
		strings.Repeat("٣", 10),
	}
	for _, p := range patterns {
		want, got := regexp.MustCompile(p), matcher(p)
		for _, text := range texts {
			assert.Equal(t, want.MatchString(text), got([]byte(text)), "%q: %q", p, text)
		}
	}
	for i, p := range patterns[:6] { // the frequent ones of the schemas need no machine
		_, ok := newFixed(p)
		assert.Equal(t, i != 1 && i != 3, ok, p)
	}
}

func FuzzMatcher(f *testing.F) {
	for _, p := range patterns {
		f.Add(p, "2018-03-01")
		f.Add(p, "abc")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		want, err := regexp.Compile(pattern)
		if err != nil || len(pattern) > 100 {
			return
		}
		if got := matcher(pattern)([]byte(text)); got != want.MatchString(text) {
			t.Errorf("%q: %q: %v", pattern, text, got)
		}
	})
}
