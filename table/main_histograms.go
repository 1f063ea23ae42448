package table

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/table/column"
)

// positive reports whether a count is an integer above 0, of any size.
func positive(v ping.Value) bool {
	if n, ok := v.Integer64(); ok {
		return n > 0
	}
	return v.IsInteger() && v.Raw()[0] != '-'
}

// writeBucket writes a bucket's count: 0 when it is absent or no integer, null
// when it does not fit.
func (r *pingRow) writeBucket(n *column.Node, rep int16, v ping.Value) {
	if count, ok := v.Integer32(); ok || !v.IsInteger() {
		r.out.Int(n, rep, count)
	} else {
		r.out.Null(n, rep)
	}
}

func setSyncConfigured(r *pingRow, op *pingOp) {
	v := r.doc.Value(op.slot)
	if positive(v.Get("1")) {
		r.out.SetBool(op.col, true)
	} else if positive(v.Get("0")) {
		r.out.SetBool(op.col, false)
	}
}

// setSyncCount is the largest bucket with a count.
func setSyncCount(r *pingRow, op *pingOp) {
	largest, found := int64(0), false
	for _, m := range r.wholeMembers(op, r.doc.Value(op.slot)) {
		at, err := strconv.ParseInt(string(m.Key), 10, 32)
		if err == nil && positive(m.Value) && (!found || at > largest) {
			largest, found = at, true
		}
	}
	if found {
		r.out.SetInt(op.col, int32(largest))
	}
}

// histogramMean computes the floor of sum / count: null for a negative sum, 0 for 0. A count beyond 64 bits, or a
// total of them, makes it null.
func histogramMean(c *compiler, op *pingOp, path []string) {
	op.slot = c.paths.Add(append(path, "sum")...)
	op.values = c.paths.Add(append(path, "values")...)
	op.run = func(r *pingRow, op *pingOp) {
		sum, ok := r.doc.Value(op.slot).Integer64()
		if !ok || sum < 0 {
			return
		}
		mean := sum
		if sum > 0 {
			count, ok := totalCount(r.wholeMembers(op, r.doc.Value(op.values)))
			if !ok || count == 0 {
				return
			}
			if mean = sum / count; sum%count != 0 && count < 0 {
				mean-- // toward minus infinity
			}
		}
		if n, ok := fit32(mean); ok {
			r.out.SetInt(op.col, n)
		}
	}
}

// totalCount adds the counts that are integers; ok is false if one of them or the total does not fit.
func totalCount(buckets []ping.Member) (total int64, ok bool) {
	sum, fits := column.Int128{}, true
	for i := range buckets {
		n, ok := buckets[i].Value.Integer64()
		sum = sum.Add(column.Int128Of(n))
		fits = fits && (ok || !buckets[i].Value.IsInteger())
	}
	total, ok = sum.Int64()
	return total, ok && fits
}

// popupBuckets are the places of buckets among the members of
// popup_notification_stats.
var popupBuckets = map[string]int{
	"0": 0, "1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "10": 9, "11": 10,
	"20": 11, "21": 12, "22": 13, "23": 14, "24": 15, "25": 16, "26": 17, "27": 18, "28": 19, "30": 20, "31": 21,
}

func setPopupStats(r *pingRow, op *pingOp) {
	kinds := r.entriesOf(op, r.doc.Value(op.slot), &r.members)
	with := kinds[:0]
	for _, m := range kinds {
		if v := m.Value.Get("values"); v.Kind() != ping.Missing {
			with = append(with, ping.Member{Key: m.Key, Value: v})
		}
	}
	if len(with) == 0 {
		return
	}
	n := r.out.Start(op.col)
	for i, m := range with {
		rep := n.ElemRep(i, 0)
		r.out.Str(n.Key, rep, m.Key)
		var counts [22]ping.Value
		for _, b := range r.wholeMembers(op, m.Value) {
			if j, ok := popupBuckets[string(b.Key)]; ok {
				counts[j] = b.Value
			}
		}
		for j, f := range n.Elem.Fields {
			r.writeBucket(f, rep, counts[j])
		}
	}
}

func setUserAction(r *pingRow, op *pingOp) {
	v := r.doc.Value(op.slot)
	if v.Kind() == ping.Missing {
		return
	}
	n := r.out.Start(op.col)
	for i, f := range n.Fields {
		r.writeBucket(f, 0, v.Get(strconv.Itoa(i)))
	}
}

// lineEnds are the characters that a dot of the original's pattern does not match.
var lineEnds = []string{"\n", "\r", "\u0085", "\u2028", "\u2029"}

// splitSearchKey splits at the last dot that has text on both sides.
func splitSearchKey(key []byte) (engine, source []byte, ok bool) {
	if len(key) < 3 {
		return nil, nil, false
	}
	i := bytes.LastIndexByte(key[:len(key)-1], '.')
	if i < 1 {
		return nil, nil, false
	}
	for _, l := range lineEnds {
		if bytes.Contains(key, []byte(l)) {
			return nil, nil, false
		}
	}
	return key[:i], key[i+1:], true
}

func setSearchCounts(r *pingRow, op *pingOp) {
	counts, _ := r.membersOf(op, r.doc.Value(op.slot), &r.members)
	if len(counts) == 0 {
		return
	}
	n := r.out.Start(op.col)
	engineAt, sourceAt, countAt := n.Elem.Fields[0], n.Elem.Fields[1], n.Elem.Fields[2]
	for i, m := range counts {
		rep := n.ElemRep(i, 0)
		if engine, source, ok := splitSearchKey(m.Key); ok && !tooLong(r.out, op.col, m.Key) {
			r.out.Str(engineAt, rep, engine)
			r.out.Str(sourceAt, rep, source)
		} else {
			r.out.Null(engineAt, rep)
			r.out.Null(sourceAt, rep)
		}
		if count, ok := m.Value.Get("sum").Integer64(); ok {
			r.out.Long(countAt, rep, count)
		} else {
			r.out.Null(countAt, rep)
		}
	}
}

// handshakeCodes is the number of result codes of SSL_HANDSHAKE_RESULT.
const handshakeCodes = 672

// handshakeCode reads a bucket name that is a result code written plainly.
func handshakeCode(key []byte) (int, bool) {
	n, err := strconv.Atoi(string(key))
	return n, err == nil && n >= 0 && n < handshakeCodes && strconv.Itoa(n) == string(key)
}

func setHandshakeSuccess(r *pingRow, op *pingOp) {
	if n, ok := r.doc.Value(op.slot).Get("0").Integer32(); ok {
		r.out.SetInt(op.col, n)
	}
}

func setHandshakeFailure(r *pingRow, op *pingOp) {
	failures := slices.DeleteFunc(r.wholeMembers(op, r.doc.Value(op.slot)), func(m ping.Member) bool {
		code, ok := handshakeCode(m.Key)
		return !ok || code == 0
	})
	if total, fits := totalCount(failures); fits {
		if n, ok := fit32(total); ok {
			r.out.SetInt(op.col, n)
		}
	}
}

func setHandshakes(r *pingRow, op *pingOp) {
	v := r.doc.Value(op.slot)
	if v.Kind() == ping.Missing {
		return
	}
	n := r.out.Start(op.col)
	written := 0
	for _, m := range r.wholeMembers(op, v) {
		_, ok := handshakeCode(m.Key)
		if !ok || !positive(m.Value) {
			continue
		}
		rep := n.ElemRep(written, 0)
		r.out.Str(n.Key, rep, m.Key)
		if count, ok := m.Value.Integer32(); ok {
			r.out.Int(n.Elem, rep, count)
		} else {
			r.out.Null(n.Elem, rep)
		}
		written++
	}
	if written == 0 {
		r.out.Empty(n, 0)
	}
}
