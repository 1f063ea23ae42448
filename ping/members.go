package ping

import (
	"math"
	"unicode/utf8"
)

// Member is a member of an object.
type Member struct {
	Key   []byte // unescaped; may point into the document
	Value Value
}

// Members appends the members of an object to dst in document order. If a name occurs twice, only the last
// member is appended. Other kinds have no members.
func (v Value) Members(dst []Member) []Member {
	dst, _ = v.FirstMembers(dst, math.MaxInt)
	return dst
}

// FirstMembers works like Members, but reads at most the given number of members; whole reports whether the
// object has no more.
func (v Value) FirstMembers(dst []Member, most int) (members []Member, whole bool) {
	if v.Kind() != Object {
		return dst, true
	}
	from := len(dst)
	for p := int(v.start) + 1; ; {
		m, next, ok := v.member(p)
		if !ok || len(dst)-from == most {
			return lastOfEach(dst, from), !ok
		}
		dst = append(dst, m)
		p = next
	}
}

// member reads the member of object v that begins at p, and returns the position of the next one.
func (v Value) member(p int) (m Member, next int, ok bool) {
	key, value, next, ok := v.rawMember(p)
	if !ok {
		return m, next, false
	}
	return Member{v.d.unquoted(int(key.start), int(key.end), nil), value}, next, true
}

// rawMember works like member and returns the place of the name in the document.
func (v Value) rawMember(p int) (key span, value Value, next int, ok bool) {
	d := v.d
	if p = d.skipSpace(p); p >= int(v.end) || d.b[p] != '"' {
		return key, value, p, false
	}
	e := d.nextQuote(p + 1)
	start := d.valueAfter(e)
	if start >= int(v.end) {
		return key, value, p, false
	}
	end := d.skipValue(start)
	if end < 0 || end > int(v.end) {
		return key, value, p, false
	}
	if next = d.skipSpace(end); next < int(v.end) && d.b[next] == ',' {
		next++
	}
	return span{uint32(p + 1), uint32(e)}, Value{d, span{uint32(start), uint32(end)}}, next, true
}

// Elements appends the elements of an array to dst. Other kinds have none.
func (v Value) Elements(dst []Value) []Value {
	dst, _ = v.FirstElements(dst, math.MaxInt)
	return dst
}

// FirstElements works like Elements, but reads at most the given number of elements; whole reports whether the
// array has no more.
func (v Value) FirstElements(dst []Value, most int) (elements []Value, whole bool) {
	if v.Kind() != Array {
		return dst, true
	}
	d, from := v.d, len(dst)
	for p := int(v.start) + 1; ; {
		if p = d.skipSpace(p); p >= int(v.end) || d.b[p] == ']' {
			return dst, true
		}
		end := d.skipValue(p)
		if end < 0 || end > int(v.end) {
			return dst, true
		}
		if len(dst)-from == most {
			return dst, false
		}
		dst = append(dst, Value{d, span{uint32(p), uint32(end)}})
		if p = d.skipSpace(end); p < int(v.end) && d.b[p] == ',' {
			p++
		}
	}
}

// Get returns the named member of an object, the last one if there are several.
func (v Value) Get(name string) (value Value) {
	if v.Kind() != Object {
		return value
	}
	for p := int(v.start) + 1; ; {
		m, next, ok := v.member(p)
		if !ok {
			return value
		}
		if string(m.Key) == name {
			value = m.Value
		}
		p = next
	}
}

// lastOfEach removes members of dst[from:] that a later one replaces.
func lastOfEach(dst []Member, from int) []Member {
	ms := dst[from:]
	if len(ms) < 2 || !hasDuplicate(ms) {
		return dst
	}
	last := make(map[string]int, len(ms))
	for i := range ms {
		last[string(ms[i].Key)] = i
	}
	n := 0
	for i := range ms {
		if last[string(ms[i].Key)] == i {
			ms[n] = ms[i]
			n++
		}
	}
	return dst[:from+n]
}

// hasDuplicate compares few names pair by pair, and many through a set.
func hasDuplicate(ms []Member) bool {
	if len(ms) > 32 {
		seen := make(map[string]struct{}, len(ms))
		for i := range ms {
			seen[string(ms[i].Key)] = struct{}{}
		}
		return len(seen) < len(ms)
	}
	for i := 1; i < len(ms); i++ {
		for j := 0; j < i; j++ {
			if string(ms[i].Key) == string(ms[j].Key) {
				return true
			}
		}
	}
	return false
}

// AppendQuoted appends s as a JSON string. It replaces bytes that are not UTF-8 by U+FFFD.
func AppendQuoted(dst, s []byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		case c < utf8.RuneSelf:
			dst = append(dst, c)
		default:
			r, n := utf8.DecodeRune(s[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
			continue
		}
		i++
	}
	return append(dst, '"')
}
