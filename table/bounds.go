package table

import (
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/table/column"
)

// Limits of the content of a row, far above what clients send: they prevent one ping from using the time and
// memory of a whole day. Values over a limit are counted in the batch of the rows.
const (
	// MaxText is the longest text, in bytes of UTF-8. A longer text becomes null, or its map entry, list
	// element, event or row is left out: a truncated text would be wrong.
	MaxText = 64 << 10
	// MaxElements is the largest number of elements of a map or list in a ping. Further elements are left
	// out; a value computed from all elements is null.
	MaxElements = 10_000
	// MaxClientBytes limits the experiments of a client in a day, its rows of search_clients_daily, and the rows of
	// addons or events of one ping, in bytes: their texts from the ping, and entryBytes for each. Later ones are left out.
	MaxClientBytes = 4 << 20
)

// entryBytes is the size of an entry beside its texts, for MaxClientBytes.
const entryBytes = 64

// tooLong reports whether a text is over the limit, and counts it in its column.
func tooLong(out *column.Batch, col int, text []byte) bool {
	if len(text) <= MaxText {
		return false
	}
	out.LeaveOut(col)
	return true
}

// membersOf reads the members of a value into scratch memory, as many as a column may have; whole means that these are
// all.
func (r *pingRow) membersOf(op *pingOp, v ping.Value, scratch *[]ping.Member) (ms []ping.Member, whole bool) {
	ms, whole = v.FirstMembers((*scratch)[:0], MaxElements)
	if !whole {
		r.out.LeaveOut(op.col)
	}
	*scratch = ms
	return ms, whole
}

// entriesOf returns the members that may be entries of a map.
func (r *pingRow) entriesOf(op *pingOp, v ping.Value, scratch *[]ping.Member) []ping.Member {
	all, _ := r.membersOf(op, v, scratch)
	entries := all[:0]
	for _, m := range all {
		if !tooLong(r.out, op.col, m.Key) {
			entries = append(entries, m)
		}
	}
	return entries
}

// elementsOf reads the elements of a value, as membersOf reads members.
func (r *pingRow) elementsOf(op *pingOp, v ping.Value) (vs []ping.Value, whole bool) {
	vs, whole = v.FirstElements(r.values[:0], MaxElements)
	if !whole {
		r.out.LeaveOut(op.col)
	}
	r.values = vs
	return vs, whole
}

// wholeMembers returns all members of a value from which another is computed, or none if there are too many.
func (r *pingRow) wholeMembers(op *pingOp, v ping.Value) []ping.Member {
	ms, whole := r.membersOf(op, v, &r.inner)
	if !whole {
		return nil
	}
	return ms
}
