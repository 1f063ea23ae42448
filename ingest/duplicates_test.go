package ingest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
)

const hour = int64(time.Hour)

func TestDuplicatesWindow(t *testing.T) {
	d := NewDuplicates(24*time.Hour, 0)
	start := int64(1530403200000000000)
	for _, c := range []struct {
		uri   string
		at    int64
		first int64 // -1: new
	}{
		{"a", start, -1},
		{"a", start, start},
		{"b", start, -1},
		{"a", start + 23*hour, start},
		{"a", start + 24*hour - 1, start},
		{"a", start - 24*hour + 1, start}, // came late
		{"a", start + 24*hour, -1},        // a window after the first one, not the last
		{"a", start + 47*hour, start + 24*hour},
		{"a", start - 24*hour, -1},
		{"", start, -1},
		{"", start, start},
	} {
		first, seen := d.Seen([]byte(c.uri), c.at)
		if seen != (c.first >= 0) || seen && first != c.first {
			t.Fatalf("%q at %+d: got %d %v, want %d", c.uri, c.at-start, first, seen, c.first)
		}
	}
}

// A stream in order keeps what a window needs and not more than ten eighths.
func TestDuplicatesBounded(t *testing.T) {
	d := NewDuplicates(24*time.Hour, 0)
	uri := func(i int64) []byte { return fmt.Appendf(nil, "/submit/telemetry/%d/main", i) }
	minute := int64(time.Minute)
	for i := range int64(10 * 24 * 60) {
		at := i * minute
		if _, seen := d.Seen(uri(i), at); seen {
			t.Fatalf("%d is no duplicate", i)
		}
		if back := i - 24*60 + 1; back >= 0 {
			if first, seen := d.Seen(uri(back), at); !seen || first != back*minute {
				t.Fatalf("%d is forgotten", back)
			}
		}
	}
	if n := d.uris; n < 24*60 || n > 24*60*10/8 {
		t.Errorf("%d remembered", n)
	}
}

// Out of order, or with times from anywhere, nothing is taken for a duplicate
// that is none and memory stays bounded.
func TestDuplicatesAnyTime(t *testing.T) {
	d := NewDuplicates(time.Hour, 0)
	r := rand.New(rand.NewPCG(1, 2))
	times := []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64}
	for i := range 2000 {
		at := int64(r.Uint64())
		if i < len(times) {
			at = times[i]
		}
		if _, seen := d.Seen(fmt.Append(nil, i), at); seen {
			t.Fatalf("%d is no duplicate", i)
		}
		if first, seen := d.Seen(fmt.Append(nil, i), at); !seen || first != at {
			t.Fatalf("%d is forgotten at once", i)
		}
	}
	if n := d.uris; n > liveBuckets {
		t.Errorf("%d remembered in %d buckets", n, liveBuckets)
	}
}

func TestDuplicatesSmallWindow(t *testing.T) {
	d := NewDuplicates(1, 0)
	if _, seen := d.Seen([]byte("a"), 5); seen {
		t.Error("new one seen")
	}
	if _, seen := d.Seen([]byte("a"), 5); !seen {
		t.Error("duplicate not seen")
	}
}

func TestFloorDiv(t *testing.T) {
	for _, c := range [][3]int64{{7, 3, 2}, {-7, 3, -3}, {-6, 3, -2}, {0, 3, 0}, {math.MinInt64, 1, math.MinInt64}} {
		if got := floorDiv(c[0], c[1]); got != c[2] {
			t.Errorf("%d/%d: got %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

func BenchmarkDuplicates(b *testing.B) {
	uri := []byte("/submit/telemetry/0d5c9b9c-4f3b-4a6e-9c0d-3c8b00000000/main/Firefox/60.0/release/20180601000000")
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	d := NewDuplicates(24*time.Hour, 0)
	b.ResetTimer()
	for i := range b.N {
		for p, v := 0, i; p < 8; p, v = p+1, v>>4 {
			uri[50+p] = "0123456789abcdef"[v&15]
		}
		d.Seen(uri, int64(i)*int64(10*time.Millisecond))
	}
	b.StopTimer()
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(d.uris), "B/uri")
}
