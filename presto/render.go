package presto

import (
	"github.com/pingmill/pingmill/presto/types"
)

// render writes a value of a result so that people see what Presto shows.
func render(sql string, t types.Type) string { return sql }
