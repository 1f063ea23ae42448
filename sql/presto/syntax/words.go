package syntax

import "strings"

// reserved words are no names without quotes. All other words may be names of
// columns and aliases, such as day, date, count, share or limit.
var reserved = set(`
	ALTER AND AS BETWEEN BY CASE CAST CONSTRAINT CREATE CROSS CUBE CURRENT_CATALOG
	CURRENT_DATE CURRENT_PATH CURRENT_ROLE CURRENT_SCHEMA CURRENT_TIME CURRENT_TIMESTAMP
	CURRENT_USER DEALLOCATE DELETE DESCRIBE DISTINCT DROP ELSE END ESCAPE EXCEPT EXECUTE
	EXISTS EXTRACT FALSE FOR FROM FULL GROUP GROUPING HAVING IN INNER INSERT INTERSECT
	INTO IS JOIN JSON_ARRAY JSON_EXISTS JSON_OBJECT JSON_QUERY JSON_TABLE JSON_VALUE LEFT
	LIKE LISTAGG LOCALTIME LOCALTIMESTAMP NATURAL NORMALIZE NOT NULL ON OR ORDER OUTER
	PREPARE RECURSIVE RIGHT ROLLUP SELECT SKIP TABLE THEN TRIM TRUE UESCAPE UNION UNNEST
	USING VALUES WHEN WHERE WITH`)

// clauses are words that begin a clause and may be aliases too: they are
// aliases when what follows cannot belong to the clause.
var clauses = set("LIMIT OFFSET FETCH WINDOW TABLESAMPLE MATCH_RECOGNIZE")

// foreign are words of other dialects that are not taken as bare aliases when
// they stand before one of these: a word, a string, or any name or string ("*").
var foreign = map[string]string{
	"QUALIFY": "*", "ILIKE": "*", "RLIKE": "*", "REGEXP": "*", "GLOB": "*", "PIVOT": "(", "UNPIVOT": "(",
	"SORT": "BY", "DISTRIBUTE": "BY", "CLUSTER": "BY",
	"SEMI": "JOIN", "ANTI": "JOIN", "ASOF": "JOIN", "POSITIONAL": "JOIN",
}

const readOnly = "the tables are read-only: ask with SELECT"

// refusals are statements that are refused, by their first word.
var refusals = map[string]string{
	"INSERT": readOnly, "UPDATE": readOnly, "DELETE": readOnly, "MERGE": readOnly, "TRUNCATE": readOnly,
	"CREATE": readOnly, "DROP": readOnly, "ALTER": readOnly, "COMMENT": readOnly, "REFRESH": readOnly,
	"ANALYZE": readOnly, "GRANT": readOnly, "REVOKE": readOnly, "DENY": readOnly, "CALL": readOnly,
	"SET": oneQuery, "RESET": oneQuery, "USE": oneQuery, "START": oneQuery, "COMMIT": oneQuery, "ROLLBACK": oneQuery,
	"PREPARE": noParameters, "DEALLOCATE": noParameters, "EXECUTE": noParameters,
}

const (
	oneQuery     = "a query runs alone, without session and settings"
	noParameters = "write the query itself, with its values"
)

// shows are the SHOW statements that are refused, by the word behind SHOW.
var shows = map[string]string{
	"CREATE": "`pingmill schema TABLE --format trino` prints the definition of a table", "SESSION": oneQuery, "GRANTS": "", "ROLES": "",
	"ROLE": "", "CURRENT": "",
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// Keywords returns the words that an editor offers.
func Keywords() []string {
	return strings.Fields(`ALL AND AS ASC BETWEEN BY CASE CAST CROSS CURRENT_DATE CURRENT_TIMESTAMP DATE DESC DESCRIBE
	DISTINCT ELSE END EXCEPT EXISTS EXPLAIN EXTRACT FALSE FETCH FILTER FIRST FOLLOWING FROM FULL GROUP GROUPING HAVING IN
	INNER INTERSECT INTERVAL IS JOIN LAST LEFT LIKE LIMIT NOT NULL NULLS OFFSET ON OR ORDER ORDINALITY OUTER OVER PARTITION
	PARTITIONS PRECEDING RANGE RIGHT ROW ROWS SELECT SETS SHOW TABLES THEN TIME TIMESTAMP TRUE TRY_CAST UNBOUNDED UNION
	UNNEST USING VALUES WHEN WHERE WINDOW WITH ZONE`)
}
