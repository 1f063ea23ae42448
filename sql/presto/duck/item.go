package duck

import (
	"strings"

	"github.com/pingmill/pingmill/internal/lazy"
)

// An item of a SELECT list that may be dropped stands between the first and the last of these: its
// table, its name, and the SQL with the comma behind it.
const itemStart, itemMiddle, itemEnd = "\x04", "\x05", "\x05\x04"

// Item returns an item of the SELECT list of a table in FROM that Prune drops if nothing names table.name. Another item
// has to follow it.
func Item(table, name, sql string) string {
	return itemStart + table + itemMiddle + name + itemMiddle + sql + " AS " + name + ", " + itemEnd
}

// reference matches the names of columns of such tables.
var reference = lazy.Regexp(`\br\d+\.c\d+\b`)

// Prune drops the items that nothing names: DuckDB would bind hundreds of columns for each of them. The items of an outer
// query stand before those of the inner ones, which they name.
func Prune(sql string) string {
	if !strings.Contains(sql, itemStart) {
		return sql
	}
	uses := map[string]int{}
	for _, name := range reference().FindAllString(sql, -1) {
		uses[name]++
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(sql, itemStart)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		table, after, _ := strings.Cut(after, itemMiddle)
		name, after, _ := strings.Cut(after, itemMiddle)
		item, rest, _ := strings.Cut(after, itemEnd)
		if uses[table+"."+name] > 0 {
			b.WriteString(item)
		} else {
			for _, name := range reference().FindAllString(item, -1) {
				uses[name]--
			}
		}
		sql = rest
	}
}
