package worker

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/gate"
	"github.com/pingmill/pingmill/sql/query"
)

// wraps put a statement where others are expected.
var wraps = []string{
	"SELECT * FROM (%s)", "WITH q AS (%s) SELECT * FROM q", "WITH q AS MATERIALIZED (%s) SELECT count(*) FROM q", "SELECT (%s)",
	"%s UNION ALL SELECT 1",
	"SELECT 1 UNION (%s)", "EXPLAIN %s", "EXPLAIN ANALYZE %s", "DESCRIBE %s", "SUMMARIZE %s", "SELECT 1 WHERE EXISTS (%s)",
	"SELECT n FROM t WHERE n IN (%s)",
	"SELECT list_transform([1], v -> (%s))", "FROM (%s) SELECT *", "SELECT * FROM t, LATERAL (%s) AS l", "VALUES ((%s))",
	"SELECT CASE WHEN (%s) IS NULL THEN 1 END",
	"CREATE VIEW v AS %s", "PREPARE p AS %s", "COPY (%s) TO 'x'", "%s; SELECT 1", "SELECT 1; %s", "/* %s */ SELECT 1", "SELECT 1 -- \n; %s",
	"(((%s)))",
	"SELECT n FROM t ORDER BY (%s)", "SELECT n FROM t LIMIT (%s)", "SELECT ARRAY(%s)", "SELECT * FROM query($q$%s$q$)",
	"WITH t AS (%s) SELECT * FROM t", "%s ORDER BY ALL",
}

var (
	attackToken = regexp.MustCompile(`'(?:[^']|'')*'|"(?:[^"]|"")*"|\w+|\s+|[^\w\s]`)
	attackWord  = regexp.MustCompile(`^[A-Za-z_]\w*$`)
)

// between lists separators of tokens, and text that looks like them.
var between = []string{" ", "\t", "\n", "/**/", "/* ' */", "--\n", "\u00a0", "\u2003", "\ufeff", "\u200b", "\v", "\f", ";", "\\", "\x01"}

// mutate makes an attack of one or two.
func mutate(r *rand.Rand, all []statement) string {
	pick := func() string { return all[r.IntN(len(all))].sql }
	sql := pick()
	for range 1 + r.IntN(4) {
		tokens := attackToken.FindAllString(sql, -1)
		if len(tokens) == 0 {
			return sql
		}
		at := r.IntN(len(tokens))
		switch r.IntN(9) {
		case 0, 1:
			sql = fmt.Sprintf(wraps[r.IntN(len(wraps))], sql)
			continue
		case 2: // another case
			tokens[at] = strings.ToUpper(tokens[at])
		case 3:
			tokens[at] += between[r.IntN(len(between))]
		case 4: // quotes
			switch text := strings.Trim(tokens[at], `'"`); r.IntN(4) {
			case 0:
				tokens[at] = "$$" + text + "$$"
			case 1:
				tokens[at] = "E'" + text + "'"
			case 2:
				tokens[at] = "'" + text + "'"
			default:
				tokens[at] = `"` + text + `"`
			}
		case 5: // the head of one, the tail of another
			tail := attackToken.FindAllString(pick(), -1)
			tokens = append(tokens[:at:at], tail[r.IntN(len(tail)):]...)
		case 6:
			tokens[at] = ""
		case 7:
			tokens[at] = strings.Repeat(tokens[at]+" ", 2)
		case 8: // a name for another
			other := attackToken.FindAllString(pick(), -1)
			if name := other[r.IntN(len(other))]; attackWord.MatchString(name) && attackWord.MatchString(tokens[at]) {
				tokens[at] = name
			}
		}
		sql = strings.Join(tokens, "")
	}
	return sql
}

// TestMutatedAttacks: of some thousand changed attacks, what the gate lets pass shows and writes nothing when it runs, and some
// of the others do not either without a gate.
func TestMutatedAttacks(t *testing.T) {
	g := newTarget(t)
	db, err := query.Open(t.Context(), []query.View{g.granted}, query.Options{TempDir: t.TempDir()})
	require.NoError(t, err)
	defer db.Close()
	r := rand.New(rand.NewPCG(11, 0))
	all := statements(attacks)
	all = append(all, statements("SELECT client_id, n FROM t\nSELECT day, count(*) FROM t GROUP BY 1\nFROM t\nSELECT list_sum([n, 1]) "+
		"FROM t WHERE client_id LIKE 'c%'")...)
	var passed, refused []statement
	for range 4000 {
		m := statement{"mutated", mutate(r, all)}
		if _, err := db.Gate(t.Context(), g.words.Replace(m.sql), gate.Grants{}); err == nil {
			passed = append(passed, m)
		} else {
			refused = append(refused, statement{"refused", m.sql})
		}
	}
	t.Logf("%d of %d pass the gate", len(passed), len(passed)+len(refused))
	if len(passed) < 20 || len(refused) < 1000 {
		t.Errorf("%d pass, %d do not: not much is tried", len(passed), len(refused))
	}
	each(t, append(passed[:min(len(passed), 100)], refused[:100]...), func(t *testing.T, s statement) {
		q := g.request(s.sql)
		q.ungated = s.section == "refused"
		q.Limits.Time = bombTime
		if q.ungated && strings.Contains(s.sql, "{part}") {
			return
		}
		g.run(t, q, !q.ungated)
	})
	g.unharmed(t)
}

// FuzzAttack: no text that the gate lets pass shows or writes what it must not.
func FuzzAttack(f *testing.F) {
	for i, s := range statements(attacks) {
		if i%40 == 0 {
			f.Add(s.sql)
		}
	}
	g := newTarget(f)
	f.Fuzz(func(t *testing.T, sql string) {
		q := g.request(sql)
		q.Limits.Time = bombTime
		g.run(t, q, true)
		g.unharmed(t)
	})
}
