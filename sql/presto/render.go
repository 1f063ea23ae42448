package presto

import (
	"github.com/pingmill/pingmill/sql/presto/cast"
	"github.com/pingmill/pingmill/sql/presto/types"
)

// unseen are the types whose values are not stored as Presto shows them.
var unseen = []types.Kind{types.TimestampTZ, types.IntervalDay, types.IntervalYear, types.Time, types.HyperLogLog, types.TDigest,
	types.QDigest}

// render writes a value of a result so that people see what Presto shows: text, where what is stored is something
// else.
func render(sql string, t types.Type) string {
	if !t.Has(unseen...) {
		return sql
	}
	return cast.Elements(sql, t, func(sql string, t types.Type) string {
		switch {
		case t.Is(types.HyperLogLog, types.TDigest, types.QDigest):
			return "('" + t.String() + " of ' || len(" + sql + ") || ' values')"
		case t.Is(unseen...):
			return cast.Text(sql, t)
		}
		return sql
	})
}
