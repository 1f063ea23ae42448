package jsontext

import (
	"strconv"
	"time"

	"github.com/pingmill/pingmill/generate/random"
	"github.com/pingmill/pingmill/ping"
)

// Text is JSON that is being written, in B. Every member and element ends with a
// comma; closing an object or array takes the last one back.
type Text struct{ B []byte }

// Raw appends what is JSON already.
func (t *Text) Raw(s string) { t.B = append(t.B, s...) }

// Key appends the name of a member, which needs no escapes.
func (t *Text) Key(k string) {
	t.B = append(t.B, '"')
	t.B = append(t.B, k...)
	t.B = append(t.B, '"', ':')
}

// Name appends a member name that may need escapes.
func (t *Text) Name(k string) { t.B = append(ping.AppendQuoted(t.B, []byte(k)), ':') }

// Open starts a member that is an object.
func (t *Text) Open(k string) {
	t.Key(k)
	t.B = append(t.B, '{')
}

// OpenList starts a member that is an array.
func (t *Text) OpenList(k string) {
	t.Key(k)
	t.B = append(t.B, '[')
}

// Begin starts an element that is an object.
func (t *Text) Begin() { t.B = append(t.B, '{') }

// BeginList starts an element that is an array.
func (t *Text) BeginList() { t.B = append(t.B, '[') }

// Close ends an object, CloseList an array.
func (t *Text) Close()     { t.end('}') }
func (t *Text) CloseList() { t.end(']') }

func (t *Text) end(bracket byte) {
	if last := len(t.B) - 1; t.B[last] == ',' {
		t.B[last] = bracket
	} else {
		t.B = append(t.B, bracket)
	}
	t.B = append(t.B, ',')
}

// Put appends members: names, which need no escapes, and values by turns. A value
// is a string, an int, a bool, a []string, a NonEmpty, a NonZero, or nil for null.
func (t *Text) Put(pairs ...any) {
	for i := 0; i < len(pairs); i += 2 {
		t.Key(pairs[i].(string))
		switch v := pairs[i+1].(type) {
		case string:
			t.Elem(v)
		case NonEmpty:
			if v == "" {
				t.Raw("null,")
			} else {
				t.Elem(string(v))
			}
		case int:
			t.Number(v)
		case NonZero:
			if v == 0 {
				t.Raw("null,")
			} else {
				t.Number(int(v))
			}
		case bool:
			t.B = append(strconv.AppendBool(t.B, v), ',')
		case []string:
			t.BeginList()
			for _, e := range v {
				t.Elem(e)
			}
			t.CloseList()
		default:
			t.Raw("null,")
		}
	}
}

// Object appends a member that is an object of members, as Put has them.
func (t *Text) Object(k string, pairs ...any) {
	t.Open(k)
	t.Put(pairs...)
	t.Close()
}

// NonEmpty is a text that is null when it is empty, NonZero a number that is null
// when it is 0.
type (
	NonEmpty string
	NonZero  int
)

// Elem appends a text as an element.
func (t *Text) Elem(v string) { t.B = append(ping.AppendQuoted(t.B, []byte(v)), ',') }

// Word appends a member whose text is known to need no escapes.
func (t *Text) Word(k string, v []byte) {
	t.Key(k)
	t.B = append(t.B, '"')
	t.B = append(t.B, v...)
	t.B = append(t.B, '"', ',')
}

// Number appends a number as an element.
func (t *Text) Number(v int) { t.B = append(strconv.AppendInt(t.B, int64(v), 10), ',') }

// UUID appends an identifier as a member.
func (t *Text) UUID(k string, seed uint64, p random.Purpose, client, n uint64) {
	t.Key(k)
	t.B = append(t.B, '"')
	t.B = random.AppendUUID(t.B, seed, p, client, n)
	t.B = append(t.B, '"', ',')
}

// Instant appends a time in ns as UTC with milliseconds.
func (t *Text) Instant(k string, ns int64) {
	t.Key(k)
	t.B = AppendTime(t.B, ns, `"2006-01-02T15:04:05.000Z",`)
}

// LocalHour appends a time in ns as the browser writes starts of sessions: local
// time, cut to the hour.
func (t *Text) LocalHour(k string, ns int64, zone *time.Location) {
	t.Key(k)
	whole := time.Unix(0, ns-ns%int64(time.Second)) // the layout's last 0 is that of the fraction
	t.B = whole.In(zone).AppendFormat(t.B, `"2006-01-02T15:00:00.0-07:00",`)
}

// MemberName is the name of a member as JSON, with the colon.
func MemberName(name string) string {
	return string(append(ping.AppendQuoted(nil, []byte(name)), ':'))
}

// MemberNames are the names of members as JSON.
func MemberNames(names []string) []string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = MemberName(n)
	}
	return all
}

// AppendTime appends a time in ns as UTC.
func AppendTime(dst []byte, ns int64, layout string) []byte {
	return time.Unix(0, ns).UTC().AppendFormat(dst, layout)
}
