package ingest

import "bytes"

// Of the members of an object that have the same name the last one counts. The
// walker finds out about them only where a violation depends on it.

// maxVoided is how many violations by members that a later one of the same name
// replaces are forgiven. No client repeats members; each one costs a search.
const maxVoided = 16

// failMember returns the position after the member at p, with a value at v that failed, if another one takes its place.
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

// replaced reports whether a later member of the object whose member ends at p
// has the same name: then the later one counts.
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

// names counts the different names in the object that opens at p, not far past
// the limit.
func (w *walker) names(p, limit int) int {
	set := map[string]struct{}{}
	eachName(w.b, p+1, func(name []byte) bool {
		set[string(name)] = struct{}{}
		return len(set) <= limit
	})
	return len(set)
}

// eachName calls f for the names of an object's members from p on, which is
// after a member or after the bracket, until f says no.
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
