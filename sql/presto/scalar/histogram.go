package scalar

import (
	"cmp"
	"slices"
)

var histogramFuncs = []Func{three("numeric_histogram", numericHistogram)}

// histogramBuffer is the number of values after which the histogram is made smaller again. The result depends on it.
const histogramBuffer = 100

// bucket is some values of a histogram: their mean and their weight.
type bucket struct{ value, weight float64 }

// numericHistogram approximates the distribution of weighted values by buckets, as pairs of value and weight
// in ascending order: Ben-Haim and Tom-Tov, A Streaming Parallel Decision Tree Algorithm, except that the neighbours
// which lose the least of the variance become one.
func numericHistogram(size int64, values, weights numbers) (numbers, error) {
	if size < 2 {
		return nil, invalid("numeric_histogram bucket count must be greater than one")
	}
	if len(values) != len(weights) || len(values) == 0 {
		return nil, invalid("numeric_histogram needs a weight for each value")
	}
	var h []bucket
	for i, v := range values {
		value, _ := v.(float64)
		weight, _ := weights[i].(float64)
		if len(h) >= int(size)+histogramBuffer {
			h = compact(h, int(size))
		}
		h = append(h, bucket{value, weight})
	}
	var out numbers
	for _, b := range compact(h, int(size)) {
		out = append(out, b.value, b.weight)
	}
	return out, nil
}

// compact sorts buckets, and joins neighbours until there are at most size.
func compact(h []bucket, size int) []bucket {
	slices.SortStableFunc(h, func(a, b bucket) int { return cmp.Compare(a.value, b.value) })
	n := 0
	for _, b := range h[1:] {
		if h[n].value == b.value {
			h[n].weight += b.weight
			continue
		}
		n++
		h[n] = b
	}
	for h = h[:n+1]; len(h) > size; {
		best := 0
		for i := 1; i < len(h)-1; i++ {
			if loss(h[i], h[i+1]) < loss(h[best], h[best+1]) {
				best = i
			}
		}
		a, b := h[best], h[best+1]
		weight := a.weight + b.weight
		h[best] = bucket{(a.value*a.weight + b.value*b.weight) / weight, weight}
		h = slices.Delete(h, best+1, best+2)
	}
	return h
}

// loss is by how much the sum of squared distances from the buckets' values grows if two become one.
func loss(a, b bucket) float64 {
	weight := a.weight + b.weight
	return weight * (a.value - b.value) * (a.value - b.value) * (a.weight * b.weight / (weight * weight))
}
