package duck

import (
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/internal/lazy"
)

// A timestamp with time zone is written between these bytes as its instant and its zone until the end, so
// that functions can take it apart again: Expand makes a struct of it.
const zonedStart, zonedMiddle, zonedEnd = "\x06", "\x07", "\x08"

// Zoned returns a timestamp in UTC with the zone that it is shown in. Null stays null.
func Zoned(instant, zone string) string {
	return zonedStart + instant + zonedMiddle + zone + zonedEnd
}

// Instant returns the time in UTC of a timestamp with time zone.
func Instant(sql string) string {
	if t, _, ok := zonedParts(sql); ok {
		return t
	}
	return "struct_extract(" + sql + ", 't')"
}

// Zone returns the zone of a timestamp with time zone.
func Zone(sql string) string {
	if _, z, ok := zonedParts(sql); ok {
		return z
	}
	return "struct_extract(" + sql + ", 'z')"
}

// zonedParts splits SQL that Zoned wrote, perhaps after marks.
func zonedParts(sql string) (instant, zone string, ok bool) {
	for strings.HasPrefix(sql, markStart) {
		_, sql, _ = strings.Cut(sql, markEnd)
	}
	if !strings.HasPrefix(sql, zonedStart) {
		return "", "", false
	}
	middle, depth := 0, 0
	for i := 0; i < len(sql); i++ {
		switch sql[i : i+1] {
		case zonedStart:
			depth++
		case zonedMiddle:
			if depth == 1 {
				middle = i
			}
		case zonedEnd:
			if depth--; depth == 0 {
				return sql[1:middle], sql[middle+1 : i], i == len(sql)-1
			}
		}
	}
	return "", "", false
}

// Expand writes the structs of values that Zoned wrote.
func Expand(sql string) string {
	for {
		end := strings.Index(sql, zonedEnd)
		if end < 0 {
			return sql
		}
		start := strings.LastIndex(sql[:end], zonedStart)
		instant, zone, _ := zonedParts(sql[start : end+1])
		uses := func(i int) int { return 2 - i }
		sql = sql[:start] + Bind([]string{instant, zone}, uses, func(a []string) string {
			return "CASE WHEN " + a[0] + " IS NOT NULL THEN {t: " + a[0] + ", z: " + a[1] + "} END"
		}) + sql[end+1:]
	}
}

var (
	constantZone = lazy.Regexp(`^'([^']*)'$`)
	offsetZone   = lazy.Regexp(`^([+-])(\d\d):(\d\d)$`)
)

// Local returns the time on the clocks of a zone when it is instant in UTC. Zones are named, or offsets such as +02:00,
// which DuckDB does not know.
func Local(instant, zone string) string { return shift(instant, zone, 1) }

// FromLocal returns the instant in UTC of a time on the clocks of a zone.
func FromLocal(local, zone string) string { return shift(local, zone, -1) }

func shift(x, zone string, sign int) string {
	named := "timezone($2, timezone('UTC', $1))"
	plus, minus := "+", "-"
	if sign < 0 {
		named = "timezone('UTC', timezone($2, $1))"
		plus, minus = minus, plus
	}
	if m := constantZone().FindStringSubmatch(zone); m != nil {
		if m[1] == "UTC" {
			return x
		}
		if o := offsetZone().FindStringSubmatch(m[1]); o != nil {
			hours, _ := strconv.Atoi(o[2])
			minutes, _ := strconv.Atoi(o[3])
			if o[1] == "-" {
				plus = minus
			}
			return "(" + x + " " + plus + " to_minutes(" + strconv.Itoa(hours*60+minutes) + "))"
		}
		return Replace(named, []string{x, zone}, 2)
	}
	minutes := "to_minutes(CAST(substr($2, 2, 2) AS INTEGER) * 60 + CAST(substr($2, 5, 2) AS INTEGER))"
	return Fill("CASE WHEN $2 = 'UTC' THEN $1 WHEN starts_with($2, '+') THEN $1 "+plus+" "+minutes+
		" WHEN starts_with($2, '-') THEN $1 "+minus+" "+minutes+" ELSE "+named+" END", []string{x, zone}, 2)
}

// LocalOf returns the time that a timestamp with time zone shows.
func LocalOf(sql string) string { return Local(Instant(sql), Zone(sql)) }
