package table

import (
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/table/column"
)

// The bounds of what a row can hold, far above what clients send: they keep one
// ping from taking the time and memory of a day. What is over a bound is counted
// in the batch that takes the rows.
const (
	// MaxText is the longest text, in bytes of UTF-8. A longer one is null, or its
	// map entry, list element, event or row is left out: cut, it would be wrong.
	MaxText = 64 << 10
	// MaxElements is how many elements a map or list of a ping may have. Those
	// after it are left out; a value computed from all of them is null.
	MaxElements = 10_000
	// MaxClientBytes is what the experiments of a client may take in a day, its rows of
	// search_clients_daily, and the rows of addons of one ping: the texts that these
	// have of the ping and entryBytes for each. Later ones are left out.
	MaxClientBytes = 4 << 20
)

// entryBytes is what an entry takes beside its texts, in MaxClientBytes.
const entryBytes = 64

// tooLong says whether a text is over the bound, and counts it in its column.
func tooLong(out *column.Batch, col int, text []byte) bool {
	if len(text) <= MaxText {
		return false
	}
	out.LeaveOut(col)
	return true
}

// membersOf reads the members of a value into scratch memory, as many as a
// column may have; whole says that these are all.
func (r *pingRow) membersOf(op *pingOp, v ping.Value, scratch *[]ping.Member) (ms []ping.Member, whole bool) {
	ms, whole = v.FirstMembers((*scratch)[:0], MaxElements)
	if !whole {
		r.out.LeaveOut(op.col)
	}
	*scratch = ms
	return ms, whole
}

// entriesOf are those of the members that may be entries of a map.
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

// elementsOf reads the elements of a value as membersOf does members.
func (r *pingRow) elementsOf(op *pingOp, v ping.Value) (vs []ping.Value, whole bool) {
	vs, whole = v.FirstElements(r.values[:0], MaxElements)
	if !whole {
		r.out.LeaveOut(op.col)
	}
	r.values = vs
	return vs, whole
}

// wholeMembers are the members of what a value is computed from: none when they
// are too many.
func (r *pingRow) wholeMembers(op *pingOp, v ping.Value) []ping.Member {
	ms, whole := r.membersOf(op, v, &r.inner)
	if !whole {
		return nil
	}
	return ms
}
