package query

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/query/encode"
)

// open returns a database over views that ends with the test.
func open(t testing.TB, views ...View) *DB {
	t.Helper()
	db, err := Open(context.Background(), views, Options{Threads: 2, TempDir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, db.Close())
	})
	return db
}

// answer returns the rows of a query as JSON arrays, a line each.
func answer(t testing.TB, db *DB, sql string) string {
	t.Helper()
	got, err := try(db, sql)
	if err != nil {
		t.Fatalf("%s\n%v", sql, err)
	}
	return got
}

func try(db *DB, sql string) (string, error) { return tryIn(db, DuckDB, sql) }

func tryIn(db *DB, d Dialect, sql string) (string, error) {
	rows, err := db.QueryIn(context.Background(), d, sql)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var b bytes.Buffer
	if _, err := rows.Write(&b, FormatNDJSON, WriteOptions{}); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// values returns the values of each row as JSON, without the names.
func values(t testing.TB, db *DB, sql string) string {
	t.Helper()
	return valuesIn(t, db, DuckDB, sql)
}

func valuesIn(t testing.TB, db *DB, d Dialect, sql string) string {
	t.Helper()
	rows, err := db.QueryIn(context.Background(), d, sql)
	if err != nil {
		t.Errorf("%s\n%v", sql, err)
		return ""
	}
	defer rows.Close()
	var lines []string
	for {
		row, err := rows.Next()
		if err != nil {
			if err.Error() != "EOF" {
				t.Errorf("%s\n%v", sql, err)
			}
			return strings.Join(lines, "\n")
		}
		text := string(encode.AppendJSON(nil, row))
		lines = append(lines, text[1:len(text)-1])
	}
}

// TestScripts runs the records of testdata/sql. A record is a verb, SQL, and after lines of
// "----" what is expected; blank lines and lines that begin with # are between records. The
// first lines of a file say which lake it asks (none, days, spread, longitudinal, or scans: days that are verified), which names in
// braces stand for other text, and the dialect if it is not Presto's.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/sql/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			runScript(t, string(text))
		})
	}
}

func runScript(t *testing.T, text string) {
	lets, lake, d, s := []string{}, "", Presto, (*script)(nil)
	for i, record := range strings.Split(text, "\n\n") {
		lines := strings.Split(strings.TrimSuffix(record, "\n"), "\n")
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "#") })
		if i == 0 {
			for _, line := range lines {
				word, rest, _ := strings.Cut(line, " ")
				switch word {
				case "let":
					name, value, _ := strings.Cut(rest, " ")
					lets = append(lets, "{"+name+"}", value)
				case "dialect":
					d = Dialect(rest)
				default:
					lake = rest
				}
			}
			s = newScript(t, lake)
			s.dialect = d
			continue
		}
		parts := strings.Split(strings.Join(lines[1:], "\n")+"\n", "----\n")
		for j := range parts {
			parts[j] = strings.TrimSuffix(parts[j], "\n")
		}
		verb, arg, _ := strings.Cut(lines[0], " ")
		s.run(verb, arg, strings.NewReplacer(lets...).Replace(parts[0]), parts[1:])
	}
}

// script is a file of records with the databases that they ask.
type script struct {
	t            *testing.T
	dialect      Dialect
	db           *DB
	others, some *DB // in which 100,000 others, and a and c besides, are hidden
	scans        *[]string
}

func newScript(t *testing.T, lake string) *script {
	s := &script{t: t}
	switch lake {
	case "":
		s.db = open(t)
	case "spread":
		s.db = spreadLake(t)
	case "longitudinal":
		s.db = open(t, longitudinalLake(t))
	case "days":
		s.db = open(t, sharedDays(t)...)
	case "scans":
		s.db, s.scans = verified(t, func([]Scan) error { return nil }, sharedDays(t)...)
	default:
		t.Fatalf("no lake %q", lake)
	}
	return s
}

func (s *script) run(verb, arg, sql string, want []string) {
	got := []string{}
	switch verb {
	case "query":
		got = append(got, valuesIn(s.t, s.db, s.dialect, sql))
	case "contains":
		if all := valuesIn(s.t, s.db, s.dialect, sql); strings.Contains(all, want[0]) {
			return
		}
	case "error":
		got = append(got, s.failure(sql, arg, want[0]))
	case "files":
		got, want = append(got, cmp.Or(scanned(s.t, s.db, s.dialect, sql), "all")), []string{arg}
	case "spread":
		left := "WITH copy AS (SELECT * FROM t), t AS (SELECT * FROM copy), t_v1 AS (SELECT * FROM copy) " + sql
		rows := sorted(valuesIn(s.t, s.db, s.dialect, sql))
		if rows == "" && arg != "all" && !strings.Contains(sql, "other") {
			s.t.Errorf("%s\ngives no rows", sql)
		}
		got, want = append(got, cmp.Or(scanned(s.t, s.db, s.dialect, sql), "all"), rows),
			[]string{arg, sorted(valuesIn(s.t, s.db, s.dialect, left))}
	case "scans":
		*s.scans = nil
		valuesIn(s.t, s.db, s.dialect, sql)
		slices.Sort(*s.scans)
		got = append(got, strings.Join(*s.scans, "\n"))
	case "hidden":
		s.hide()
		got = append(got, valuesIn(s.t, s.db, s.dialect, sql), valuesIn(s.t, s.some, s.dialect, sql), valuesIn(s.t, s.others, s.dialect, sql))
		want = append(want, want[0])
	default:
		s.t.Fatalf("no verb %q", verb)
	}
	if !slices.Equal(got, want) {
		s.t.Errorf("%s %s\n%s\n got %s\nwant %s", verb, arg, sql, strings.Join(got, "\n----\n"), strings.Join(want, "\n----\n"))
	}
}

// failure is want if the query fails at a place, with a kind, with a message that contains
// want's first line and a hint that contains the second, if there is one.
func (s *script) failure(sql, at, want string) string {
	_, err := tryIn(s.db, s.dialect, sql)
	var e *Error
	if !errors.As(err, &e) {
		return fmt.Sprint(err)
	}
	message, hint, hinted := strings.Cut(want, "\nhint: ")
	if fmt.Sprintf("%d:%d %s", e.Line, e.Column, e.Kind) == at && strings.Contains(e.Message, message) && strings.Contains(e.Hint, hint) &&
		hinted == (e.Hint != "") {
		return want
	}
	return fmt.Sprintf("%d:%d %s\n%s\nhint: %s", e.Line, e.Column, e.Kind, e.Message, e.Hint)
}

// hide opens the databases in which clients are hidden, once.
func (s *script) hide() {
	if s.some != nil {
		return
	}
	var ids []string
	for i := range 100_000 {
		ids = append(ids, fmt.Sprintf("other-%d", i))
	}
	s.others = hiding(s.t, ids, sharedDays(s.t)...)
	s.some = hiding(s.t, append(ids, "a", "c"), sharedDays(s.t)...)
}

func sorted(rows string) string {
	lines := strings.Split(rows, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
