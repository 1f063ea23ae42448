package query

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/gate"
)

func gateDB(t testing.TB) *DB {
	columns := []Column{{Name: "a", Type: "INTEGER"}, {Name: "b", Type: "VARCHAR"}}
	return open(t, View{Name: "t", Columns: columns}, View{Name: "u", Columns: columns})
}

// gateCases calls do for each line of a file of SQL, with the comment above it.
func gateCases(t testing.TB, file string, do func(sql, comment string)) {
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	comment := ""
	for s := bufio.NewScanner(f); s.Scan(); {
		if c, ok := strings.CutPrefix(s.Text(), "-- "); ok {
			comment = c
			continue
		}
		do(s.Text(), comment)
	}
}

// TestGateCases: what analysts write is let pass, what reaches for more is refused with a reason, whatever it is inside.
func TestGateCases(t *testing.T) {
	db := gateDB(t)
	gateCases(t, "testdata/gate_allowed.sql", func(sql, _ string) {
		if _, err := db.Gate(t.Context(), sql, gate.Grants{}); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	})
	gateCases(t, "testdata/gate_refused.sql", func(sql, why string) {
		if _, err := db.Gate(t.Context(), sql, gate.Grants{}); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: want %q, got %v", sql, why, err)
		}
	})
	for _, sql := range []string{"select 1" + strings.Repeat("+1", 100_000),
		"select " + strings.Repeat("[", 3000) + strings.Repeat("]", 3000)} {
		if _, err := db.Gate(t.Context(), sql, gate.Grants{}); err == nil {
			t.Errorf("%.30s… of %d bytes is let pass", sql, len(sql))
		}
	}
}

func BenchmarkGate(b *testing.B) {
	db := gateDB(b)
	const sql = "with x as (select a, count(*) n from t where b like 'x%' group by 1) select x.a, sum(n) over (order by x.a) from x join " +
		"u using (a) where u.b in ('p', 'q') order by 2 desc limit 10"
	for b.Loop() {
		if _, err := db.Gate(b.Context(), sql, gate.Grants{}); err != nil {
			b.Fatal(err)
		}
	}
}
