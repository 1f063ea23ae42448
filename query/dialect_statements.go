package query

import (
	"fmt"
	"strings"
)

// statement translates tokens lo to hi, one statement. Those of Presto and
// Hive about the catalog become queries; the others are translated call by call.
func (r *rewriter) statement(lo, hi int) {
	switch {
	case r.word(lo, "show") && r.word(lo+1, "partitions"):
		r.showPartitions(lo, hi)
	case r.word(lo, "show") && r.word(lo+1, "columns") && r.word(lo+2, "from", "in"):
		r.lead(lo)
		r.write("DESCRIBE", lo)
		r.render(lo+3, hi)
	case r.word(lo, "show") && r.word(lo+1, "tables") && hi > lo+2:
		r.showTables(lo, hi)
	case r.word(lo, "show") && r.word(lo+1, "functions", "schemas", "catalogs") && hi == lo+2:
		r.lead(lo)
		r.write(catalogQueries[strings.ToLower(r.text(lo+1))], lo)
	case r.word(lo, "show") && r.word(lo+1, "create", "stats", "session"):
		r.fail(lo, "SHOW "+strings.ToUpper(r.text(lo+1)), "DESCRIBE table lists a table's columns and types")
	case r.word(lo, "explain") && r.symbol(lo+1, "(") && r.match[lo+1] > 0 && r.word(lo+2, "type"):
		r.emit(lo)
		r.statement(r.match[lo+1]+1, hi)
	default:
		r.render(lo, hi)
	}
}

var catalogQueries = map[string]string{
	"functions": `SELECT DISTINCT function_name AS "Function", return_type AS "Return Type", parameters AS "Arguments", function_type AS "Function Type" FROM duckdb_functions() ORDER BY ALL`,
	"schemas":   `SELECT schema_name AS "Schema" FROM information_schema.schemata WHERE catalog_name = current_database() ORDER BY 1`,
	"catalogs":  `SELECT database_name AS "Catalog" FROM duckdb_databases() WHERE NOT internal ORDER BY 1`,
}

// showTables is SHOW TABLES [FROM schema] LIKE 'pattern', which DuckDB lacks.
func (r *rewriter) showTables(lo, hi int) {
	like := hi - 2
	if !r.word(like, "like") || r.toks[like+1].kind != tokString {
		r.render(lo, hi)
		return
	}
	r.write("SELECT name FROM (", lo)
	r.render(lo, like)
	r.write(") WHERE name", like)
	r.render(like, hi)
}

// showPartitions is Hive's SHOW PARTITIONS FROM table [WHERE …] [ORDER BY …]
// [LIMIT …], from the list of published files.
func (r *rewriter) showPartitions(lo, hi int) {
	at := lo + 2
	if r.word(at, "from", "in") {
		at++
	}
	for r.symbol(at+1, ".") && at+2 < hi {
		at += 2
	}
	if at >= hi {
		r.render(lo, hi)
		return
	}
	keys, rows, ok := r.partitions(r.name(at))
	if !ok {
		r.fail(at, "SHOW PARTITIONS of "+r.name(at), "only the tables of the lake have partitions")
		return
	}
	r.lead(lo)
	r.write("SELECT * FROM "+partitionValues(keys, rows), lo)
	r.render(at+1, hi)
}

// partitionValues writes the partitions of a table as a table.
func partitionValues(keys []string, rows [][]string) string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = quoteName(k)
	}
	list, only := make([]string, 0, len(rows)+1), ""
	for _, row := range rows {
		values := make([]string, len(row))
		for i, v := range row {
			values[i] = quoteText(v)
		}
		list = append(list, "("+strings.Join(values, ", ")+")")
	}
	if len(rows) == 0 {
		list, only = append(list, "("+strings.TrimSuffix(strings.Repeat("'', ", len(keys)), ", ")+")"), " WHERE false"
	}
	return fmt.Sprintf("(SELECT * FROM (VALUES %s) AS p(%s)%s) AS partitions",
		strings.Join(list, ", "), strings.Join(names, ", "), only)
}

// quoteName writes a name for SQL.
func quoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// unquoteName reads a name as it is written in SQL.
func unquoteName(s string) string {
	if !strings.HasPrefix(s, `"`) {
		return s
	}
	return strings.ReplaceAll(strings.TrimSuffix(s[1:], `"`), `""`, `"`)
}

// quoteText writes a text for SQL.
func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
