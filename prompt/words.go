package prompt

import (
	"maps"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/presto/functions"
	"github.com/pingmill/pingmill/query"
)

// keywords are offered by completion.
var keywords = strings.Fields(`ALL AND AS ASC BETWEEN BY CASE CAST CROSS CURRENT_DATE CURRENT_TIMESTAMP DATE DESC DESCRIBE
	DISTINCT ELSE END EXCEPT EXISTS EXPLAIN EXTRACT FALSE FETCH FILTER FIRST FOLLOWING FROM FULL GROUP GROUPING HAVING IN
	INNER INTERSECT INTERVAL IS JOIN LAST LEFT LIKE LIMIT NOT NULL NULLS OFFSET ON OR ORDER ORDINALITY OUTER OVER PARTITION
	PARTITIONS PRECEDING RANGE RIGHT ROW ROWS SELECT SETS SHOW TABLES THEN TIME TIMESTAMP TRUE TRY_CAST UNBOUNDED UNION
	UNNEST USING VALUES WHEN WHERE WINDOW WITH ZONE`)

// statementWords begin a statement.
var statementWords = strings.Fields("SELECT WITH VALUES EXPLAIN SHOW DESCRIBE")

// functions are those of the dialect, by name. DuckDB's are many and have no list here.
func (s *Session) functions() (list []*functions.Function) {
	if s.Dialect == query.DuckDB {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(functions.All)) {
		list = append(list, functions.All[name])
	}
	return list
}
