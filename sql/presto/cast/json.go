package cast

import (
	"fmt"
	"strings"

	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// toJSON writes a value as JSON: maps and rows are objects, those of maps sorted by
// their keys. Null stays null, inside of others it is JSON's.
func (w *writer) toJSON(sql string, from types.Type) string {
	switch {
	case from.Kind == types.Unknown:
		return "CAST(NULL AS JSON)"
	case from.Kind == types.JSON:
		return sql
	case from.Whole(), from.Is(types.Boolean, types.Varchar):
		return "to_json(" + sql + ")"
	case from.Is(types.Double, types.Real):
		return duck.Cast("presto_json_double(CAST("+sql+" AS DOUBLE))", "JSON")
	case from.Kind == types.Decimal:
		return duck.Cast(decimalText(sql, from), "JSON")
	case from.Is(types.Date, types.Timestamp):
		return "to_json(" + Text(sql, from) + ")"
	case from.Kind == types.Array:
		x := "j" + depth(from)
		return "CASE WHEN " + sql + " IS NOT NULL THEN to_json(list_transform(" + sql + ", lambda " + x + ": " + w.toJSON(x, from.Elem()) +
			")) END"
	case from.Kind == types.Map:
		return w.mapToJSON(sql, from)
	case from.Kind == types.Row:
		return w.rowToJSON(sql, from)
	}
	return w.none()
}

func (w *writer) mapToJSON(sql string, from types.Type) string {
	key := from.Elem()
	if !key.Is(types.Boolean, types.Varchar, types.Double, types.Real, types.Decimal, types.Date, types.Timestamp) && !key.Whole() {
		return w.none()
	}
	x := "j" + depth(from)
	name := Text(x+".key", key)
	if key.Is(types.Double, types.Real) {
		name = "presto_json_double(CAST(" + x + ".key AS DOUBLE))"
	}
	member := "{key: " + name + ", value: " + w.toJSON(x+".value", from.Value()) + "}"
	return duck.Fill("CASE WHEN $1 IS NOT NULL THEN to_json(map_from_entries(list_sort(list_transform(map_entries($1), lambda "+x+": "+member+
		")))) END", []string{sql}, 9)
}

func (w *writer) rowToJSON(sql string, from types.Type) string {
	return duck.Once(sql, func(r string) string {
		members := make([]string, len(from.Elems))
		for i, e := range from.Elems {
			value := w.toJSON(Field(r, from, i), e)
			members[i] = fmt.Sprintf("%s || coalesce(CAST(%s AS VARCHAR), 'null')", duck.Text(`"`+strings.ReplaceAll(from.Names[i], `"`, `\"`)+`":`),
				value)
		}
		return "CASE WHEN " + r + " IS NOT NULL THEN CAST('{' || " + strings.Join(members, " || ',' || ") + " || '}' AS JSON) END"
	})
}

// fromJSON makes a value of JSON, as Trino does it: a text in it is converted like text, and so on.
func (w *writer) fromJSON(sql string, to types.Type) string {
	switch {
	case to.Kind == types.JSON:
		return sql
	case to.Kind == types.Array:
		x := "j" + depth(to)
		return w.whenJSON(sql, "ARRAY", "list_transform(CAST($1 AS JSON[]), lambda "+x+": "+w.element(x, to.Elem())+")", to)
	case to.Kind == types.Map:
		entries := "CAST($1 AS MAP(VARCHAR, JSON))"
		x := "j" + depth(to)
		member := "{key: " + w.cast(x+".key", types.New(types.Varchar), to.Elem()) + ", value: " + w.element(x+".value", to.Value()) + "}"
		return w.whenJSON(sql, "OBJECT", "map_from_entries(list_transform(map_entries("+entries+"), lambda "+x+": "+member+"))", to)
	case to.Kind == types.Row:
		return w.rowFromJSON(sql, to)
	case to.Numeric(), to.Is(types.Boolean, types.Varchar):
		return duck.Once(sql, func(x string) string { return w.scalarFromJSON(x, to) })
	}
	return w.none()
}

// element returns an element of a JSON array or object; JSON's null comes as null.
func (w *writer) element(x string, to types.Type) string {
	if to.Kind == types.JSON {
		return "coalesce(" + x + ", CAST('null' AS JSON))"
	}
	return w.fromJSON(x, to)
}

func (w *writer) whenJSON(sql, kind, then string, to types.Type) string {
	return duck.Fill("CASE json_type($1) WHEN '"+kind+"' THEN "+then+" WHEN 'NULL' THEN NULL ELSE "+w.jsonError("$1", to)+" END",
		[]string{sql}, 9)
}

// jsonError returns the error of JSON that is not of a type.
func (w *writer) jsonError(x string, to types.Type) string {
	if w.try {
		return "NULL"
	}
	return "CASE WHEN " + x + " IS NOT NULL THEN error(concat('Cannot cast ''', " + x + ", ''' to " +
		strings.ReplaceAll(to.String(), "'", "''") + "')) END"
}

func (w *writer) rowFromJSON(sql string, to types.Type) string {
	return duck.Once(sql, func(x string) string {
		byName, byPlace := make([]string, len(to.Elems)), make([]string, len(to.Elems))
		for i, e := range to.Elems {
			field := duck.Name(to.Field(i)) + ": "
			byName[i] = field + w.element(member(x, to.Names[i]), e)
			byPlace[i] = field + w.element(fmt.Sprintf("json_extract(%s, '$[%d]')", x, i), e)
		}
		return fmt.Sprintf("CASE json_type(%s) WHEN 'OBJECT' THEN {%s} WHEN 'ARRAY' THEN CASE WHEN json_array_length(%s) = %d THEN {%s} "+
			"ELSE %s END WHEN 'NULL' THEN NULL ELSE %s END",
			x, strings.Join(byName, ", "), x, len(to.Elems), strings.Join(byPlace, ", "), w.jsonError(x, to), w.jsonError(x, to))
	})
}

// member returns a member of a JSON object; its name may be of another case.
func member(x, name string) string {
	pointer := duck.Text("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
	key := "list_filter(json_keys(" + x + "), lambda k: lower(k) = " + duck.Text(strings.ToLower(name)) + ")[1]"
	return "coalesce(json_extract(" + x + ", " + pointer + "), json_extract(" + x + ", '/' || replace(replace(" + key +
		", '~', '~0'), '/', '~1')))"
}

func (w *writer) scalarFromJSON(x string, to types.Type) string {
	text := "json_extract_string(" + x + ", '$')"
	varchar, double := types.New(types.Varchar), types.New(types.Double)
	if to.Kind == types.Varchar && to.Precision != types.Unbounded {
		return w.cast(w.scalarFromJSON(x, varchar), varchar, to)
	}
	number := duck.Cast(text, "DOUBLE")
	whole := w.plain(text, to)
	switch to.Kind {
	case types.Varchar:
		whole = text
	case types.Boolean:
		whole = "(" + duck.Cast(text, "DOUBLE") + " <> 0)"
	}
	return fmt.Sprintf("CASE json_type(%s) WHEN 'VARCHAR' THEN %s WHEN 'BOOLEAN' THEN %s WHEN 'DOUBLE' THEN %s WHEN 'NULL' THEN NULL "+
		"WHEN 'OBJECT' THEN %s WHEN 'ARRAY' THEN %s ELSE %s END",
		x, w.cast(text, varchar, to), w.cast(duck.Cast(text, "BOOLEAN"), types.New(types.Boolean), to), w.cast(number, double, to),
		w.jsonError(x, to), w.jsonError(x, to), whole)
}
