package table

import (
	_ "embed"
	"strings"
	"sync"
	"time"
)

// parseISOTime reads an ISO 8601 date-time with a zone to seconds since epoch and
// nanoseconds, as java.time's ISO_DATE_TIME does. Seconds and their fraction are optional. The zone
// is Z, +hh:mm or +hh:mm:ss; a place may follow in brackets, which must be
// known and changes nothing. Years have four digits, or more and a sign.
func parseISOTime(s string) (sec int64, nanos int, ok bool) {
	d := &dateReader{rest: s}
	year := d.isoYear()
	d.want("-")
	month := d.number(2, 2)
	d.want("-")
	day := d.number(2, 2)
	d.want("T")
	hour := d.number(2, 2)
	d.want(":")
	minute, second := d.number(2, 2), 0
	if d.word(":") {
		second = d.number(2, 2)
		nanos = d.fraction()
	}
	offset := 0
	if !d.word("Z") {
		offset = d.offset(":", 2)
	}
	if place, found := strings.CutPrefix(d.rest, "["); found {
		name, end := strings.CutSuffix(place, "]")
		if !end || !isPlace(name) {
			d.fail()
		}
		d.rest = ""
	}
	if d.bad || d.rest != "" || month < 1 || month > 12 || day < 1 || day > monthDays(year, month) ||
		hour > 23 || minute > 59 || second > 59 {
		return 0, 0, false
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	return t.Unix() - int64(offset), nanos, true
}

// isoYear reads four digits, or up to ten with a sign: five at least after a plus.
func (d *dateReader) isoYear() int {
	switch {
	case strings.HasPrefix(d.rest, "-"):
		d.rest = d.rest[1:]
		year := d.number(4, 10)
		if year == 0 || year > lastYear {
			d.fail()
		}
		return -year
	case strings.HasPrefix(d.rest, "+"):
		d.rest = d.rest[1:]
		year := d.number(5, 10)
		if year > lastYear {
			d.fail()
		}
		return year
	}
	return d.number(4, 4)
}

// fraction reads an optional fraction of a second as nanoseconds.
func (d *dateReader) fraction() int {
	if !d.word(".") {
		return 0
	}
	before := len(d.rest)
	nanos := d.number(0, 9)
	for i := before - len(d.rest); i < 9; i++ {
		nanos *= 10
	}
	return nanos
}

//go:embed zones.txt
var zoneNames string

var zones = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{"Z": true, "UT": true, "UTC": true, "GMT": true}
	for name := range strings.FieldsSeq(zoneNames) {
		all[name] = true
	}
	return all
})

// isPlace reports whether there is a zone of a name: a region, or an offset, which may follow GMT, UT or UTC.
func isPlace(name string) bool {
	if zones()[name] {
		return true
	}
	for _, prefix := range []string{"UTC", "UT", "GMT", ""} {
		if rest, found := strings.CutPrefix(name, prefix); found {
			d := &dateReader{rest: rest}
			d.offset(":", 2)
			return !d.bad && d.rest == ""
		}
	}
	return false
}
