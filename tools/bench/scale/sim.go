package main

import (
	"container/heap"
	"math"
	"math/rand/v2"
)

// sim simulates events in time, in seconds. The same seed produces the same events.
type sim struct {
	now    float64
	events events
	random *rand.Rand
	made   int
}

type event struct {
	at float64
	n  int // of equal times the first made is the first
	do func()
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].n < e[j].n
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

func newSim(seed uint64) *sim { return &sim{random: rand.New(rand.NewPCG(seed, 7))} }

// after does something later.
func (s *sim) after(seconds float64, do func()) {
	s.made++
	heap.Push(&s.events, event{s.now + seconds, s.made, do})
}

// run goes on until nothing is to happen any more.
func (s *sim) run() {
	for len(s.events) > 0 {
		e := heap.Pop(&s.events).(event)
		s.now = e.at
		e.do()
	}
}

// bucket simulates a bucket: requests take time, more at some hours, and some are refused.
type bucket struct {
	latency float64               // s of a request, on average
	slow    func(float64) float64 // factor at a time; nil: 1
	refused float64               // share that is answered 503 and asked again after a pause
}

// backoff is the pause before a refused request is asked again, s.
const backoff = 0.5

// take returns the duration of n sequential requests; each takes between 0 and twice the mean.
func (b *bucket) take(s *sim, n float64) float64 {
	factor := 1.0
	if b.slow != nil {
		factor = b.slow(s.now)
	}
	mean := b.latency*factor/(1-b.refused) + backoff*b.refused/(1-b.refused)
	spread := b.latency * factor / math.Sqrt(3) * math.Sqrt(n)
	return max(0, n*mean+spread*s.random.NormFloat64())
}
