package presto

import (
	"slices"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/cast"
	"github.com/pingmill/pingmill/sql/presto/scalar"
	"github.com/pingmill/pingmill/sql/presto/syntax"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// name translates a column, a column of a table, or a field of a row: a, t.a, a.b, t.a.b, hive.default.t.a ….
func (t *translator) name(s *Scope, e syntax.Expr) Expr {
	parts := dotted(e)
	if f, ok := e.(*syntax.Field); ok && parts == nil {
		return t.field(f, t.expr(s, f.Base))
	}
	for at := s; at != nil; at = at.Outer {
		if n := t.find(at, e, parts); n != nil {
			return Expr{SQL: n.SQL, Type: n.Type, Key: n.Key}
		}
		if at != s && at.Rewrite != nil && at.Clause != "lambda" { // a query with groups is around
			if x, ok := at.Rewrite(e); ok {
				return x
			}
		}
	}
	if f, ok := e.(*syntax.Field); ok {
		if tables := s.tableColumns(parts); tables != nil && len(parts) == 2 && !s.hasColumn(parts[0]) {
			t.noColumn(s, f, tables)
		}
		x := t.expr(s, f.Base)
		if s.only(parts[:len(parts)-1]) == f.Name.Key() {
			return x
		}
		return t.field(f, x)
	}
	t.unknown(s, e.(*syntax.Column))
	return Expr{}
}

// only returns the name of the only field of the rows whose values a column has, "" for any other column.
func (s *Scope) only(parts []string) string {
	for at := s; at != nil; at = at.Outer {
		if found := at.lookup(parts); len(found) == 1 {
			return found[0].Only
		}
	}
	return ""
}

// noColumn explains why a table has no column of a name.
func (t *translator) noColumn(s *Scope, f *syntax.Field, known []string) {
	hint := didYouMean(f.Name.Name, known)
	if s.hasColumn(f.Name.Key()) {
		hint = "write " + f.Name.Name + " alone: a column of USING belongs to both tables"
	}
	t.fail(f.Name, hint, "%s has no column %s", f.Base.Bounds().Text(t.text), f.Name.Name)
}

// hasColumn reports whether a name alone is a column here or around.
func (s *Scope) hasColumn(name string) bool {
	for at := s; at != nil; at = at.Outer {
		if len(at.lookup([]string{name})) > 0 {
			return true
		}
	}
	return false
}

// find looks a name up in one scope; nil if it is not there.
func (t *translator) find(s *Scope, e syntax.Expr, parts []string) *Named {
	found := s.lookup(parts)
	switch len(found) {
	case 0:
		return nil
	case 1:
		return &found[0]
	}
	hint := ""
	if len(parts) == 1 && found[0].Table != "" && found[0].Table != found[1].Table {
		hint = "write " + found[0].Table + "." + parts[0] + " or " + found[1].Table + "." + parts[0]
	}
	t.fail(e, hint, "column %s is ambiguous", strings.Join(parts, "."))
	return nil
}

// dotted returns the parts of a name in lower case; nil if the expression is not one.
func dotted(e syntax.Expr) []string {
	switch e := e.(type) {
	case *syntax.Column:
		return []string{e.Name.Key()}
	case *syntax.Field:
		if base := dotted(e.Base); base != nil {
			return append(slices.Clone(base), e.Name.Key())
		}
	}
	return nil
}

// field translates row.name.
func (t *translator) field(e *syntax.Field, row Expr) Expr {
	if row.Type.Kind != types.Row {
		t.fail(e.Name, "", "%s is %s, which has no field %s", e.Base.Bounds().Text(t.text), row.Type, e.Name.Name)
	}
	at := -1
	for i, name := range row.Type.Names {
		if strings.ToLower(name) == e.Name.Key() {
			if at >= 0 {
				t.fail(e.Name, "", "field %s is ambiguous", e.Name.Name)
			}
			at = i
		}
	}
	if at < 0 {
		t.fail(e.Name, didYouMean(e.Name.Name, row.Type.Names), "%s has no field %s", row.Type, e.Name.Name)
	}
	return Expr{SQL: cast.Field(row.SQL, row.Type, at), Type: row.Type.Elems[at]}
}

// unknown explains why a column is not found.
func (t *translator) unknown(s *Scope, e *syntax.Column) {
	hint := ""
	var known []string
	for at := s; at != nil; at = at.Outer {
		if x := at.Aliases[e.Name.Key()]; x != nil {
			t.fail(e, "repeat the expression: "+t.shown(x.Bounds()), "%s is a name of the SELECT list, which the %s does not know", e.Name.Name,
				s.clause())
		}
		for _, n := range at.Names {
			known = append(known, n.Name)
		}
	}
	switch {
	case strings.HasPrefix(e.Name.Name, "$"):
		t.refuse(e, "SHOW PARTITIONS FROM table lists the partitions", "the hidden column %s is not supported", e.Name.Name)
	case e.Name.Quoted && (len(known) == 0 || didYouMean(e.Name.Name, known) == ""):
		hint = "text is written in single quotes: '" + strings.ReplaceAll(e.Name.Name, "'", "''") + "'"
	case s.anyTable(e.Name.Key()):
		hint = e.Name.Name + " is a table; name one of its columns"
	default:
		hint = didYouMean(e.Name.Name, known)
	}
	t.fail(e, hint, "column %s is not known", e.Name.Name)
}

func (s *Scope) anyTable(name string) bool {
	for at := s; at != nil; at = at.Outer {
		if at.hasTable(name) {
			return true
		}
	}
	return false
}

// tableColumns returns the columns of the table that the first part of a name names.
func (s *Scope) tableColumns(parts []string) []string {
	var names []string
	for at := s; at != nil; at = at.Outer {
		for _, n := range at.Names {
			if n.Table == parts[0] {
				names = append(names, n.Name)
			}
		}
	}
	return names
}

// didYouMean returns a hint with the nearest name; "" if none is near.
func didYouMean(name string, known []string) string {
	name = strings.ToLower(name)
	best, least := "", int64(1+len(name)/3)
	for _, k := range known {
		if d := scalar.Levenshtein([]byte(name), []byte(strings.ToLower(k))); d <= least && k != "" && (best == "" || d < least) {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return "did you mean " + best + "?"
}
