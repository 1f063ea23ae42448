package query

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/gate"
)

// mutator changes statements that pass into ones that reach for more.
type mutator struct {
	r     *rand.Rand
	all   []string
	names []string // functions and tables that nobody may name, and some that one may
}

var gateToken = regexp.MustCompile(`'(?:[^']|'')*'|"(?:[^"]|"")*"|\w+|\s+|[^\w\s]`)

func newMutator(t testing.TB, seed uint64) *mutator {
	m := &mutator{r: rand.New(rand.NewPCG(11, seed)),
		names: []string{"t", "u", "sum", "x", "'/etc/passwd'", `"x.parquet"`, "duckdb_settings", "main.t", "recurring.r", "?", "$1", "default",
			"at (version => 1)"}}
	gateCases(t, "testdata/gate_allowed.sql", func(sql, _ string) { m.all = append(m.all, sql) })
	for name := range gate.Refused() {
		m.names = append(m.names, name)
	}
	slices.Sort(m.names)
	return m
}

// next makes a statement of one that passes: some words become forbidden ones, some pieces those of other statements.
func (m *mutator) next() string {
	pick := func() []string { return gateToken.FindAllString(m.all[m.r.IntN(len(m.all))], -1) }
	tokens := pick()
	for range 1 + m.r.IntN(3) {
		at := m.r.IntN(len(tokens))
		switch m.r.IntN(6) {
		case 0, 1:
			tokens[at] = m.names[m.r.IntN(len(m.names))]
		case 2:
			tokens[at] = m.names[m.r.IntN(len(m.names))] + "('x')"
		case 3:
			tokens[at] = "(select " + m.names[m.r.IntN(len(m.names))] + "(1))"
		case 4:
			tokens[at] = "(" + strings.Join(pick(), "") + ")"
		case 5:
			other := pick()
			tokens = append(tokens[:at:at], other[m.r.IntN(len(other)):]...)
		}
	}
	return strings.Join(tokens, "")
}

// leaks finds in a tree, whatever its shape, what a query may not name: this does not know where what belongs.
func leaks(v any, names map[string]bool) (found []string) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			found = append(found, leaks(e, names)...)
		}
	case map[string]any:
		for key, e := range v {
			text, isText := e.(string)
			switch {
			case key == "function_name" && !names["function "+strings.ToLower(text)],
				key == "table_name" && text != `"tables"` && text != "" && !names["table "+strings.ToLower(text)],
				isText && text != "" && (key == "schema_name" || key == "catalog_name"),
				key == "class" && (text == "PARAMETER" || text == "DEFAULT"), key == "at_clause" && e != nil:
				found = append(found, key+" "+text)
			}
			if key != "value" || !isText {
				found = append(found, leaks(e, names)...)
			}
		}
	}
	return found
}

// keys are the names of WITH in a tree.
func keys(v any, names map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			keys(e, names)
		}
	case map[string]any:
		if name, ok := v["key"].(string); ok {
			names["table "+strings.ToLower(name)] = true
		}
		for _, e := range v {
			keys(e, names)
		}
	}
}

// judgeMutated judges a statement and looks for itself whether what passes is harmless.
func judgeMutated(t testing.TB, parse gate.Parse, sql string) (passed bool) {
	var tree []byte
	s, err := gate.Judge(sql, gate.Grants{Tables: []string{"t", "u"}}, func(sql string) (out []byte, err error) {
		out, err = parse(sql)
		if tree == nil {
			tree = out
		}
		return out, err
	})
	if err != nil {
		return false
	}
	names := map[string]bool{"table t": true, "table u": true}
	for _, f := range gate.Functions() {
		names["function "+f] = true
	}
	var v any
	if err := json.Unmarshal(tree, &v); err != nil {
		t.Fatal(err)
	}
	keys(v, names)
	if found := leaks(v, names); len(found) > 0 {
		t.Errorf("%s: passed with %v", sql, found)
	}
	for _, table := range s.Tables {
		if table != "t" && table != "u" {
			t.Errorf("%s: reads %s", sql, table)
		}
	}
	return true
}

// TestGateMutated: of thousands of statements none passes that names, anywhere, what nobody may name.
func TestGateMutated(t *testing.T) {
	db := gateDB(t)
	conn, err := db.connect(t.Context())
	require.NoError(t, err)
	defer conn.Close()
	parse, m, passed := parser(t.Context(), conn), newMutator(t, 1), 0
	const n = 2000
	for range n {
		if judgeMutated(t, parse, m.next()) {
			passed++
		}
	}
	if passed < n/50 {
		t.Errorf("%d of %d pass: not much is tried", passed, n)
	}
}

// FuzzGate does the same with other statements.
func FuzzGate(f *testing.F) {
	gateCases(f, "testdata/gate_allowed.sql", func(sql, _ string) { f.Add(sql) })
	gateCases(f, "testdata/gate_refused.sql", func(sql, _ string) { f.Add(sql) })
	db := gateDB(f)
	conn, err := db.connect(f.Context())
	require.NoError(f, err)
	f.Cleanup(func() { _ = conn.Close() })
	f.Fuzz(func(t *testing.T, sql string) { judgeMutated(t, parser(t.Context(), conn), sql) })
}
