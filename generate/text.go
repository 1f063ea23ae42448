package generate

import (
	"strconv"
	"time"

	"github.com/pingmill/pingmill/ping"
)

// text is JSON that is being written. Every member and element ends with a
// comma; closing an object or array takes the last one back.
type text struct{ b []byte }

// raw appends what is JSON already.
func (t *text) raw(s string) { t.b = append(t.b, s...) }

// key appends the name of a member, which needs no escapes.
func (t *text) key(k string) {
	t.b = append(t.b, '"')
	t.b = append(t.b, k...)
	t.b = append(t.b, '"', ':')
}

// name appends a member name that may need escapes.
func (t *text) name(k string) { t.b = append(ping.AppendQuoted(t.b, []byte(k)), ':') }

func (t *text) open(k string) {
	t.key(k)
	t.b = append(t.b, '{')
}

func (t *text) openList(k string) {
	t.key(k)
	t.b = append(t.b, '[')
}

// begin starts an element that is an object.
func (t *text) begin() { t.b = append(t.b, '{') }

// beginList starts an element that is an array.
func (t *text) beginList() { t.b = append(t.b, '[') }

func (t *text) close()     { t.end('}') }
func (t *text) closeList() { t.end(']') }

func (t *text) end(bracket byte) {
	if last := len(t.b) - 1; t.b[last] == ',' {
		t.b[last] = bracket
	} else {
		t.b = append(t.b, bracket)
	}
	t.b = append(t.b, ',')
}

func (t *text) str(k, v string) {
	t.key(k)
	t.elem(v)
}

// elem appends a text as an element.
func (t *text) elem(v string) { t.b = append(ping.AppendQuoted(t.b, []byte(v)), ',') }

// word appends a member whose text is known to need no escapes.
func (t *text) word(k string, v []byte) {
	t.key(k)
	t.b = append(t.b, '"')
	t.b = append(t.b, v...)
	t.b = append(t.b, '"', ',')
}

// strOrNull appends a text, or null when it is empty.
func (t *text) strOrNull(k, v string) {
	if v == "" {
		t.null(k)
		return
	}
	t.str(k, v)
}

func (t *text) num(k string, v int) {
	t.key(k)
	t.number(v)
}

// number appends a number as an element.
func (t *text) number(v int) { t.b = append(strconv.AppendInt(t.b, int64(v), 10), ',') }

// numOrNull appends a number, or null when it is 0.
func (t *text) numOrNull(k string, v int) {
	if v == 0 {
		t.null(k)
		return
	}
	t.num(k, v)
}

func (t *text) bool(k string, v bool) {
	t.key(k)
	t.b = append(strconv.AppendBool(t.b, v), ',')
}

func (t *text) null(k string) {
	t.key(k)
	t.raw("null,")
}

// list appends an array of texts.
func (t *text) list(k string, values []string) {
	t.openList(k)
	for _, v := range values {
		t.elem(v)
	}
	t.closeList()
}

// uuid appends an identifier as a member.
func (t *text) uuid(k string, seed uint64, p purpose, client, n uint64) {
	t.key(k)
	t.b = append(t.b, '"')
	t.b = appendUUID(t.b, seed, p, client, n)
	t.b = append(t.b, '"', ',')
}

// instant appends a time in ns as UTC with milliseconds.
func (t *text) instant(k string, ns int64) {
	t.key(k)
	t.b = appendTime(t.b, ns, `"2006-01-02T15:04:05.000Z",`)
}

// localHour appends a time in ns as the browser writes starts of sessions: local
// time, cut to the hour.
func (t *text) localHour(k string, ns int64, zone *time.Location) {
	t.key(k)
	whole := time.Unix(0, ns-ns%second) // the layout's last 0 is that of the fraction
	t.b = whole.In(zone).AppendFormat(t.b, `"2006-01-02T15:00:00.0-07:00",`)
}

// memberName is the name of a member as JSON, with the colon.
func memberName(name string) string {
	return string(append(ping.AppendQuoted(nil, []byte(name)), ':'))
}

func memberNames(names []string) []string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = memberName(n)
	}
	return all
}

// appendTime appends a time in ns as UTC.
func appendTime(dst []byte, ns int64, layout string) []byte {
	return time.Unix(0, ns).UTC().AppendFormat(dst, layout)
}
