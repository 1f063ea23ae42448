package ping

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// validDoc returns a document of a few thousand bytes with all kinds of tokens.
func validDoc() []byte {
	g := generator{r: rand.New(rand.NewPCG(3, 5)), space: 4}
	for g.s.Len() < 1500 {
		g.s.Reset()
		g.value(0)
	}
	return []byte(g.s.String())
}

// generator writes random valid documents, a blank before one of space tokens.
type generator struct {
	r     *rand.Rand
	s     strings.Builder
	space int
}

func (g *generator) pick(list ...string) { g.s.WriteString(list[g.r.IntN(len(list))]) }

func (g *generator) token(list ...string) {
	if g.r.IntN(g.space) == 0 {
		g.pick(" ", "\n", "  ", "\t\r\n", strings.Repeat(" ", 70))
	}
	g.pick(list...)
}

func (g *generator) string() {
	g.token(`""`, `"a"`, `"\""`, `"\\"`, `"é"`, `"\u00e9"`, `"{"`, `"]},:"`, `"`+strings.Repeat("x", g.r.IntN(100))+`"`)
}

func (g *generator) value(depth int) {
	kind := g.r.IntN(8)
	if depth > 6 {
		kind = 4 + g.r.IntN(4)
	}
	switch kind {
	case 0, 1, 2:
		g.list("{", "}", func() { g.string(); g.token(":"); g.value(depth + 1) })
	case 3:
		g.list("[", "]", func() { g.value(depth + 1) })
	case 4, 5:
		g.string()
	default:
		g.token("0", "1", "-1", "12345", "-0.5e+10", "1e5", "true", "false", "null", "9007199254740993")
	}
}

func (g *generator) list(open, end string, member func()) {
	g.token(open)
	for i := range g.r.IntN(7) {
		if i > 0 {
			g.token(",")
		}
		member()
	}
	g.token(end)
}

// Valid documents, and the same with one small thing changed.
func TestValidateChanged(t *testing.T) {
	tokens := []string{"", "{", "}", "[", "]", ",", ":", `"`, `\`, " ", "0", "1", "-", ".", "e", "true", "null", "\n", "\x00", "\x80", "é",
		`"a"`, `"a":`}
	for seed := range uint64(1500) {
		g := generator{r: rand.New(rand.NewPCG(11, seed)), space: 1 + int(seed%40)}
		g.value(0)
		s := g.s.String()
		if !oracle([]byte(s)) {
			t.Fatalf("generated %q", s)
		}
		checkValidate(t, []byte(s))
		for range 12 {
			at := g.r.IntN(len(s) + 1)
			skip := min(g.r.IntN(3), len(s)-at)
			checkWithin(t, []byte(s[:at]+tokens[g.r.IntN(len(tokens))]+s[at+skip:]))
		}
	}
}

// Tokens in any order, mostly nonsense.
func TestValidateTokens(t *testing.T) {
	tokens := []string{"{", "}", "[", "]", ",", ":", `"a"`, "1", " ", "true", `{"a":`, `,"b":`, "[1,", "]]", "}}"}
	r := rand.New(rand.NewPCG(13, 17))
	for range 60_000 {
		var s strings.Builder
		s.WriteString(strings.Repeat(" ", r.IntN(2)*r.IntN(64)))
		for range 1 + r.IntN(12) {
			s.WriteString(tokens[r.IntN(len(tokens))])
		}
		checkWithin(t, []byte(s.String()))
	}
}
