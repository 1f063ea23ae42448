package quality

import (
	"math"
	"slices"
)

// maxNumbers is the number of values from which quantiles are computed. With more values, a regular sample of
// them is used: every second, fourth, and so on.
const maxNumbers = 4096

// numbers describes numbers in bounded memory.
type numbers struct {
	n        int64
	min, max float64
	sum      float64
	sample   []float64
	skip     int64 // one of this number of values is in the sample
}

func newNumbers() *numbers { return &numbers{min: math.Inf(1), max: math.Inf(-1), skip: 1} }

func (s *numbers) add(v float64) {
	if v != v || math.IsInf(v, 0) {
		return // JSON has no such numbers, and a mean means nothing with them
	}
	if s.n%s.skip == 0 {
		if len(s.sample) == maxNumbers {
			s.thin()
		}
		if s.n%s.skip == 0 {
			s.sample = append(s.sample, v)
		}
	}
	s.n++
	s.min, s.max = min(s.min, v), max(s.max, v)
	s.sum += v
}

// thin drops every second of the numbers kept.
func (s *numbers) thin() {
	for i := range len(s.sample) / 2 {
		s.sample[i] = s.sample[2*i]
	}
	s.sample = s.sample[:len(s.sample)/2]
	s.skip *= 2
}

// finish returns the distribution, nil without numbers.
func (s *numbers) finish() *Distribution {
	if s.n == 0 {
		return nil
	}
	slices.Sort(s.sample)
	d := &Distribution{Min: s.min, Max: s.max, Mean: s.sum / float64(s.n)}
	for i, share := range Shares {
		d.Quantiles[i] = s.sample[int(share*float64(len(s.sample)-1)+0.5)]
	}
	return d
}
