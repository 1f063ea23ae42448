package generate

import (
	"fmt"
	"math"
	"strconv"

	"github.com/pingmill/pingmill/schema"
)

// histogram is a histogram with what its text in a ping begins with.
type histogram struct {
	name  string
	kind  schema.HistogramKind
	often int      // how many of 1024 pings have it
	head  string   // `"NAME":`
	start string   // `{"range":[1,2],…,"values":{`
	keys  []string // `"34":` for each bucket
	lows  []int    // the lowest value in each bucket
}

// newHistogram makes a histogram with these lowest values of its buckets.
func newHistogram(name string, kind schema.HistogramKind, high int, lows []int) *histogram {
	h := &histogram{name: name, kind: kind, often: 1024, head: memberName(name), lows: lows}
	h.start = fmt.Sprintf(`{"range":[%d,%d],"bucket_count":%d,"histogram_type":%d,"values":{`,
		lows[1], high, len(lows), typeNumbers[kind])
	for _, low := range lows {
		h.keys = append(h.keys, `"`+strconv.Itoa(low)+`":`)
	}
	return h
}

// typeNumbers are the types of histograms as pings number them.
var typeNumbers = map[schema.HistogramKind]int{
	schema.HistogramExponential: 0, schema.HistogramLinear: 1, schema.HistogramEnumerated: 1,
	schema.HistogramBoolean: 2, schema.HistogramFlag: 3, schema.HistogramCount: 4, schema.HistogramCategorical: 5,
}

// defined makes the histogram of a definition.
func defined(d *schema.Histogram) *histogram {
	switch d.Kind {
	case schema.HistogramEnumerated:
		return enumerated(d.Name, d.NValues)
	case schema.HistogramCategorical:
		lows := enumerated(d.Name, len(d.Labels)).lows
		return newHistogram(d.Name, schema.HistogramCategorical, len(lows)-1, lows)
	case schema.HistogramLinear:
		return linear(d.Name, d.Low, d.High, d.Buckets)
	case schema.HistogramExponential:
		return exponential(d.Name, d.Low, d.High, d.Buckets)
	}
	return small(d.Name, d.Kind)
}

// small makes a flag, a boolean or a count.
func small(name string, kind schema.HistogramKind) *histogram {
	return newHistogram(name, kind, 2, []int{0, 1, 2})
}

// maxBuckets bounds the buckets of histograms that are defined by others.
const maxBuckets = 5000

// buckets are n lowest values, still 0, or as few or many as make sense.
func buckets(n int) []int { return make([]int, min(max(n, 3), maxBuckets)) }

// enumerated makes a histogram of n values and one bucket for what is beyond.
func enumerated(name string, n int) *histogram {
	lows := buckets(n + 1)
	for i := range lows {
		lows[i] = i
	}
	return newHistogram(name, schema.HistogramEnumerated, len(lows)-1, lows)
}

func linear(name string, low, high, n int) *histogram {
	lows := buckets(n)
	for i := 1; i < len(lows); i++ {
		lows[i] = low + (high-low)*(i-1)/(len(lows)-2)
	}
	return newHistogram(name, schema.HistogramLinear, high, strictly(lows))
}

// exponential makes a histogram whose buckets grow by an even factor, as far as
// whole numbers allow.
func exponential(name string, low, high, n int) *histogram {
	lows := buckets(n)
	lows[1] = max(low, 1)
	for i := 2; i < len(lows); i++ {
		at, left := float64(lows[i-1]), float64(len(lows)-i)
		factor := math.Pow(float64(high)/at, 1/left)
		lows[i] = max(int(math.Round(at*factor)), lows[i-1]+1)
	}
	return newHistogram(name, schema.HistogramExponential, high, lows)
}

// strictly lets every bucket begin above the one before it.
func strictly(lows []int) []int {
	for i := 1; i < len(lows); i++ {
		lows[i] = max(lows[i], lows[i-1]+1)
	}
	return lows
}

// levels are how much there is to count: of the busiest the histograms have the
// most buckets.
const levels = 6

var bucketLimits = [levels]int{7, 14, 22, 32, 46, 64}

// write appends the histogram with drawn values as a member.
func (h *histogram) write(t *text, r *random, level int) {
	h.writeUnder(t, h.head, r, level)
}

// writeUnder appends it under a key that is JSON, instead of its name.
func (h *histogram) writeUnder(t *text, key string, r *random, level int) {
	t.b = append(t.b, key...)
	t.b = append(t.b, h.start...)
	h.writeValues(t, r, level)
}

func (h *histogram) writeValues(t *text, r *random, level int) {
	x := r.Uint64()
	switch h.kind {
	case schema.HistogramFlag:
		if x&7 == 0 {
			t.raw(`"0":0,"1":1,"2":0},"sum":1},`)
			return
		}
		t.raw(`"0":1,"1":0},"sum":0},`)
	case schema.HistogramBoolean:
		h.writeBoolean(t, x)
	case schema.HistogramCount:
		n := 1 + x>>32&(1<<(x&7)-1)
		t.raw(`"0":`)
		t.number(int(n))
		t.raw(`"1":0},"sum":`)
		t.b = strconv.AppendUint(t.b, n, 10)
		t.raw("},")
	case schema.HistogramEnumerated, schema.HistogramCategorical:
		h.writeBuckets(t, r, x, 0, min(2+level, len(h.keys)-2))
	default:
		h.writeBuckets(t, r, x, 1, min(bucketLimits[level], len(h.keys)-2))
	}
}

func (h *histogram) writeBoolean(t *text, x uint64) {
	no, yes := x>>32&(1<<(x&7)-1), x>>48&(1<<(x>>4&7)-1)
	t.raw(`"0":`)
	t.number(int(no))
	t.raw(`"1":`)
	t.number(int(yes))
	if yes > 0 {
		t.raw(`"2":0,`)
	}
	t.closeValues(yes)
}

// writeBuckets writes up to most buckets that follow each other, some of them
// left out, between two that are empty, as far as there are such.
func (h *histogram) writeBuckets(t *text, r *random, x uint64, lowest, most int) {
	n := 1 + int(x&0xffff)*most>>16
	first := lowest
	if room := len(h.keys) - 1 - lowest - n; room > 0 {
		a, b := int(x>>16&0xffff), int(x>>32&0xffff)
		first += a * b >> 16 * room >> 16 // small values are more frequent
	}
	width := 6 + x>>48&15
	b := t.b
	if first > 0 {
		b = append(append(b, h.keys[first-1]...), '0', ',')
	}
	sum := uint64(0)
	for i := first; i < first+n; i++ {
		y := r.Uint64()
		if y>>60 < 3 && i > first {
			continue
		}
		count := 1 + y>>16&(1<<((4+y&11)*width>>4)-1)
		b = append(b, h.keys[i]...)
		b = append(strconv.AppendUint(b, count, 10), ',')
		sum += count * uint64(h.lows[i])
	}
	if last := first + n; last < len(h.keys) {
		b = append(append(b, h.keys[last]...), '0', ',')
	}
	t.b = b
	t.closeValues(sum)
}

// closeValues ends the values and the histogram.
func (t *text) closeValues(sum uint64) {
	t.close()
	t.raw(`"sum":`)
	t.b = strconv.AppendUint(t.b, sum, 10)
	t.raw("},")
}

// writeOne appends the histogram with one value as a member.
func (h *histogram) writeOne(t *text, value int) {
	i := 0
	for i+1 < len(h.lows) && h.lows[i+1] <= value {
		i++
	}
	t.raw(h.head)
	t.raw(h.start)
	if i > 0 {
		t.raw(h.keys[i-1])
		t.raw("0,")
	}
	t.raw(h.keys[i])
	t.raw("1,")
	if i+1 < len(h.keys) {
		t.raw(h.keys[i+1])
		t.raw("0,")
	}
	t.closeValues(uint64(value))
}

// writeCount appends a count under a key that is JSON.
func writeCount(t *text, key string, n int) {
	t.raw(key)
	t.raw(`{"range":[1,2],"bucket_count":3,"histogram_type":4,"values":{"0":`)
	t.number(n)
	t.raw(`"1":0},"sum":`)
	t.b = strconv.AppendInt(t.b, int64(n), 10)
	t.raw("},")
}
