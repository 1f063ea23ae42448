package cast

import (
	"strings"

	"github.com/pingmill/pingmill/sql/presto/duck"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// Key returns the expression to group, join, sort and compare by where DuckDB distinguishes values that are
// equal in Presto: instants in other zones, char with blanks at the end, and maps with their keys in another order.
func Key(sql string, typ types.Type) string {
	switch {
	case !typ.Has(types.TimestampTZ, types.Char, types.Map):
		return sql
	case typ.Kind == types.TimestampTZ:
		return duck.Instant(sql)
	case typ.Kind == types.Char:
		return "rtrim(" + sql + ", ' ')"
	}
	return nestedKey(sql, typ, 0)
}

// keyParams are the parameters of lambdas, by how deeply they are nested.
var keyParams = []string{"m", "mm", "mmm", "mmmm", "mmmmm", "mmmmmm", "mmmmmmm"}

func nestedKey(sql string, typ types.Type, depth int) string {
	if !typ.Has(types.TimestampTZ, types.Char, types.Map) || depth == len(keyParams) {
		return sql
	}
	x := keyParams[depth]
	switch typ.Kind {
	case types.Array:
		return "list_transform(" + sql + ", lambda " + x + ": " + nestedKey(x, typ.Elem(), depth+1) + ")"
	case types.Map:
		entry := "{k: " + nestedKey(x+".key", typ.Elem(), depth+1) + ", v: " + nestedKey(x+".value", typ.Value(), depth+1) + "}"
		return "list_sort(list_transform(map_entries(" + sql + "), lambda " + x + ": " + entry + "))"
	case types.Row:
		fields := make([]string, len(typ.Elems))
		for i, e := range typ.Elems {
			fields[i] = duck.Name(typ.Field(i)) + ": " + nestedKey(Field(sql, typ, i), e, depth)
		}
		return "CASE WHEN " + sql + " IS NOT NULL THEN {" + strings.Join(fields, ", ") + "} END"
	}
	return Key(sql, typ)
}
