package cast

import (
	"fmt"

	"github.com/pingmill/pingmill/presto/duck"
	"github.com/pingmill/pingmill/presto/types"
)

// SQL writes CAST(sql AS to) as Trino does it. The error says that there is no such cast.
func SQL(sql string, from, to types.Type) (string, error) {
	if from.Equal(to) {
		return sql, nil
	}
	if types.Coerces(from, to) {
		return Coerce(sql, from, to), nil
	}
	if from.Numeric() && to.Numeric() {
		return duck.Cast(sql, to.DuckDB()), nil
	}
	return "", fmt.Errorf("cannot cast %s to %s", from, to)
}
