package quality

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/schema"
)

// maxRows is the largest number of rows of the queries.
const maxRows = 300

// days returns the days that a finding compares.
func (f *Finding) days(day string) []string {
	at, err := job.ParseDay(day)
	if err != nil {
		return []string{day}
	}
	days := []string{day, job.FormatDay(at.AddDate(0, 0, -1)), job.FormatDay(at.AddDate(0, 0, -7))}
	if f.Since != "" {
		days = append(days, f.Since)
		if since, err := job.ParseDay(f.Since); err == nil {
			days = append(days, job.FormatDay(since.AddDate(0, 0, -1)))
		}
	}
	slices.Sort(days)
	return slices.Compact(days)
}

// scope returns the day in SQL, and the clauses that select some days. Of a table of snapshots that is the last of them alone:
// others may have been removed.
func scope(t *schema.Table, days []string) (day, from, where string) {
	if t.IsSnapshots() {
		last := days[len(days)-1]
		return literal(last), "\nFROM " + sqlName(t.Name+"_"+t.PartitionDir(last)), ""
	}
	day = sqlName(t.PartitionKeys[0])
	values := make([]string, len(days))
	for i, d := range days {
		values[i] = literal(t.PartitionValue(d))
	}
	where = fmt.Sprintf("\nWHERE %s IN (%s)", day, strings.Join(values, ", "))
	if len(days) > 3 && isRange(days) {
		where = fmt.Sprintf("\nWHERE %s BETWEEN %s AND %s", day, values[0], values[len(values)-1])
	}
	return day, "\nFROM " + sqlName(t.Name), where
}

// Query returns a query in Presto's SQL that shows a metric on some days. It reads the column of the metric, the day,
// and nothing else.
func (m *Metric) Query(t *schema.Table, days ...string) string {
	day, from, where := scope(t, days)
	column, list, elements := m.expression(t)
	head := "SELECT " + day + " AS day"
	byDay := "\nGROUP BY 1\nORDER BY 1"
	switch m.Measure {
	case Rows, Bytes:
		return head + ", count(*) AS \"rows\"" + from + where + byDay
	case Clients:
		return head + ", count(*) AS \"rows\", count(DISTINCT " + sqlName(m.Column) + ") AS clients" + from + where + byDay
	case Known:
		return head + ", count(*) AS \"rows\", count(" + column + ") AS known, 1 - count(" + column + ") / CAST(count(*) AS double) AS nulls" +
			from + where + byDay
	case Repeated:
		return head + ", count(*) AS \"rows\", count(" + column + ") - count(DISTINCT " + column + ") AS repeated" + from + where + byDay
	case Empty:
		return head + ", count(*) AS \"rows\", count_if(cardinality(" + column + ") = 0) AS empty" + from + where + byDay
	case Typical:
		if list {
			column = "cardinality(" + column + ")"
		}
		return head + ", count(" + column + ") AS known, min(" + column + ") AS smallest, approx_percentile(" + column +
			", 0.25) AS quarter, approx_percentile(" +
			column + ", 0.5) AS median, approx_percentile(" + column + ", 0.75) AS three_quarters, max(" + column + ") AS largest" + from + where +
			byDay
	}
	if list {
		from += "\nCROSS JOIN UNNEST(" + elements + ") AS u (value)"
		column = "value"
	}
	return head + ", " + column + " AS value, count(*) AS \"rows\"" + from + where +
		fmt.Sprintf("\nGROUP BY 1, 2\nORDER BY 1, 3 DESC\nLIMIT %d", maxRows)
}

func isRange(days []string) bool {
	all, err := job.DayRange(days[0], days[len(days)-1])
	return err == nil && slices.Equal(all, days)
}

// expression returns the column or member in SQL, whether it is an array or map, and what its elements or keys are
// then.
func (m *Metric) expression(t *schema.Table) (column string, list bool, elements string) {
	if m.Column == "" {
		return "", false, ""
	}
	path := strings.Split(m.Column, ".")
	at := t.Index(path[0])
	if at < 0 {
		return sqlName(m.Column), false, ""
	}
	typ := t.Columns[at].Type
	column = sqlName(path[0])
	for _, member := range path[1:] {
		i := slices.IndexFunc(typ.Fields, func(f schema.Field) bool { return f.Name == member })
		if i < 0 {
			break
		}
		typ, column = typ.Fields[i].Type, column+"."+sqlName(member)
	}
	switch typ.Kind {
	case schema.Map:
		return column, true, "map_keys(" + column + ")"
	case schema.Array:
		for _, f := range typ.Elem.Fields {
			if f.Type.Kind == schema.String {
				return column, true, "transform(" + column + ", x -> x." + sqlName(f.Name) + ")"
			}
		}
		return column, true, column
	}
	return column, false, ""
}

// sqlName returns a name in SQL.
func sqlName(s string) string {
	plain := strings.IndexFunc(s, func(r rune) bool { return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') }) < 0
	if plain && s != "" && (s[0] < '0' || s[0] > '9') && !slices.Contains(words, s) {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

// words are names of columns and members that are words of Presto's SQL.
var words = []string{"values", "table", "user", "current_date", "order", "group", "when", "end"}

func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
