package presto

import (
	"slices"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/functions"
	"github.com/pingmill/pingmill/sql/presto/scalar"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

var (
	boolean = types.New(types.Boolean)
	varchar = types.New(types.Varchar)
)

// show answers a SHOW statement from the catalog alone.
func (t *translator) show(s syntax.Statement) *Translation {
	switch s := s.(type) {
	case *syntax.ShowTables:
		return t.showTables(s)
	case *syntax.ShowColumns:
		return t.showColumns(s)
	case *syntax.ShowFunctions:
		return t.showFunctions(s)
	case *syntax.ShowPartitions:
		return t.showPartitions(s)
	case *syntax.ShowSchemas:
		heading, names := "Schema", []string{"default", "information_schema"}
		if s.Catalogs {
			heading, names = "Catalog", []string{"hive"}
		}
		var rows [][]string
		for _, name := range names {
			if t.matches(s.Like, name) {
				rows = append(rows, []string{name})
			}
		}
		return listing([]string{heading}, rows)
	}
	t.refuse(s, "SHOW PARTITIONS FROM table lists what there is of a table", "SHOW STATS is not supported")
	return nil
}

// listing returns a result of texts that are known.
func listing(names []string, rows [][]string) *Translation {
	out := &Translation{Kind: Show, SQL: "SELECT * FROM " + constants(rows, len(names)) + " AS t(" + quoted(names) + ")"}
	for _, name := range names {
		out.Columns = append(out.Columns, Column{Name: name, Type: varchar})
	}
	return out
}

func quoted(names []string) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = duck.Name(n)
	}
	return strings.Join(list, ", ")
}

// constants writes rows of texts in brackets.
func constants(rows [][]string, width int) string {
	if len(rows) == 0 {
		return "(SELECT " + strings.TrimSuffix(strings.Repeat("CAST(NULL AS VARCHAR), ", width), ", ") + " WHERE false)"
	}
	list := make([]string, len(rows))
	for i, row := range rows {
		values := make([]string, width)
		for n, v := range row {
			values[n] = duck.Text(v)
		}
		list[i] = "(" + strings.Join(values, ", ") + ")"
	}
	return "(VALUES " + strings.Join(list, ", ") + ")"
}

func (t *translator) showTables(s *syntax.ShowTables) *Translation {
	var names []string
	if s.From != nil {
		names = t.catalog.schema(s.From.Last().Key())
	}
	if len(names) == 0 {
		if s.From != nil {
			t.checkPath(syntax.Name{Span: s.From.Span, Parts: append(slices.Clone(s.From.Parts), syntax.Ident{Span: s.From.Span, Name: "table"})})
		}
		for _, table := range t.catalog.Tables {
			names = append(names, table.Name)
		}
	}
	var rows [][]string
	for _, name := range names {
		if t.matches(s.Like, name) {
			rows = append(rows, []string{name})
		}
	}
	slices.SortFunc(rows, slices.Compare)
	return listing([]string{"Table"}, rows)
}

func (t *translator) showColumns(s *syntax.ShowColumns) *Translation {
	table := t.tableNamed(s.Table, s.Table)
	var rows [][]string
	for _, c := range table.Columns {
		if !t.matches(s.Like, c.Name) {
			continue
		}
		rows = append(rows, []string{c.Name, c.Type.String(), "", c.Comment})
	}
	t.tables = map[string]bool{} // it is not read
	return listing([]string{"Column", "Type", "Extra", "Comment"}, rows)
}

func (t *translator) showFunctions(s *syntax.ShowFunctions) *Translation {
	kinds := map[functions.Kind]string{functions.Scalar: "scalar", functions.Aggregate: "aggregate", functions.Window: "window"}
	var rows [][]string
	for _, f := range functions.All() {
		for _, form := range f.Forms {
			if in, out, _ := strings.Cut(form.Signature, " -> "); t.matches(s.Like, f.Name) {
				rows = append(rows, []string{f.Name, out, strings.TrimSuffix(strings.TrimPrefix(in, "("), ")"), kinds[f.Kind], "true", f.Doc})
			}
		}
	}
	slices.SortFunc(rows, slices.Compare)
	return listing([]string{"Function", "Return Type", "Argument Types", "Function Type", "Deterministic", "Description"}, rows)
}

// matches reports whether a name is like a pattern; all are without one.
func (t *translator) matches(l *syntax.LikePattern, name string) bool {
	if l == nil {
		return true
	}
	ok, err := scalar.Like(name, l.Pattern, l.Escape)
	t.check(l, err)
	return ok
}
