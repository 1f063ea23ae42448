package syntax

import (
	"strconv"
	"strings"
)

// special writes the forms with words of their own.
func (w *printer) special(x Expr) bool {
	switch x := x.(type) {
	case *Extract:
		w.str("EXTRACT(")
		w.ident(x.Field)
		w.str(" FROM ")
		w.expr(x.X)
	case *Grouping:
		w.str("GROUPING(")
		w.exprs(x.Args)
	case *Listagg:
		w.listagg(x)
		return true
	case *JSONExists:
		w.str("JSON_EXISTS(")
		w.jsonPath(x.Path)
		w.behavior(x.OnError, "ERROR")
	case *JSONValue:
		w.str("JSON_VALUE(")
		w.jsonPath(x.Path)
		if x.Returning != nil {
			w.str(" RETURNING ", formatType(x.Returning))
		}
		w.behavior(x.OnEmpty, "EMPTY")
		w.behavior(x.OnError, "ERROR")
	case *JSONQuery:
		w.str("JSON_QUERY(")
		w.jsonPath(x.Path)
		w.returning(x.Returning)
		w.str([]string{"", " WITH CONDITIONAL WRAPPER", " WITH WRAPPER"}[x.Wrapper])
		w.when(x.OmitQuotes, " OMIT QUOTES")
		w.behavior(x.OnEmpty, "EMPTY")
		w.behavior(x.OnError, "ERROR")
	case *JSONObject:
		w.str("JSON_OBJECT(")
		comma(w, x.Members, func(m JSONMember) {
			w.str("KEY ")
			w.expr(m.Key)
			w.str(" VALUE ")
			w.jsonInput(m.Value)
		})
		w.when(x.AbsentOnNull, " ABSENT ON NULL")
		w.when(x.UniqueKeys, " WITH UNIQUE KEYS")
		w.returning(x.Returning)
	case *JSONArray:
		w.str("JSON_ARRAY(")
		comma(w, x.Elems, w.jsonInput)
		w.when(x.NullOnNull, " NULL ON NULL")
		w.returning(x.Returning)
	default:
		return false
	}
	w.str(")")
	return true
}

func (w *printer) listagg(l *Listagg) {
	w.str("LISTAGG(")
	w.when(l.Distinct, "DISTINCT ")
	w.expr(l.X)
	if l.Separator != nil {
		w.str(", ", quoteText(l.Separator.Value))
	}
	if o := l.Overflow; o != nil {
		w.str(" ON OVERFLOW ")
		if o.Truncate {
			w.str("TRUNCATE ")
			if o.Filler != nil {
				w.str(quoteText(o.Filler.Value), " ")
			}
			w.when(o.WithCount, "WITH COUNT")
			w.when(!o.WithCount, "WITHOUT COUNT")
		} else {
			w.str("ERROR")
		}
	}
	w.str(") WITHIN GROUP (")
	w.orderBy(l.OrderBy)
	w.str(")")
	w.filter(l.Filter)
}

func (w *printer) jsonInput(in JSONInput) {
	w.expr(in.X)
	w.format(in.Format, in.Encoding)
}

func (w *printer) format(format bool, encoding string) {
	w.when(format, " FORMAT JSON")
	w.when(encoding != "", " ENCODING "+encoding)
}

func (w *printer) jsonPath(path JSONPath) {
	w.jsonInput(path.Input)
	w.str(", ", quoteText(path.Path.Value))
	for i, arg := range path.Passing {
		w.str([]string{" PASSING ", ", "}[min(i, 1)])
		w.jsonInput(arg.Input)
		w.str(" AS ")
		w.ident(arg.Name)
	}
}

func (w *printer) returning(r *JSONReturning) {
	if r != nil {
		w.str(" RETURNING ", formatType(r.Type))
		w.format(r.Format, r.Encoding)
	}
}

func (w *printer) behavior(b JSONBehavior, on string) {
	for _, known := range behaviors {
		if known.kind != b.Kind {
			continue
		}
		w.str(" ", strings.Join(known.words, " "))
		if b.Default != nil {
			w.str(" ")
			w.expr(b.Default)
		}
		w.str(" ON ", on)
	}
}

// formatType writes a type as Presto prints it, such as "array(varchar)" and
// "timestamp(3) with time zone".
func formatType(t *Type) string {
	if len(t.Params) == 0 {
		return typeName(t.Name)
	}
	params := make([]string, len(t.Params))
	for i, param := range t.Params {
		switch {
		case param.Type == nil:
			params[i] = strconv.FormatInt(param.Number, 10)
		case param.Field != nil:
			params[i] = quoteName(param.Field.Key()) + " " + formatType(param.Type)
		default:
			params[i] = formatType(param.Type)
		}
	}
	first, rest, zoned := strings.Cut(t.Name, " with ")
	text := typeName(first) + "(" + strings.Join(params, ", ") + ")"
	if zoned {
		text += " with " + rest
	}
	return text
}

// typeName quotes names that are not plain words.
func typeName(name string) string {
	for _, c := range []byte(name) {
		if !letter(c) && !digit(c) && c != ' ' {
			return quoteName(name)
		}
	}
	if reserved[strings.ToUpper(name)] {
		return quoteName(name)
	}
	return name
}
