package send

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/tools/generate"
)

// manualClock is a clock that goes on when somebody sleeps.
type manualClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *manualClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *manualClock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return ctx.Err()
}

func TestSteadyRate(t *testing.T) {
	e := newEdge(t, nil)
	c := &manualClock{now: time.Unix(1000, 0)}
	o := e.options(t)
	o.Now, o.Wait, o.Rate, o.Limit = c.Now, c.Sleep, 30, 61
	var pauses []time.Duration
	o.Wait = func(ctx context.Context, d time.Duration) error {
		pauses = append(pauses, d) // only the schedule sleeps here
		return c.Sleep(ctx, d)
	}
	r, err := Run(context.Background(), small(t), o)
	if err != nil || r.Submissions != 61 || len(pauses) != 60 || math.Abs(r.Took.Seconds()-2) > 0.001 || math.Abs(r.Rate()-30.5) > 0.1 {
		t.Errorf("%+v, %d pauses, %v", r, len(pauses), err)
	}
	for _, d := range pauses {
		if d != pauses[0] {
			t.Fatalf("pauses %v", pauses)
		}
	}
}

func TestSchedule(t *testing.T) {
	at := func(s float64) time.Time { return time.Unix(0, int64(s*1e9)) }
	for _, c := range []struct {
		name           string
		now, due, want float64
		slept          float64
	}{
		{"before its time", 10, 12, 12, 2},
		{"in time", 10, 10, 10, 0},
		{"a little late", 10, 9.2, 9.2, 0},
		{"after a standstill", 10, 4, 10, 0},
	} {
		k := &manualClock{now: at(c.now)}
		s := sender{Options: Options{Clock: clock.Clock{Now: k.Now, Wait: k.Sleep}}}
		if got := s.await(context.Background(), at(c.due)); !got.Equal(at(c.want)) || !k.now.Equal(at(c.now+c.slept)) {
			t.Errorf("%s: due %v at %v", c.name, got, k.now)
		}
	}
}

func TestPauses(t *testing.T) {
	s := sender{Options: Options{Backoff: 100 * time.Millisecond, MaxBackoff: 5 * time.Second}}
	for try, most := range []float64{0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5} {
		for range 100 {
			if d := s.pause(try, 0).Seconds(); d < most/2 || d > most+0.001 {
				t.Fatalf("pause of %v seconds after try %d", d, try)
			}
		}
	}
	for _, try := range []int{31, 32, 63, 64, math.MaxInt} {
		if d := s.pause(try, time.Minute); d < time.Minute+2500*time.Millisecond || d > time.Minute+5*time.Second {
			t.Errorf("pause of %v after try %d", d, try)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2018, 3, 1, 12, 0, 0, 0, time.UTC)
	for v, want := range map[string]time.Duration{
		"": 0, "0": 0, "3": 3 * time.Second, " 120 ": 2 * time.Minute, "-5": 0, "1.5": 0, "soon": 0,
		"600": 10 * time.Minute, "86400": longestPause, "9223372036854775807": longestPause, "99999999999999999999": 0,
		"Thu, 01 Mar 2018 12:00:30 GMT": 30 * time.Second,
		"Thu, 01 Mar 2018 11:00:00 GMT": 0,
		"Fri, 01 Mar 2019 11:00:00 GMT": longestPause,
	} {
		if got := retryAfter(v, now); got != want {
			t.Errorf("Retry-After %q: %v, want %v", v, got, want)
		}
	}
}

func TestLatencies(t *testing.T) {
	if got := (&latencies{}).sum(); got != (Latency{}) {
		t.Errorf("of none: %+v", got)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var l latencies
	var all []time.Duration
	for range 10_000 {
		d := time.Duration(math.Exp(r.Float64() * math.Log(60e9)))
		l.add(d)
		all = append(all, d)
	}
	slices.Sort(all)
	got := l.sum()
	for _, c := range []struct{ got, want time.Duration }{
		{got.P50, all[4999]}, {got.P90, all[8999]}, {got.P99, all[9899]}, {got.Max, all[9999]},
	} {
		if c.got < c.want || float64(c.got) > float64(c.want)*1.04+2000 {
			t.Errorf("%v instead of %v: %+v", c.got, c.want, got)
		}
	}
	for _, d := range []time.Duration{-1, 0, 63_999, 64_000, time.Hour, 292 * 365 * 24 * time.Hour} {
		i := bucketOf(max(d, 0))
		if i >= maxBuckets || bucketEnd(i) < d || i > 0 && bucketEnd(i-1) >= d {
			t.Errorf("%v is in bucket %d, which ends at %v", d, i, bucketEnd(i))
		}
		l.add(d)
	}
}

// BenchmarkSend sends to a server that reads and forgets.
func BenchmarkSend(b *testing.B) {
	g, err := generate.New(generate.Config{Seed: 1, Clients: 1000, Days: 2, Gzip: true, Damaged: -1})
	if err != nil {
		b.Fatal(err)
	}
	e := benchmarkEdge(b)
	for b.Loop() {
		r, err := Run(context.Background(), g, Options{To: e, Clock: clock.Clock{Now: time.Now}, Limit: 2000, IDs: &IDs{}})
		if err != nil || r.Acknowledged != 2000 {
			b.Fatalf("%+v, %v", r, err)
		}
		b.ReportMetric(r.Rate(), "submissions/s")
		b.ReportMetric(float64(r.Bytes)/2000, "bytes/submission")
	}
}

// BenchmarkTry sends one submission of 20 KB again and again, without a
// generator.
func BenchmarkTry(b *testing.B) {
	to := benchmarkEdge(b)
	tr := newTransport(64)
	defer tr.CloseIdleConnections()
	s := sender{Options: Options{Transport: tr, Timeout: time.Minute, Clock: clock.Clock{Now: time.Now}}}
	sub := &generate.Submission{URI: []byte("/submit/telemetry/id/main/Firefox/58.0/release/2018?v=4"), Body: make([]byte, 20_000)}
	b.SetBytes(20_000)
	b.ReportAllocs()
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		j := &job{body: &body{}}
		for pb.Next() {
			j.take(sub, to)
			if a := s.try(context.Background(), j); a.status != 200 {
				b.Error(a)
			}
			j.end()
		}
	})
}
