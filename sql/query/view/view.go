package view

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// Column is a column of a view or of a result.
type Column struct {
	Name string
	Type string // as DuckDB writes it: VARCHAR, BIGINT[], MAP(VARCHAR, INTEGER), …
}

// field writes the column for the schema of files.
func (c Column) field() string {
	return fmt.Sprintf("%s: {name: %s, type: %s, default_value: NULL}", QuoteText(c.Name), QuoteText(c.Name), QuoteText(c.Type))
}

// Condition limits the rows of a view to those where a column has one of some values, as texts.
type Condition struct {
	Column Column
	Values []string
}

// Member is a text in a struct.
type Member struct {
	Column Column
	Path   []string // names of the members that lead to it
}

// View is a table of the lake: its columns and the files that are published.
type View struct {
	Name    string
	Aliases []string // other names, such as clients_daily_v6
	// Files are absolute paths of local parquet files, exactly one generation
	// of each partition; none makes an empty table. A column that a file lacks
	// is null there, one that is not in Columns is not seen. Where there is no such
	// file, only queries that would read it fail.
	Files []string `json:"-"` // sent in a form of their own
	// Narrow counts the last ones of Files that have the same rows as the one file before them in their folder, and of
	// its columns NarrowColumns, with all partition keys. Queries of no other columns read them instead.
	Narrow        int
	NarrowColumns []string

	Sizes   []int64 `json:"-"` // of Files, in bytes; nil: not known
	Columns []Column
	// PartitionKeys name the columns whose value is the directory key=value in
	// a file's path. Where the path has only the first ones, the file has the others.
	PartitionKeys []string
	// Inside are the values of the last partition key that a file has, with commas between them, where its path does not say: "" where it
	// does. nil: all do.
	Inside []string
	// Client names the column with the id of the row's client, by which rows are
	// hidden; "" if there is none. It need not be one of Columns.
	Client string
	// IDs names further columns with ids of clients, by which rows are hidden, too. They need not be among Columns.
	IDs []string
	// Inner are ids of clients within structs, by which rows are hidden, too. Their columns need not be among Columns.
	Inner []Member
	// Rows are conditions that the rows meet; none: all rows. Their columns need not be among Columns.
	Rows []Condition
	// Sample names the column with the sample of the row's client, "" if there is none.
	Sample string
	Large  bool // queries must be limited by day
	// Unlisted means that Files were not asked for, since the query seems not to name the table: a query that reads it
	// fails.
	Unlisted bool
	// Of names the view that this one selects from, by the list Select in DuckDB's SQL; "" if it has files.
	From, Select string
	// Err, when set, is why Files could not be listed: a query that names the
	// table fails with it, others work.
	Err *ListError
}

// ListError means that the files of a view could not be listed. Its JSON is the text of its cause.
type ListError struct{ cause error }

// NewListError returns the error with a cause, nil if there is none.
func NewListError(cause error) *ListError {
	if cause == nil {
		return nil
	}
	return &ListError{cause}
}

func (e *ListError) Error() string                { return e.cause.Error() }
func (e *ListError) Unwrap() error                { return e.cause }
func (e *ListError) MarshalText() ([]byte, error) { return []byte(e.Error()), nil }

// UnmarshalText sets a cause with the text.
func (e *ListError) UnmarshalText(text []byte) error {
	e.cause = errors.New(string(text))
	return nil
}

// Create writes the statement that makes the view, without the rows of hidden clients if there are any. tag, if not
// empty, is a file that is in the list only to be left out by a condition: by it a scan in a plan is matched to its
// view. If paths have values of different keys, several scans read the rows.
func (v View) Create(hiding bool, tag string) string {
	if v.From != "" {
		return v.Together("CREATE OR REPLACE VIEW", []string{"SELECT " + v.Select + " FROM " + QuoteName(v.From)})
	}
	var selections []string
	for _, p := range v.Parts(tag) {
		selections = append(selections, p.Reading(hiding, nil))
	}
	return v.Together("CREATE OR REPLACE VIEW", selections)
}

// selection selects the rows of the files, at least one. The columns that are not in read, unless that is nil, are
// null: each one that can be read takes time, and the query is known to read none of them.
func (v View) selection(tag string, read []string) string {
	located := v.locate()
	granted := strings.Join(v.granted(located), " AND ")
	columns, fields := make([]string, len(v.Columns)), make([]string, 0, len(v.Columns))
	for i, c := range v.Columns {
		if expression, ok := located[c.Name]; ok {
			columns[i] = expression + " AS " + QuoteName(c.Name)
			continue
		}
		if read != nil && !slices.Contains(read, c.Name) {
			columns[i] = "CAST(NULL AS " + c.Type + ") AS " + QuoteName(c.Name)
			continue
		}
		columns[i] = limited(QuoteName(c.Name), granted)
		fields = append(fields, c.field())
	}
	for _, id := range v.deciding() {
		if !slices.ContainsFunc(v.Columns, func(c Column) bool { return c.Name == id.Name }) {
			fields = append(fields, id.field())
		}
	}
	if len(fields) == 0 { // only partition columns: DuckDB wants one to read
		fields = append(fields, "'': {name: '', type: 'BOOLEAN', default_value: NULL}")
	}
	files := make([]string, len(v.Files))
	for i, f := range v.Files {
		files[i] = QuoteText(f)
	}
	if tag != "" {
		files = append(files, QuoteText(tag))
	}
	named := ""
	if tag != "" || len(located) > 0 {
		named = ", filename = true"
	}
	return fmt.Sprintf("SELECT %s FROM read_parquet([%s], schema = MAP{%s}%s)",
		strings.Join(columns, ", "), strings.Join(files, ", "), strings.Join(fields, ", "), named)
}

// empty selects no rows of the view's columns and types.
func (v View) empty() string {
	columns := make([]string, len(v.Columns))
	for i, c := range v.Columns {
		columns[i] = "CAST(NULL AS " + c.Type + ") AS " + QuoteName(c.Name)
	}
	if len(columns) == 0 {
		columns = []string{"NULL"}
	}
	where := "false"
	if v.Unlisted {
		where = "CAST(system.main.error(" + QuoteText("the files of "+v.Name+" are not listed: write its name as it is") + ") AS BOOLEAN)"
	}
	return "SELECT " + strings.Join(columns, ", ") + " WHERE " + where
}

// HiveNull is a null in the name of a partition's folder.
const HiveNull = "__HIVE_DEFAULT_PARTITION__"

// locate returns for every partition key the expression that cuts its value out of a file's path. DuckDB computes it
// once per file while it plans, and so does not open files that a condition on it rules out. (Its own Hive partitioning
// does the same, but not together with a given schema.)
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
		value := ""
		switch {
		case !found: // the files hold it
			continue
		case same:
			value = fmt.Sprintf(`system.main.split_part(substr(filename, %d), '/', 1)`, at)
		default:
			value = fmt.Sprintf(`system.main.split_part(system.main.split_part(filename, %s, -1), '/', 1)`, QuoteText("/"+key+"="))
		}
		located[key] = "nullif(" + value + ", " + QuoteText(HiveNull) + ")"
	}
	return located
}

// Day returns the day of a file's partition, as its path has it; "" for a table without days.
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

// Sampled reports that files are at most half of their days' files, with one file for each sample.
func (v View) Sampled(files []string) bool {
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

// Partitions returns the distinct values of the partition keys, as folders have them, sorted: those that conditions on rows leave.
func (v View) Partitions() [][]string {
	seen := map[string]bool{}
	var rows [][]string
	add := func(row []string) {
		if !v.grants(row) {
			return
		}
		if id := strings.Join(row, "/"); !seen[id] {
			seen[id] = true
			rows = append(rows, slices.Clone(row))
		}
	}
	for i, f := range v.Base() {
		row := make([]string, len(v.PartitionKeys))
		for i, key := range v.PartitionKeys {
			if n := strings.LastIndex(f, "/"+key+"="); n >= 0 {
				row[i], _, _ = strings.Cut(f[n+len(key)+2:], "/")
			}
		}
		if i >= len(v.Inside) || v.Inside[i] == "" {
			add(row)
			continue
		}
		for value := range strings.SplitSeq(v.Inside[i], ",") {
			row[len(row)-1] = value
			add(row)
		}
	}
	sort.Slice(rows, func(i, j int) bool { return strings.Join(rows[i], "/") < strings.Join(rows[j], "/") })
	return rows
}
