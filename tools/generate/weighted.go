package generate

import "github.com/pingmill/pingmill/tools/generate/random"

// weighted are things with the number of times, among all, that each is drawn.
type weighted[T any] struct {
	weight int
	value  T
}

// draw picks by weight.
func draw[T any](r *random.Source, list []weighted[T]) T { return list[drawIndex(r, list)].value }

// drawIndex picks an index by weight.
func drawIndex[T any](r *random.Source, list []weighted[T]) int {
	total := 0
	for i := range list {
		total += list[i].weight
	}
	n := r.Below(total)
	for i := range list {
		if n -= list[i].weight; n < 0 {
			return i
		}
	}
	return 0
}
