package spool

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// BenchmarkAppend appends records of 20 KB from many goroutines: what a commit
// costs and what group commit makes of it.
func BenchmarkAppend(b *testing.B) {
	for _, m := range []struct {
		name string
		sync Sync
	}{{"group", SyncGroup}, {"each", SyncEach}, {"none", SyncNone}, {"append", SyncAppend}} {
		for _, appenders := range []int{1, 16, 64, 256} {
			b.Run(fmt.Sprintf("%s/%d", m.name, appenders), func(b *testing.B) {
				benchmarkAppend(b, m.sync, appenders)
			})
		}
	}
}

func benchmarkAppend(b *testing.B, mode Sync, appenders int) {
	s := open(b, b.TempDir(), Options{Sync: mode})
	stop := removeSealed(s)
	defer stop()
	var wg sync.WaitGroup
	times := make([][]time.Duration, appenders)
	b.SetBytes(20000)
	b.ReportAllocs()
	b.ResetTimer()
	for a := range appenders {
		n := b.N / appenders
		if a < b.N%appenders {
			n++
		}
		times[a] = make([]time.Duration, 0, n)
		wg.Go(func() {
			r := record(fmt.Sprint(a), 20000)
			for range n {
				start := time.Now()
				if err := s.Append(context.Background(), r); err != nil {
					b.Error(err)
					return
				}
				times[a] = append(times[a], time.Since(start))
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	all := slices.Concat(times...)
	slices.Sort(all)
	b.ReportMetric(float64(all[len(all)/2].Microseconds()), "p50-us")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), "p99-us")
	b.ReportMetric(float64(len(all))/b.Elapsed().Seconds(), "appends/s")
	b.ReportMetric(float64(len(all))/float64(max(1, s.Stats().Commits)), "appends/commit")
}

// removeSealed removes segments as they are sealed, as a decoder would.
func removeSealed(s *Spool) (stop func()) {
	end, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-s.Changed():
			case <-end:
				return
			}
			sealed, _ := s.Sealed()
			for _, g := range sealed {
				_ = s.Remove(g)
			}
		}
	}()
	return func() { close(end); <-done }
}
