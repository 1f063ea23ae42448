package query

import (
	"reflect"

	"github.com/duckdb/duckdb-go/v2/mapping"
)

// Progress returns the percentage of the query that DuckDB has done, negative if unknown. It is safe for concurrent use
// while the rows are open.
func (r *Rows) Progress() float64 {
	// The driver has no method for this and does not export the handle that its C mapping needs.
	handle := reflect.ValueOf(r.conn).Elem().FieldByName("conn").FieldByName("Ptr")
	if !handle.IsValid() || handle.Kind() != reflect.UnsafePointer {
		return -1
	}
	p := mapping.QueryProgress(mapping.Connection{Ptr: handle.UnsafePointer()})
	percent, _, _ := mapping.QueryProgressTypeMembers(&p)
	return percent
}
