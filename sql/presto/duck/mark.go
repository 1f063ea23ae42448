package duck

import (
	"sort"
	"strconv"
	"strings"
)

// A mark says from which byte of the query a piece of SQL is. It is written into the SQL
// between these two bytes, which cannot occur there otherwise.
const markStart, markEnd = "\x01", "\x02"

// Mark puts a mark before SQL.
func Mark(offset int, sql string) string {
	return markStart + strconv.Itoa(offset) + markEnd + sql
}

// Unmark removes the marks.
func Unmark(sql string) string {
	s, _ := Marks(sql)
	return s
}

// Place is a mark: where it was in the SQL, and the byte of the query.
type Place struct{ At, Origin int }

// Marks takes the marks out of SQL.
func Marks(sql string) (string, []Place) {
	if !strings.Contains(sql, markStart) {
		return sql, nil
	}
	var b strings.Builder
	var places []Place
	for {
		before, after, found := strings.Cut(sql, markStart)
		b.WriteString(before)
		if !found {
			return b.String(), places
		}
		number, rest, _ := strings.Cut(after, markEnd)
		origin, _ := strconv.Atoi(number)
		places = append(places, Place{b.Len(), origin})
		sql = rest
	}
}

// Origin returns the byte of the query for a byte of the SQL: that of the last mark before it; -1 if there is none.
func Origin(places []Place, at int) int {
	n := sort.Search(len(places), func(i int) bool { return places[i].At > at })
	if n == 0 {
		return -1
	}
	return places[n-1].Origin
}
