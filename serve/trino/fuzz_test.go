package trino

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/lexer"
)

// FuzzClient: headers are read or refused, and a prepared statement is the same after its way to the client and back.
func FuzzClient(f *testing.F) {
	for _, s := range []string{
		"a=b", "a=b,c=%zz", "=", "p=SELECT+%3F", "p=%24zstd%3AKLUv_QQAAQAAbm9uZQ==", "p=%24zstd%3A", ",,a=1;b", "a%3Db=c",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, name := range []string{"X-Trino-Session", "X-Trino-Prepared-Statement", "X-Trino-Client-Capabilities"} {
			c, err := clientOf(http.Header{name: {s}})
			if err != nil {
				continue
			}
			for name, text := range c.prepared {
				again, err := clientOf(http.Header{"X-Trino-Prepared-Statement": {header(name, "") + packed(text)}})
				if len(text) < len(packedPrefix) || text[:len(packedPrefix)] != packedPrefix {
					require.NoError(t, err)
					require.Equal(t, text, again.prepared[name])
				}
			}
			_, _ = c.maxRunTime()
		}
	})
}

// FuzzBind: whatever the values of parameters are, the statement has the same parts around them, and stays one.
func FuzzBind(f *testing.F) {
	for _, s := range [][2]string{
		{"SELECT ?, '?', \"?\" -- ?\n, ? LIMIT ?", "1, 'it''s', BIGINT '5'"}, {"SELECT (?)", "1) UNION SELECT (2"}, {"x ? y", "/* , */ 1"},
		{"SELECT -?", "-1"}, {"SELECT ?", "ARRAY[1, ROW(2, 3)], x"}, {"SELECT ?", "'a"}, {"SELECT ?", "1 --"}, {"SELECT x'?", "{{a}}"},
		{"EXECUTE IMMEDIATE 'SELECT ?' USING 1", "U&'\\0041' UESCAPE '!'"}, {"SELECT 1?2", "3"},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, statement, values string) {
		t1 := tokensOf(statement)
		for _, k := range t1.list {
			if k.Open {
				return // refused when it is parsed
			}
		}
		list, err := tokensOf(values).arguments()
		if err != nil {
			return
		}
		bound, err := t1.bind(list)
		if err != nil {
			return
		}
		require.LessOrEqual(t, len(lexer.All(lexer.Presto, bound)), max(1, len(lexer.All(lexer.Presto, statement))))
		var want []string
		n := 0
		for i, k := range t1.list {
			if t1.at(i) != "?" {
				want = append(want, k.Text(statement))
				continue
			}
			for _, v := range lexer.Tokens(lexer.Presto, list[n].value(false)) {
				want = append(want, v.Text(list[n].value(false)))
			}
			n++
		}
		var got []string
		for _, k := range lexer.Tokens(lexer.Presto, bound) {
			require.False(t, k.Open)
			got = append(got, k.Text(bound))
		}
		if !counted(t1) {
			require.Equal(t, want, got)
		}
	})
}

// counted reports whether a statement has words before which values are written in another way.
func counted(t tokens) bool {
	for i := range t.list {
		for _, w := range counts {
			if t.at(i) == w {
				return true
			}
		}
	}
	return false
}

// FuzzCommand: any statement is a command, an error or none; nothing panics.
func FuzzCommand(f *testing.F) {
	for _, c := range statements {
		f.Add(c[0])
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := tokensOf(s)
		_ = isCommand(text)
		_, _ = text.path()
		_ = text.check()
		c := &call{text: s, st: &statement{client: client{prepared: map[string]string{"p": "SELECT ?"}}}}
		if text.begins("EXECUTE") && c.expand(text) == nil {
			require.NotContains(t, tokensOf(c.text).list, "?")
		}
	})
}
