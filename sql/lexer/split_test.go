package lexer

import (
	"slices"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		sql  string
		want []string // statements
		rest string
	}{
		{"SELECT 1;", []string{"SELECT 1"}, ""},
		{"SELECT 1; SELECT 2", []string{"SELECT 1"}, " SELECT 2"},
		{"SELECT ';', \"a;b\", $$;$$, $x$ $$;$x$; x", []string{"SELECT ';', \"a;b\", $$;$$, $x$ $$;$x$"}, " x"},
		{"SELECT 'it''s;' /* ; */ -- ;\n, 1;", []string{"SELECT 'it''s;' /* ; */ -- ;\n, 1"}, ""},
		{"SELECT e'a\\';b';", []string{"SELECT e'a\\';b'"}, ""},
		{"SELECT the'x;", nil, "SELECT the'x;"},
		{";; -- nothing\n;SELECT 1;;", []string{"SELECT 1"}, ""},
		{"SELECT 'open;", nil, "SELECT 'open;"},
		{"-- about\nSELECT 1;\n/* next */ SELECT 2;", []string{"-- about\nSELECT 1", "\n/* next */ SELECT 2"}, ""},
		{"SELECT \"$path\", 1e5, $1;", []string{"SELECT \"$path\", 1e5, $1"}, ""},
	} {
		list, rest := Split(Either, c.sql)
		var got []string
		for _, s := range list {
			got = append(got, s.SQL)
		}
		if !slices.Equal(got, c.want) || rest.SQL != c.rest {
			t.Errorf("%q: %q and %q, want %q and %q", c.sql, got, rest.SQL, c.want, c.rest)
		}
	}
}

func TestComplete(t *testing.T) {
	for sql, want := range map[string]bool{
		"": true, "  \n": true, "SELECT 1": false, "SELECT 1;": true, "SELECT 1; ": true, "SELECT 1; -- done": true,
		"SELECT 1; /* open": false, "SELECT ';": false, "-- its statement follows": false, "SELECT 1; SELECT 2": false,
	} {
		if got := Complete(Presto, sql); got != want {
			t.Errorf("%q: %v, want %v", sql, got, want)
		}
	}
}

// TestIn: lines and characters count from the start of the whole text.
func TestIn(t *testing.T) {
	text := "SELECT 'é';\n SELECT 2; SELECT\n 3;"
	list, _ := Split(Presto, text)
	for i, want := range []string{"SELECT 'é'", "\n SELECT 2", "\n" + strings.Repeat(" ", len(" SELECT 2;")) + " SELECT\n 3"} {
		if got := list[i].In(text); i > 0 && got != want && got != strings.Repeat(" ", len([]rune("SELECT 'é';")))+want {
			t.Errorf("statement %d: %q, want %q", i, got, want)
		}
	}
}

// FuzzSplit: nothing is lost between tokens and statements, whatever is typed, in any dialect.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{"SELECT 1; SELECT 'a;", "$a$ ; $a$;", "e'\\", "\"\"\"", "/**/-- ;", "\xff;é;$é$", "1.5e5_x;0x'", "{{a}};{{;}}",
		"//*;*/;/*/*;*/;"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		for _, d := range []Dialect{Presto, DuckDB, Either} {
			end := 0
			for token := range Scan(d, sql) {
				if token.Start < end || token.End <= token.Start || token.End > len(sql) {
					t.Fatalf("token %+v behind byte %d of %q", token, end, sql)
				}
				if token.Open && token.End < len(sql) {
					t.Fatalf("token %+v of %q is open before the end", token, sql)
				}
				if gap := strings.TrimSpace(sql[end:token.Start]); strings.Trim(gap, unicodeBlanks) != "" {
					t.Fatalf("%q: %q is in no token", sql, gap)
				}
				end = token.End
			}
			list, rest := Split(d, sql)
			for _, s := range append(list, rest) {
				if sql[s.Start:s.Start+len(s.SQL)] != s.SQL {
					t.Fatalf("statement %+v is not at its place in %q", s, sql)
				}
				if in := s.In(sql); !strings.HasSuffix(in, s.SQL) || strings.Count(in, "\n") != strings.Count(sql[:s.Start+len(s.SQL)], "\n") {
					t.Fatalf("statement %+v of %q is padded to %q", s, sql, in)
				}
			}
		}
	})
}
