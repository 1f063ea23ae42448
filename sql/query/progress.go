package query

import (
	"reflect"

	"github.com/duckdb/duckdb-go/v2/mapping"
)

// Progress is how much of the query DuckDB has done, in percent, less than 0 where it does not know. Any goroutine may ask while
// the rows are open.
func (r *Rows) Progress() float64 {
	// The driver has no call for this and keeps the handle, which its mapping needs, to itself.
	handle := reflect.ValueOf(r.conn).Elem().FieldByName("conn").FieldByName("Ptr")
	if !handle.IsValid() || handle.Kind() != reflect.UnsafePointer {
		return -1
	}
	p := mapping.QueryProgress(mapping.Connection{Ptr: handle.UnsafePointer()})
	percent, _, _ := mapping.QueryProgressTypeMembers(&p)
	return percent
}
