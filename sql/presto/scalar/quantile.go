package scalar

import (
	"cmp"
	"slices"
	"sort"
)

var quantileFuncs = []Func{three("quantiles", quantiles), three("digest_quantiles", digestQuantiles)}

// weighted are values in ascending order with their weights; so[i] is the weight up to and with value i.
type weighted struct {
	values, weights, so []float64
	total               float64
}

// weigh sorts values, which come with a weight each.
func weigh(values, weights numbers) (*weighted, error) {
	if len(values) != len(weights) || len(values) == 0 {
		return nil, invalid("quantiles need a weight for each value")
	}
	pairs := make([]bucket, len(values))
	for i := range values {
		pairs[i].value, _ = values[i].(float64)
		if pairs[i].weight, _ = weights[i].(float64); !(pairs[i].weight >= 1) {
			return nil, invalid("weight must be >= 1, was %v", weights[i])
		}
	}
	slices.SortFunc(pairs, func(a, b bucket) int { return cmp.Compare(a.value, b.value) })
	w := &weighted{}
	for _, p := range pairs {
		w.total += p.weight
		w.values, w.weights, w.so = append(w.values, p.value), append(w.weights, p.weight), append(w.so, w.total)
	}
	return w, nil
}

// each returns the values at shares from 0 to 1.
func (w *weighted) each(shares numbers, at func(*weighted, float64) float64) (numbers, error) {
	out := make(numbers, len(shares))
	for i, share := range shares {
		q, ok := share.(float64)
		switch {
		case !ok:
			return nil, invalid("Percentile cannot be null")
		case !(q >= 0 && q <= 1):
			return nil, invalid("Percentile must be between 0 and 1")
		}
		out[i] = at(w, q)
	}
	return out, nil
}

// quantiles returns the values whose weight exceeds the shares, as Trino's quantile digests give them while they have
// all values.
func quantiles(values, weights, shares numbers) (numbers, error) {
	w, err := weigh(values, weights)
	if err != nil {
		return nil, err
	}
	return w.each(shares, func(w *weighted, q float64) float64 {
		i := sort.Search(len(w.so)-1, func(i int) bool { return w.so[i] > q*w.total })
		return w.values[i]
	})
}

// digestQuantiles are as Trino's t-digests give them while they have all values: the value of weight 1 that has the
// share, else interpolated between the middles of two values' weights.
func digestQuantiles(values, weights, shares numbers) (numbers, error) {
	w, err := weigh(values, weights)
	if err != nil {
		return nil, err
	}
	return w.each(shares, (*weighted).between)
}

func (w *weighted) between(q float64) float64 {
	last, offset := len(w.values)-1, q*w.total
	switch {
	case last == 0 || q == 0 || offset < 1:
		return w.values[0]
	case q == 1 || offset > w.total-1 || w.weights[last] > 1 && w.total-offset <= w.weights[last]/2:
		return w.values[last]
	}
	next := sort.Search(last+1, func(i int) bool { return w.middle(i) > offset })
	if next == 0 || next > last {
		return w.values[min(next, last)]
	}
	before, after := offset-w.middle(next-1), w.middle(next)-offset
	// A value of weight 1 stands for itself as far as half of its weight goes.
	left, right := own(w.weights[next-1]), own(w.weights[next])
	switch {
	case before < left:
		return w.values[next-1]
	case after <= right:
		return w.values[next]
	}
	before, after = before-left, after-right
	return (w.values[next-1]*after + w.values[next]*before) / (before + after)
}

// middle returns the weight up to the middle of value i's.
func (w *weighted) middle(i int) float64 { return w.so[i] - w.weights[i]/2 }

func own(weight float64) float64 {
	if weight == 1 {
		return 0.5
	}
	return 0
}
