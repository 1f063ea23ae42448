package query

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// Column is a column of a view or of a result.
type Column struct {
	Name string
	Type string // as DuckDB writes it: VARCHAR, BIGINT[], MAP(VARCHAR, INTEGER), …
}

// View is a table of the lake: its columns and the files that are published.
type View struct {
	Name    string
	Aliases []string // other names, such as clients_daily_v6
	// Files are absolute paths of local parquet files, exactly one generation
	// of each partition; none makes an empty table. A column that a file lacks
	// is null there, one that is not in Columns is not seen. Where there is no such
	// file, only queries that would read it fail.
	Files   []string
	Sizes   []int64 // of Files, in bytes; nil: not known
	Columns []Column
	// PartitionKeys name the columns whose value is the directory key=value in
	// a file's path.
	PartitionKeys []string
	// Client names the column with the id of the row's client, by which rows are
	// hidden; "" if there is none.
	Client string
	// Sample names the column with the sample of the row's client, "" if there is none.
	Sample string
	Large  bool // queries must be limited by day
	// Unlisted says that Files were not asked for, since the query seems not to name the table: a query that reads it all the
	// same fails.
	Unlisted bool
	// Err, when set, is why Files could not be listed: a query that names the
	// table fails with it, others work.
	Err error
}

// create writes the statement that makes the view, without the rows of hidden
// clients if there are any. tag, if not empty, is a file that is in the list only to
// be left out by a condition: by it a scan in a plan is matched to its view.
func (v View) create(hiding bool, tag string) string {
	sql := "CREATE OR REPLACE VIEW " + quoteName(v.Name) + " AS " + v.selection(tag)
	if len(v.Files) == 0 {
		return sql
	}
	var conditions []string
	if tag != "" {
		conditions = append(conditions, "filename <> "+quoteText(tag))
	}
	if hiding && v.Client != "" {
		conditions = append(conditions, v.shown())
	}
	if len(conditions) > 0 {
		sql += " WHERE " + strings.Join(conditions, " AND ")
	}
	return sql
}

func (v View) selection(tag string) string {
	if len(v.Files) == 0 {
		return v.empty()
	}
	located := v.locate()
	columns, fields := make([]string, len(v.Columns)), make([]string, 0, len(v.Columns))
	for i, c := range v.Columns {
		if expression, ok := located[c.Name]; ok {
			columns[i] = expression + " AS " + quoteName(c.Name)
			continue
		}
		columns[i] = quoteName(c.Name)
		fields = append(fields, fmt.Sprintf("%s: {name: %s, type: %s, default_value: NULL}",
			quoteText(c.Name), quoteText(c.Name), quoteText(c.Type)))
	}
	if len(fields) == 0 { // nothing but partition columns: DuckDB wants one to read
		fields = append(fields, "'': {name: '', type: 'BOOLEAN', default_value: NULL}")
	}
	files := make([]string, len(v.Files))
	for i, f := range v.Files {
		files[i] = quoteText(f)
	}
	if tag != "" {
		files = append(files, quoteText(tag))
	}
	return fmt.Sprintf("SELECT %s FROM read_parquet([%s], schema = MAP{%s}, filename = true)",
		strings.Join(columns, ", "), strings.Join(files, ", "), strings.Join(fields, ", "))
}

// empty selects no rows of the view's columns and types.
func (v View) empty() string {
	columns := make([]string, len(v.Columns))
	for i, c := range v.Columns {
		columns[i] = "CAST(NULL AS " + c.Type + ") AS " + quoteName(c.Name)
	}
	where := "false"
	if v.Unlisted {
		where = "CAST(system.main.error(" + quoteText("the files of "+v.Name+" are not listed: write its name as it is") + ") AS BOOLEAN)"
	}
	return "SELECT " + strings.Join(columns, ", ") + " WHERE " + where
}

// locate gives for every partition key the expression that cuts its value out
// of a file's path. DuckDB computes it once per file while it plans, and so
// does not open files that a condition on it rules out. (Its own Hive
// partitioning does the same, but not together with a given schema.)
func (v View) locate() map[string]string {
	located := map[string]string{}
	for _, key := range v.PartitionKeys {
		at, same, found := 0, true, true
		for i, f := range v.Files {
			n := strings.LastIndex(f, "/"+key+"=")
			found = found && n >= 0
			n = utf8.RuneCountInString(f[:max(n, 0)]) + len(key) + 3 // substr counts characters from 1
			same = same && (i == 0 || n == at)
			at = n
		}
		switch {
		case !found: // the files hold it
		case same:
			located[key] = fmt.Sprintf(`system.main.split_part(substr(filename, %d), '/', 1)`, at)
		default:
			located[key] = fmt.Sprintf(`system.main.split_part(system.main.split_part(filename, %s, -1), '/', 1)`, quoteText("/"+key+"="))
		}
	}
	return located
}

// Day gives the day of a file's partition, as its path has it; "" for a table without days.
func (v View) Day(file string) string {
	if len(v.PartitionKeys) == 0 {
		return ""
	}
	_, day, _ := cutLast(file, "/"+v.PartitionKeys[0]+"=")
	day, _, _ = strings.Cut(day, "/")
	return day
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// sampled says whether files are at most half of those of their days, where a partition has a file for each sample.
func (v View) sampled(files []string) bool {
	if len(files) == 0 || len(v.PartitionKeys) < 2 {
		return false
	}
	days := map[string]bool{}
	for _, f := range files {
		days[v.Day(f)] = true
	}
	all := 0
	for _, f := range v.Files {
		if days[v.Day(f)] {
			all++
		}
	}
	return len(files)*2 <= all
}

// partitions gives the distinct values of the partition keys, sorted.
func (v View) partitions() [][]string {
	seen := map[string]bool{}
	var rows [][]string
	for _, f := range v.Files {
		row := make([]string, len(v.PartitionKeys))
		for i, key := range v.PartitionKeys {
			if n := strings.LastIndex(f, "/"+key+"="); n >= 0 {
				row[i], _, _ = strings.Cut(f[n+len(key)+2:], "/")
			}
		}
		if id := strings.Join(row, "/"); !seen[id] {
			seen[id] = true
			rows = append(rows, row)
		}
	}
	sort.Slice(rows, func(i, j int) bool { return strings.Join(rows[i], "/") < strings.Join(rows[j], "/") })
	return rows
}
