package pgwire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/serve/bi/bitest"
)

// ways are those in which a client can send a statement.
var ways = []struct {
	name string
	send func(f *front, sql string) answers
}{
	{"simple", (*front).query},
	{"extended", func(f *front, sql string) answers {
		f.send(&pgproto3.Parse{Query: sql}, &pgproto3.Bind{}, &pgproto3.Describe{ObjectType: 'P'}, &pgproto3.Execute{}, &pgproto3.Sync{})
		return f.answer()
	}},
	{"described", func(f *front, sql string) answers {
		f.send(&pgproto3.Parse{Query: sql}, &pgproto3.Describe{ObjectType: 'S'}, &pgproto3.Bind{ResultFormatCodes: []int16{1}},
			&pgproto3.Execute{MaxRows: 1}, &pgproto3.Sync{})
		return f.answer()
	}},
	{"catalog", func(f *front, sql string) answers { return f.query("SELECT 1 FROM pg_am --\r; " + sql) }},
	{"hidden", func(f *front, sql string) answers { return f.query("SELECT 1 FROM pg_am /* /* */ ; " + sql + " */") }},
	{"second", func(f *front, sql string) answers { return f.query("SELECT 1; BEGIN; " + sql + "; COMMIT") }},
	{"cursor", func(f *front, sql string) answers { return f.query("DECLARE c CURSOR FOR " + sql) }},
	{"copy", func(f *front, sql string) answers { return f.query("COPY (" + sql + ") TO STDOUT") }},
	{"prepare", func(f *front, sql string) answers { return f.query("PREPARE p AS " + sql) }},
	{"presto", func(f *front, sql string) answers {
		f.query("SET dialect = 'presto'")
		defer f.query("SET dialect = 'duckdb'")
		return f.query(sql)
	}},
}

// emulated reports whether a statement is one that the session itself answers, without any effect on what runs.
func emulated(sql string) bool {
	word := strings.ToLower(strings.Fields(sql)[0])
	switch word {
	case "begin", "commit", "rollback", "set", "reset", "deallocate", "close", "show":
		return true
	}
	return strings.Contains(sql, "set_config(") || strings.Contains(sql, "pg_get_viewdef(")
}

// TestAttacks: no attack passes any entrance, no answer shows secrets, and nothing is written.
func TestAttacks(t *testing.T) {
	port, o := served(t, nil)
	f := signedIn(t, port, o.Tokens["common"])
	require.Empty(t, f.query("SET dialect = 'duckdb'").code())
	before := []string(nil)
	for n, way := range ways {
		attacks := o.Attacks(t, n, len(ways))
		if n == 0 {
			before = o.Files(t)
		}
		for _, a := range attacks {
			got := way.send(f, a.SQL)
			require.False(t, got.closed, "%s: %s", way.name, a.SQL)
			bitest.Unharmed(t, o, a, fmt.Sprint(got.rows, got.err))
			if inComment := way.name == "hidden" && fmt.Sprint(got.rows) == "[[1]]"; !a.Harmless && !emulated(a.SQL) && !inComment {
				assert.NotNil(t, got.err, "%s: %s: %v", way.name, a.SQL, got.rows)
			}
		}
		f.query("ROLLBACK")
	}
	assert.Subset(t, before, o.Files(t))
	assert.Equal(t, [][]string{{"3"}}, f.query("SELECT list_sum([1, 2])").rows, "the session goes on")
}
