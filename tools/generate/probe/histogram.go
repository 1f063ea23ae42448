package probe

import (
	"fmt"
	"math"
	"strconv"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/tools/generate/jsontext"
	"github.com/pingmill/pingmill/tools/generate/random"
)

// Histogram is a histogram with what its text in a ping begins with.
type Histogram struct {
	Name  string
	kind  schema.HistogramKind
	often int      // how many of 1024 pings have it
	Head  string   // `"NAME":`
	Start string   // `{"range":[1,2],…,"values":{`
	Keys  []string // `"34":` for each bucket
	Lows  []int    // the lowest value in each bucket
}

// newHistogram makes a histogram with these lowest values of its buckets.
func newHistogram(name string, kind schema.HistogramKind, high int, lows []int) *Histogram {
	h := &Histogram{Name: name, kind: kind, often: 1024, Head: jsontext.MemberName(name), Lows: lows}
	h.Start = fmt.Sprintf(`{"range":[%d,%d],"bucket_count":%d,"histogram_type":%d,"values":{`,
		lows[1], high, len(lows), typeNumbers[kind])
	for _, low := range lows {
		h.Keys = append(h.Keys, `"`+strconv.Itoa(low)+`":`)
	}
	return h
}

// typeNumbers are the types of histograms as pings number them.
var typeNumbers = map[schema.HistogramKind]int{
	schema.HistogramExponential: 0, schema.HistogramLinear: 1, schema.HistogramEnumerated: 1,
	schema.HistogramBoolean: 2, schema.HistogramFlag: 3, schema.HistogramCount: 4, schema.HistogramCategorical: 5,
}

// defined makes the histogram of a definition.
func defined(d *schema.Histogram) *Histogram {
	switch d.Kind {
	case schema.HistogramEnumerated:
		return Enumerated(d.Name, d.NValues)
	case schema.HistogramCategorical:
		lows := Enumerated(d.Name, len(d.Labels)).Lows
		return newHistogram(d.Name, schema.HistogramCategorical, len(lows)-1, lows)
	case schema.HistogramLinear:
		return Linear(d.Name, d.Low, d.High, d.Buckets)
	case schema.HistogramExponential:
		return Exponential(d.Name, d.Low, d.High, d.Buckets)
	}
	return Small(d.Name, d.Kind)
}

// Small makes a flag, a boolean or a count.
func Small(name string, kind schema.HistogramKind) *Histogram {
	return newHistogram(name, kind, 2, []int{0, 1, 2})
}

// MaxBuckets bounds the buckets of histograms that are defined by others.
const MaxBuckets = 5000

// buckets returns n lowest values, still 0, or as few or many as make sense.
func buckets(n int) []int { return make([]int, min(max(n, 3), MaxBuckets)) }

// Enumerated makes a histogram of n values and one bucket for what is beyond.
func Enumerated(name string, n int) *Histogram {
	lows := buckets(n + 1)
	for i := range lows {
		lows[i] = i
	}
	return newHistogram(name, schema.HistogramEnumerated, len(lows)-1, lows)
}

func Linear(name string, low, high, n int) *Histogram {
	lows := buckets(n)
	for i := 1; i < len(lows); i++ {
		lows[i] = low + (high-low)*(i-1)/(len(lows)-2)
	}
	return newHistogram(name, schema.HistogramLinear, high, strictly(lows))
}

// Exponential makes a histogram whose buckets grow by an even factor, as far as
// whole numbers allow.
func Exponential(name string, low, high, n int) *Histogram {
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

// Levels is the number of activity levels. Histograms of the highest level have most buckets.
const Levels = 6

var bucketLimits = [Levels]int{7, 14, 22, 32, 46, 64}

// Write appends the histogram with drawn values as a member.
func (h *Histogram) Write(t *jsontext.Text, r *random.Source, level int) {
	h.WriteUnder(t, h.Head, r, level)
}

// WriteUnder appends it under a key that is JSON, instead of its name.
func (h *Histogram) WriteUnder(t *jsontext.Text, key string, r *random.Source, level int) {
	t.B = append(t.B, key...)
	t.B = append(t.B, h.Start...)
	h.writeValues(t, r, level)
}

func (h *Histogram) writeValues(t *jsontext.Text, r *random.Source, level int) {
	x := r.Uint64()
	switch h.kind {
	case schema.HistogramFlag:
		if x&7 == 0 {
			t.Raw(`"0":0,"1":1,"2":0},"sum":1},`)
			return
		}
		t.Raw(`"0":1,"1":0},"sum":0},`)
	case schema.HistogramBoolean:
		h.writeBoolean(t, x)
	case schema.HistogramCount:
		n := 1 + x>>32&(1<<(x&7)-1)
		t.Raw(`"0":`)
		t.Number(int(n))
		t.Raw(`"1":0},"sum":`)
		t.B = strconv.AppendUint(t.B, n, 10)
		t.Raw("},")
	case schema.HistogramEnumerated, schema.HistogramCategorical:
		h.writeBuckets(t, r, x, 0, min(2+level, len(h.Keys)-2))
	default:
		h.writeBuckets(t, r, x, 1, min(bucketLimits[level], len(h.Keys)-2))
	}
}

func (h *Histogram) writeBoolean(t *jsontext.Text, x uint64) {
	no, yes := x>>32&(1<<(x&7)-1), x>>48&(1<<(x>>4&7)-1)
	t.Raw(`"0":`)
	t.Number(int(no))
	t.Raw(`"1":`)
	t.Number(int(yes))
	if yes > 0 {
		t.Raw(`"2":0,`)
	}
	CloseValues(t, yes)
}

// writeBuckets writes up to most buckets that follow each other, some of them
// left out, between two that are empty, as far as there are such.
func (h *Histogram) writeBuckets(t *jsontext.Text, r *random.Source, x uint64, lowest, most int) {
	n := 1 + int(x&0xffff)*most>>16
	first := lowest
	if room := len(h.Keys) - 1 - lowest - n; room > 0 {
		a, b := int(x>>16&0xffff), int(x>>32&0xffff)
		first += a * b >> 16 * room >> 16 // small values are more frequent
	}
	width := 6 + x>>48&15
	b := t.B
	if first > 0 {
		b = append(append(b, h.Keys[first-1]...), '0', ',')
	}
	sum := uint64(0)
	for i := first; i < first+n; i++ {
		y := r.Uint64()
		if y>>60 < 3 && i > first {
			continue
		}
		count := 1 + y>>16&(1<<((4+y&11)*width>>4)-1)
		b = append(b, h.Keys[i]...)
		b = append(strconv.AppendUint(b, count, 10), ',')
		sum += count * uint64(h.Lows[i])
	}
	if last := first + n; last < len(h.Keys) {
		b = append(append(b, h.Keys[last]...), '0', ',')
	}
	t.B = b
	CloseValues(t, sum)
}

// CloseValues ends the values and the histogram.
func CloseValues(t *jsontext.Text, sum uint64) {
	t.Close()
	t.Raw(`"sum":`)
	t.B = strconv.AppendUint(t.B, sum, 10)
	t.Raw("},")
}

// WriteOne appends the histogram with one value as a member.
func (h *Histogram) WriteOne(t *jsontext.Text, value int) {
	i := 0
	for i+1 < len(h.Lows) && h.Lows[i+1] <= value {
		i++
	}
	t.Raw(h.Head)
	t.Raw(h.Start)
	if i > 0 {
		t.Raw(h.Keys[i-1])
		t.Raw("0,")
	}
	t.Raw(h.Keys[i])
	t.Raw("1,")
	if i+1 < len(h.Keys) {
		t.Raw(h.Keys[i+1])
		t.Raw("0,")
	}
	CloseValues(t, uint64(value))
}

// WriteCount appends a count under a key that is JSON.
func WriteCount(t *jsontext.Text, key string, n int) {
	t.Raw(key)
	t.Raw(`{"range":[1,2],"bucket_count":3,"histogram_type":4,"values":{"0":`)
	t.Number(n)
	t.Raw(`"1":0},"sum":`)
	t.B = strconv.AppendInt(t.B, int64(n), 10)
	t.Raw("},")
}
