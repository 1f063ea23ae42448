package scalar

import (
	"reflect"
	"testing"
)

// TestQuantiles: elements by rank, interpolation between weights, and what is refused.
func TestQuantiles(t *testing.T) {
	values, weights := numbers{9.0, 1.0, 4.0, 2.0}, numbers{3.0, 1.0, 1.0, 5.0}
	for _, c := range []struct {
		f       func(values, weights, shares numbers) (numbers, error)
		weights numbers
		shares  numbers
		want    numbers
	}{
		{quantiles, weights, numbers{0.0, 0.1, 0.5, 0.6, 0.9, 1.0}, numbers{1.0, 2.0, 2.0, 4.0, 9.0, 9.0}},
		{digestQuantiles, weights, numbers{0.0, 0.1, 0.3, 0.5, 0.65, 0.9, 1.0}, numbers{1.0, 1.0, 1.8, 3.2, 4.0, 9.0, 9.0}},
		{digestQuantiles, numbers{1.0, 1.0, 1.0, 1.0}, numbers{0.25, 0.5, 0.75, 0.9}, numbers{2.0, 4.0, 9.0, 9.0}},
	} {
		got, err := c.f(values, c.weights, c.shares)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v %v: %v, %v, not %v", c.weights, c.shares, got, err, c.want)
		}
	}
	for _, bad := range [][3]numbers{{nil, nil, {0.5}}, {{1.0}, {0.5}, {0.5}}, {{1.0}, {nil}, {0.5}}, {{1.0}, {1.0}, {nil}},
		{{1.0}, {1.0}, {1.5}}, {{1.0}, {}, {0.5}}} {
		if got, err := digestQuantiles(bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("%v: %v", bad, got)
		}
	}
}

// TestNumericHistogram: neighbours that lose the least become one; equal values are one at once.
func TestNumericHistogram(t *testing.T) {
	ones := func(n int) (out numbers) {
		for range n {
			out = append(out, 1.0)
		}
		return out
	}
	got, err := numericHistogram(3, numbers{1.0, 2.0, 4.0, 9.0, 10.0, 2.0}, ones(6))
	if want := (numbers{5.0 / 3, 3.0, 4.0, 1.0, 9.5, 2.0}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := numericHistogram(1, numbers{1.0}, ones(1)); err == nil {
		t.Error("one bucket is taken")
	}
}
