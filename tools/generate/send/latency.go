package send

import (
	"math"
	"math/bits"
	"time"
)

// The buckets of latencies: microseconds one by one up to 64, then 32 for each
// doubling.
const (
	mantissa   = 32
	maxBuckets = mantissa * (64 - 5)
)

// latencies counts durations in buckets.
type latencies struct {
	counts [maxBuckets]int64
	n      int64
	max    time.Duration
}

func (l *latencies) add(d time.Duration) {
	d = max(d, 0)
	l.counts[bucketOf(d)]++
	l.n++
	l.max = max(l.max, d)
}

func bucketOf(d time.Duration) int {
	us := uint64(d / time.Microsecond)
	doublings := max(bits.Len64(us)-6, 0) // those after which it is below 64
	return doublings*mantissa + int(us>>doublings)
}

// bucketEnd returns the longest duration of a bucket.
func bucketEnd(i int) time.Duration {
	doublings := max(i/mantissa-1, 0)
	us := uint64(i-doublings*mantissa+1) << doublings // below 2^63: durations have 54 bits of them
	return time.Duration(min(us, math.MaxInt64/uint64(time.Microsecond)))*time.Microsecond - 1
}

// sum finds the percentiles.
func (l *latencies) sum() Latency {
	return Latency{l.quantile(50), l.quantile(90), l.quantile(99), l.max}
}

// quantile returns the end of the bucket in which a percentage is reached.
func (l *latencies) quantile(percent int64) time.Duration {
	rank := (l.n*percent + 99) / 100
	for i, n := range &l.counts {
		if rank -= n; rank <= 0 && l.n > 0 {
			return min(bucketEnd(i), l.max)
		}
	}
	return 0
}
