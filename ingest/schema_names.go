package ingest

import "bytes"

// If members of an object have the same name, the last one wins. The walker looks for such members only if a
// violation depends on them.

// maxVoided is the number of violations that are ignored because a later member of the same name replaces
// theirs. Clients do not repeat members, and each such violation costs a search.
const maxVoided = 16

// failMember handles the member at p whose value at v failed. It returns the position after the member if
// another one replaces it.
func (w *walker) failMember(p, v, failed int) (end int) {
	key, _ := w.memberName(p)
	if end = w.doc.SkipValue(v); w.replaced(key, end) {
		return end
	}
	if failed != forbidden {
		w.path = append(w.path, string(key))
	}
	return invalid
}

// replaced reports whether the object has a later member with the same name after p, the end of the present
// one.
func (w *walker) replaced(key []byte, p int) bool {
	found := false
	eachName(w.b, p, func(name []byte) bool {
		found = bytes.Equal(name, key)
		return !found
	})
	if found {
		w.voided++
	}
	return found && w.voided <= maxVoided
}

// names counts the different names in the object that opens at p. It stops soon after the limit.
func (w *walker) names(p, limit int) int {
	set := map[string]struct{}{}
	eachName(w.b, p+1, func(name []byte) bool {
		set[string(name)] = struct{}{}
		return len(set) <= limit
	})
	return len(set)
}

// eachName calls f for the names of an object's members from p on, the position after a member or after the
// opening bracket, until f returns false.
func eachName(b []byte, p int, f func(name []byte) bool) {
	for p = skipSpace(b, p); b[p] != '}'; p = skipSpace(b, p) {
		if b[p] == ',' {
			p = skipSpace(b, p+1)
		}
		name, end := readString(b, p)
		if !f(name) {
			return
		}
		p = skipValue(b, skipSpace(b, skipSpace(b, end)+1))
	}
}
