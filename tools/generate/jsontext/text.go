package jsontext

import (
	"strconv"
	"time"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/tools/generate/random"
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

// Put appends members: pairs of a name, which needs no escapes, and a value as for Add.
func (t *Text) Put(pairs ...any) {
	for i := 0; i < len(pairs); i += 2 {
		t.Key(pairs[i].(string))
		t.Add(pairs[i+1])
	}
}

// PutIf is Put, or nothing.
func (t *Text) PutIf(all bool, pairs ...any) {
	if all {
		t.Put(pairs...)
	}
}

// Object appends a member that is an object of members, as Put has them.
func (t *Text) Object(k string, pairs ...any) { t.Put(k, Members(pairs)) }

// Add appends elements. Each is a string, an int, a bool, Raw, Members, a List, a
// []string, or nil for null.
func (t *Text) Add(elements ...any) {
	for _, e := range elements {
		switch v := e.(type) {
		case string:
			t.B = append(ping.AppendQuoted(t.B, []byte(v)), ',')
		case int:
			t.Number(v)
		case bool:
			t.B = append(strconv.AppendBool(t.B, v), ',')
		case Raw:
			t.B = append(append(t.B, v...), ',')
		case Members:
			t.Begin()
			t.Put(v...)
			t.Close()
		case List:
			t.BeginList()
			t.Add(v...)
			t.CloseList()
		case []string:
			t.BeginList()
			for _, text := range v {
				t.Add(text)
			}
			t.CloseList()
		default:
			t.Raw("null,")
		}
	}
}

type (
	Raw     string // JSON
	Members []any  // of an object, as Put has them
	List    []any  // elements of an array, as Add has them
)

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
	whole := time.Unix(0, ns-ns%int64(time.Second)) // the layout's last 0 is the fraction
	t.B = whole.In(zone).AppendFormat(t.B, `"2006-01-02T15:00:00.0-07:00",`)
}

// MemberName returns the name of a member as JSON, with the colon.
func MemberName(name string) string {
	return string(append(ping.AppendQuoted(nil, []byte(name)), ':'))
}

// MemberNames returns the names of members as JSON.
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
