package presto

import (
	"errors"
	"slices"

	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/scalar"
	"github.com/pingmill/pingmill/sql/presto/syntax"
)

// Translation is a query in DuckDB's SQL.
type Translation struct {
	SQL     string
	Kind    Kind
	Columns []Column // of the result
	Tables  []string // the tables of the catalog that it reads, sorted
	Rounded []Rounded
	marks   []duck.Place
}

// Kind is the kind of a statement.
type Kind uint8

// The kinds of statements.
const (
	Select Kind = iota
	Explain
	Show // tables, columns, functions
)

// Origin returns the byte of the query from which a byte of the SQL is; -1 if that is not known.
func (t *Translation) Origin(at int) int { return duck.Origin(t.marks, at) }

// Translate translates one statement. The error is a *syntax.Error with its place.
func Translate(text string, c *Catalog) (*Translation, error) {
	statement, err := syntax.Parse(text)
	if err != nil {
		return nil, err
	}
	return TranslateStatement(text, statement, c)
}

// TranslateStatement translates a statement that was parsed from text. The error is a
// *syntax.Error with its place.
func TranslateStatement(text string, statement syntax.Statement, c *Catalog) (result *Translation, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *syntax.Error:
			result, err = nil, p.Locate(text)
		default:
			panic(p)
		}
	}()
	t := &translator{text: text, catalog: c, tables: map[string]bool{}}
	result = t.statement(statement)
	result.SQL, result.marks = duck.Marks(duck.Prune(duck.Expand(result.SQL)))
	result.Rounded = t.rounded
	for name := range t.tables {
		result.Tables = append(result.Tables, name)
	}
	slices.Sort(result.Tables)
	return result, nil
}

// translator is the state of one translation. Its methods panic with
// *syntax.Error, which Translate recovers.
type translator struct {
	text    string
	catalog *Catalog
	tables  map[string]bool      // that were named
	hoisted *hoist               // of the TRY around, or nil
	lambdas int                  // how many lambdas are around
	filters map[syntax.Expr]bool // conditions by which DuckDB filters
	ctes    *cte                 // the queries of WITH, the nearest first
	aliases int                  // how many names have been made
	depth   int                  // of queries and joins
	work    int                  // how many expressions have been translated
	rounded []Rounded
}

// fail ends the translation: the query is wrong.
func (t *translator) fail(at syntax.Node, hint, format string, args ...any) {
	panic(syntax.Errorf(syntax.Wrong, at, hint, format, args...))
}

// refuse ends the translation: Presto would answer, we cannot.
func (t *translator) refuse(at syntax.Node, hint, format string, args ...any) {
	panic(syntax.Errorf(syntax.NotSupported, at, hint, format, args...))
}

// check ends the translation with an error that has no place yet.
func (t *translator) check(at syntax.Node, err error) {
	if err == nil {
		return
	}
	if e := (*syntax.Error)(nil); errors.As(err, &e) {
		panic(e)
	}
	if e := (*scalar.Error)(nil); errors.As(err, &e) {
		if e.Code == scalar.NotSupported {
			t.refuse(at, "", "%s", e.Message)
		}
		t.fail(at, "", "%s", e.Message)
	}
	t.fail(at, "", "%s", err)
}
