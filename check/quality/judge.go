package quality

import (
	"math"
	"slices"
)

// How odd a change is, is judged by its size and by whether chance explains it. The size is a score from 0 to 100. A change
// must be odd both beside the usual value, which knows the weekday, and beside the day before, which knows the trend.
const (
	// certain is the least change, in usual deviations, that counts: there are thousands of metrics a day, and none
	// should be odd by chance.
	certain = 3.5
	// leastScore is the score from which on a change is worth a line.
	leastScore = 10
	// noise is the share by which counts differ from week to week where there are too few weeks to know.
	noise = 0.08
	// calm is the share by which they always may.
	calm = 0.03
)

// past holds the profiles with which a day is compared.
type past struct {
	yesterday *indexed
	weeks     []*indexed // the same weekday of up to four weeks, newest first, those that are known
}

// verdict is a change with its score; 0: it is not odd.
type verdict struct {
	score                float64
	now, yesterday, week *float64
	usual                float64
	before               sample // what the day was compared with: the usual value
}

// judge compares a metric of a day with the past.
func (h *past) judge(m *Metric, p *indexed) (v verdict) {
	now, ok := m.sample(p)
	if !ok {
		return v
	}
	v.now = &now.x
	var weeks []sample
	for i, w := range h.weeks {
		s, ok := m.sample(w)
		if !ok {
			continue
		}
		if i == 0 && w != nil {
			v.week = &s.x
		}
		weeks = append(weeks, s)
	}
	last, known := m.sample(h.yesterday)
	if known {
		v.yesterday = &last.x
	}
	usual, spread := usually(weeks)
	switch {
	case len(weeks) == 0 && !known:
		return v
	case len(weeks) == 0:
		usual = last
	}
	v.usual, v.before = usual.x, usual
	v.score = m.score(now, usual, spread)
	if known && len(weeks) > 0 {
		v.score = min(v.score, m.score(now, last, spread))
	}
	return v
}

// usually returns the median of samples, and how far they are from each other; below 0 where that is not known.
func usually(all []sample) (usual sample, spread float64) {
	if len(all) == 0 {
		return usual, -1
	}
	xs := make([]float64, len(all))
	for i, s := range all {
		xs[i] = s.x
	}
	usual = all[0]
	usual.x = median(xs)
	for _, s := range all {
		usual.n, usual.most, usual.lo, usual.hi = min(usual.n, s.n), max(usual.most, s.most), min(usual.lo, s.lo), max(usual.hi, s.hi)
	}
	if len(all) < 3 {
		return usual, -1
	}
	for i := range xs {
		xs[i] = math.Abs(xs[i] - usual.x)
	}
	return usual, 1.5 * median(xs) // as a standard deviation
}

func median(xs []float64) float64 {
	xs = slices.Sorted(slices.Values(xs))
	return (xs[len(xs)/2] + xs[(len(xs)-1)/2]) / 2
}

// score returns the score of a change from one sample to another, 0 if chance explains it.
func (m *Metric) score(now, before sample, spread float64) float64 {
	switch m.Measure {
	case Rows, Clients, Bytes:
		return countScore(now.x, before.x, spread)
	case Typical:
		return typicalScore(now, before)
	case Known:
		return max(shareScore(now, before, spread), 0.7*shareScore(now.rest(), before.rest(), spread))
	case Having:
		return shareScore(now.listed(before), before.listed(now), spread)
	}
	return shareScore(now, before, spread)
}

// countScore returns the score of a changed count: half or double scores 76.
func countScore(now, before, spread float64) float64 {
	if spread < 0 {
		spread = noise * before
	}
	spread = math.Hypot(max(spread, calm*before), 2*math.Sqrt(max(before, now)))
	if math.Abs(now-before) < certain*spread {
		return 0
	}
	return 100 * math.Tanh(math.Abs(math.Log2((now+1)/(before+1))))
}

// shareScore returns the score of a changed share of rows. It weights the factor of the change by the number of rows.
func shareScore(now, before sample, spread float64) float64 {
	n := min(now.n, before.n)
	large, small := max(now.x, before.x), min(now.x, before.x)
	p := (now.x + before.x) / 2
	chance := math.Sqrt(2 * p * (1 - p) / n)
	if math.Abs(now.x-before.x) < certain*math.Hypot(chance, max(spread, 0)) || n*large < certain {
		return 0
	}
	return 100 * math.Cbrt(large) * math.Tanh(math.Log2((large+0.5/n)/(small+0.5/n)))
}

// rest returns the share of the other rows.
func (s sample) rest() sample {
	s.x = 1 - s.x
	return s
}

// listed returns a share as it may be for all that is known: a value that is not listed may be there, as often as the
// others that are not.
func (s sample) listed(other sample) sample {
	if s.most > 0 {
		s.x = min(s.most, other.x)
	}
	return s
}

// typicalScore returns the score of a changed median. The change counts only if each median is outside of the
// middle half of the other's values; the score depends on the distance in widths of that half.
func typicalScore(now, before sample) float64 {
	inside := func(a, b sample) bool { return b.lo <= a.x && a.x <= b.hi }
	if inside(now, before) || inside(before, now) || min(now.n, before.n) < leastNumbers {
		return 0
	}
	shift := math.Abs(now.x-before.x) / max(now.hi-now.lo, before.hi-before.lo, math.SmallestNonzeroFloat64)
	return 60 * math.Tanh(shift)
}
