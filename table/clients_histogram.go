package table

import (
	"math"
	"slices"
	"strconv"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// eachBuckets reads histograms of one definition.
type eachBuckets struct {
	kind   schema.HistogramKind
	bounds []int

	counts []int64 // by bucket, of the histogram at hand
	big    []bool  // the count does not fit 32 bits
	sum    int64
	noSum  bool // it does not fit 64 bits
}

func newEachBuckets(h *schema.Histogram) *eachBuckets {
	b := &eachBuckets{kind: h.Kind, bounds: h.Bounds()}
	b.counts, b.big = make([]int64, len(b.bounds)), make([]bool, len(b.bounds))
	return b
}

// read reads a histogram. It returns false if its shape is another one, a count or the sum is no number, or a bucket is not
// one of the definition.
func (b *eachBuckets) read(v ping.Value) bool {
	clear(b.counts)
	clear(b.big)
	sum, values := v.Get("sum"), v.Get("values")
	if sum.Kind() != ping.Number || values.Kind() != ping.Object {
		return false
	}
	n, ok := sum.Int64()
	b.sum, b.noSum = n, !ok
	members, whole := values.FirstMembers(nil, MaxElements)
	if !whole {
		return false
	}
	for _, m := range members {
		if m.Value.Kind() != ping.Number {
			return false
		}
		i, known := b.bucket(string(m.Key))
		if !known {
			return false
		}
		if i >= 0 {
			n, ok := m.Value.Int32()
			b.counts[i], b.big[i] = int64(n), !ok
		}
	}
	return true
}

// bucket returns the place of a bucket, -1 for one that does not count in a histogram without bounds.
func (b *eachBuckets) bucket(name string) (i int, known bool) {
	switch b.kind {
	case schema.HistogramFlag, schema.HistogramCount, schema.HistogramBoolean:
		if name == "0" || name == "1" {
			return int(name[0] - '0'), true
		}
		return -1, true
	}
	at, err := strconv.Atoi(name)
	if err != nil || at < math.MinInt32 || at > math.MaxInt32 {
		return 0, false
	}
	i, known = slices.BinarySearch(b.bounds, at)
	if !known { // bounds of an odd definition need not rise
		i = slices.Index(b.bounds, at)
	}
	return i, i >= 0
}

// write writes the histogram that was read.
func (b *eachBuckets) write(out *column.Batch, n *column.Node, rep int16) {
	switch b.kind {
	case schema.HistogramFlag:
		if b.big[0] {
			out.Null(n, rep)
		} else {
			out.Bool(n, rep, b.counts[0] == 0)
		}
	case schema.HistogramCount:
		b.count(out, n, rep, 0)
	case schema.HistogramLinear, schema.HistogramExponential:
		b.list(out, n.Fields[0], rep)
		if b.noSum {
			out.Null(n.Fields[1], rep)
		} else {
			out.Long(n.Fields[1], rep, b.sum)
		}
	default:
		b.list(out, n, rep)
	}
}

func (b *eachBuckets) list(out *column.Batch, n *column.Node, rep int16) {
	for i := range b.counts {
		b.count(out, n.Elem, n.ElemRep(i, rep), i)
	}
}

func (b *eachBuckets) count(out *column.Batch, n *column.Node, rep int16, i int) {
	if b.big[i] {
		out.Null(n, rep)
	} else {
		out.Int(n, rep, int32(b.counts[i]))
	}
}

// setEachHistogram writes the histogram of a ping: zeros if the ping has none, null if it cannot be read.
func setEachHistogram(r *eachRow, op *eachOp) bool {
	v := r.doc.Value(op.slot)
	if v.Kind() == ping.Missing {
		zeroHistogram(r.out, r.out.Start(r.col), 0, op)
		return false
	}
	if !op.buckets.read(v) {
		op.bad = true
		return true
	}
	op.buckets.write(r.out, r.out.Start(r.col), 0)
	return true
}

func setKeyedEachHistogram(r *eachRow, op *eachOp) bool {
	v := r.doc.Value(op.slot)
	if v.Kind() != ping.Object {
		op.bad = v.Kind() != ping.Missing && v.Kind() != ping.Null
		return false
	}
	r.keyed(v, func(n *column.Node, rep int16, v ping.Value) {
		if !op.buckets.read(v) {
			op.bad = true
			r.out.Null(n, rep)
			return
		}
		op.buckets.write(r.out, n, rep)
	})
	return true
}

// zeroHistogram writes the element of a ping without the histogram.
func zeroHistogram(out *column.Batch, n *column.Node, rep int16, op *eachOp) {
	b := op.buckets
	clear(b.counts)
	clear(b.big)
	b.sum, b.noSum = 0, false
	if b.kind == schema.HistogramFlag {
		b.counts[0] = 1
	}
	b.write(out, n, rep)
}
