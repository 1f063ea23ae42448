package table

import (
	"math"
	"strconv"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/table/column"
)

// bucket is one entry of a histogram's values.
type bucket struct {
	at    int32
	count int32
	null  bool // the count is null or does not fit
}

// parseBuckets reads a histogram's values as a map: fractions are cut, a null
// count or one beyond 32 bits is a null value. One bucket name that is not an
// integer or one count that is not a number spoils the whole map, as do too many
// buckets.
func (r *pingRow) parseBuckets(op *pingOp, v ping.Value, dst []bucket) ([]bucket, bool) {
	if v.Kind() != ping.Object {
		return dst, false
	}
	if out, ok := fastBuckets(v.Raw(), dst); ok {
		return out, true
	}
	ms, whole := r.membersOf(op, v, &r.inner)
	if !whole {
		return dst, false
	}
	for i := range ms {
		at, err := strconv.ParseInt(string(ms[i].Key), 10, 32)
		if err != nil {
			return dst, false
		}
		b := bucket{at: int32(at)}
		switch ms[i].Value.Kind() {
		case ping.Number:
			n, ok := ms[i].Value.Int32()
			b.count, b.null = n, !ok
		case ping.Null:
			b.null = true
		default:
			return dst, false
		}
		dst = append(dst, b)
	}
	return lastBuckets(dst), true
}

// fastBuckets reads the form that clients send, {"1":0,"3":12}: no blanks, no
// signs, at most nine digits, ascending. Anything else is left to the general
// way.
func fastBuckets(b []byte, dst []bucket) ([]bucket, bool) {
	if len(b) == 2 {
		return dst, true
	}
	last := int32(-1)
	for p := 1; ; {
		if p+4 >= len(b) || b[p] != '"' {
			return dst, false
		}
		at, n := digits(b[p+1:])
		p += 1 + n
		if n == 0 || at <= last || p+2 >= len(b) || b[p] != '"' || b[p+1] != ':' {
			return dst, false
		}
		last = at
		p += 2
		count, n := digits(b[p:])
		p += n
		if n == 0 || p >= len(b) || len(dst) == MaxElements {
			return dst, false
		}
		dst = append(dst, bucket{at: at, count: count})
		switch b[p] {
		case ',':
			p++
		case '}':
			return dst, p+1 == len(b)
		default:
			return dst, false
		}
	}
}

// digits reads up to nine digits; more, or none, count as 0 digits.
func digits(b []byte) (v int32, n int) {
	for n < len(b) && b[n]-'0' <= 9 {
		if n == 9 {
			return 0, 0
		}
		v = v*10 + int32(b[n]-'0')
		n++
	}
	return v, n
}

// lastBuckets keeps the last of buckets with the same number: "1" and "01".
func lastBuckets(bs []bucket) []bucket {
	sorted := true
	for i := 1; i < len(bs); i++ {
		sorted = sorted && bs[i].at > bs[i-1].at
	}
	if sorted {
		return bs
	}
	last := make(map[int32]int, len(bs))
	for i := range bs {
		last[bs[i].at] = i
	}
	n := 0
	for i := range bs {
		if last[bs[i].at] == i {
			bs[n] = bs[i]
			n++
		}
	}
	return bs[:n]
}

// countAbove adds the counts of buckets at or above a threshold; a null one
// counts as 0. The sum is 0 when there are no buckets or one count is something
// else, null when it does not fit.
func countAbove(ms []ping.Member, threshold int32) (int64, bool) {
	sum, fits := column.Int128{}, true
	for i := range ms {
		switch ms[i].Value.Kind() {
		case ping.Number:
		case ping.Null:
			continue
		default:
			return 0, true
		}
		if at, err := strconv.ParseInt(string(ms[i].Key), 10, 32); err == nil && at >= int64(threshold) {
			n, ok := ms[i].Value.Int64()
			sum, fits = sum.Add(column.Int128Of(n)), fits && ok
		}
	}
	n, ok := sum.Int64()
	return n, ok && fits
}

func setAbove(r *pingRow, op *pingOp) {
	v := r.doc.Value(op.slot)
	n, fits := int64(0), true
	if v.Kind() == ping.Object {
		if bs, ok := fastBuckets(v.Raw(), r.buckets[:0]); ok {
			r.buckets = bs
			for _, b := range bs {
				if b.at >= op.arg {
					n += int64(b.count)
				}
			}
		} else {
			n, fits = countAbove(r.wholeMembers(op, v), op.arg)
		}
	}
	if fits {
		r.out.SetLong(op.col, n)
	}
}

// fit32 narrows a sum, null when it does not fit.
func fit32(n int64) (int32, bool) {
	return int32(n), n >= math.MinInt32 && n <= math.MaxInt32
}
