package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// rebuilt returns a memory made from lists of added entries, in any order and some of them twice.
func rebuilt(t *testing.T, r *rand.Rand, window time.Duration, lists [][]byte) *Duplicates {
	t.Helper()
	d := NewDuplicates(window, 0)
	lists = append(lists, lists[r.IntN(len(lists))])
	r.Shuffle(len(lists), func(i, j int) { lists[i], lists[j] = lists[j], lists[i] })
	for _, l := range lists {
		var all []Seen
		require.NoError(t, ReadSeen(l, func(s Seen) { all = append(all, s) }))
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, s := range all {
			d.Add(s)
		}
	}
	return d
}

// A memory that was made again from what was written down says the same as the
// old one, which says the same as a list of all that came, for submissions that
// are less than an eighth of a window late.
func TestDuplicatesRebuilt(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 7))
		window := []time.Duration{8, 1000, time.Hour, 24 * time.Hour}[r.IntN(4)]
		d := NewDuplicates(window, 0)
		came := map[string][]int64{} // times that were no duplicates, of each URI
		var lists [][]byte
		var list []Seen
		now := r.Int64N(1 << 60)
		for i := range 3000 {
			now += r.Int64N(int64(window)/8 + 1)
			at := now - r.Int64N(d.width)
			uri := fmt.Sprint(r.IntN(60))
			if r.IntN(3) == 0 { // at the edge of the window
				if times := came[uri]; len(times) > 0 {
					if edge := times[len(times)-1] + int64(window) + r.Int64N(5) - 2; edge > now-d.width && edge < now+d.width {
						now, at = max(now, edge), edge
					}
				}
			}
			want, dup := int64(0), false
			for _, c := range came[uri] {
				if distance(c, at) < uint64(window) && (!dup || c < want) {
					want, dup = c, true
				}
			}
			first, seen, added := d.SeenKey([]byte(uri), at)
			if seen != dup || first != want {
				t.Fatalf("seed %d, %d: got %d %v, want %d %v", seed, i, first, seen, want, dup)
			}
			if !seen {
				came[uri] = append(came[uri], at)
				list = append(list, added)
			}
			if r.IntN(100) == 0 {
				lists, list = append(lists, AppendSeen(nil, list)), nil
			}
			if r.IntN(400) == 0 && len(lists) > 0 { // a restart
				lists, list = append(lists, AppendSeen(nil, list)), nil
				d = rebuilt(t, r, window, lists)
			}
		}
	}
}

func TestAddAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	all := make([]Seen, 500)
	for i := range all {
		r.Uint64()
		all[i] = Seen{At: r.Int64N(40 * hour)}
		all[i].Key[0], all[i].Key[15] = byte(r.IntN(4)), byte(i)
	}
	all[0] = Seen{At: math.MinInt64}
	all[1] = Seen{At: math.MaxInt64}
	for _, most := range []int{1, 7, 100, 10_000} {
		var want map[Seen]bool
		for range 5 {
			d := NewDuplicates(8*time.Hour, most)
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			for _, s := range append(all, all[:50]...) {
				d.Add(s)
			}
			got := map[Seen]bool{}
			for _, s := range all {
				sh := d.shard(entryOf(s))
				if sh.has(entryOf(s)) {
					got[s] = true
				}
			}
			if len(got) != d.uris || len(got) > most {
				t.Fatalf("%d: live is %d with %d", most, d.uris, len(got))
			}
			if want == nil {
				want = got
			} else if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%d: what is remembered depends on the order", most)
			}
			if (d.Forgotten() > 0) != (most < len(all)) {
				t.Errorf("%d: %d forgotten", most, d.Forgotten())
			}
		}
	}
}

func TestDuplicatesBound(t *testing.T) {
	const most = 1000
	d := NewDuplicates(24*time.Hour, most)
	for i := range int64(50_000) {
		at := i * int64(time.Minute) / 10
		if i > 20_000 {
			at = 20_000 * int64(time.Minute) / 10 // all at once
		}
		if _, seen := d.Seen(fmt.Append(nil, i), at); seen {
			t.Fatalf("%d is no duplicate", i)
		}
		if first, seen := d.Seen(fmt.Append(nil, i), at); !seen || first != at {
			t.Fatalf("%d is forgotten at once", i)
		}
		if n := d.uris; n > most {
			t.Fatalf("%d remembered", n)
		}
	}
	if got := d.Forgotten(); got < 40_000 || got > 50_000-1 {
		t.Errorf("%d forgotten", got)
	}
	slots := 0
	for i := range d.shards {
		slots += len(d.shards[i].entries)
	}
	if slots > 3*most+numShards*2*tailSlots {
		t.Errorf("%d slots for %d URIs", slots, most)
	}
}

// The tables stay in order with keys that are close together, as no hash makes
// them.
func TestShardCrowded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, spread := range []uint64{1, 3, 1 << 20, 1 << 56} {
		var s shard
		want := map[entry]bool{}
		for range 3000 {
			e := entry{hi: math.MaxUint64 - r.Uint64N(spread), lo: 1 + r.Uint64N(50), at: r.Int64N(40)}
			if s.has(e) != want[e] {
				t.Fatalf("%+v: %v", e, !want[e])
			}
			if !want[e] {
				s.insert(e)
				want[e] = true
			}
		}
		s.retain(func(e entry) bool { return e.at%3 != 0 })
		n := 0
		for e := range want {
			if s.has(e) != (e.at%3 != 0) {
				t.Fatalf("%+v after retain", e)
			}
			if e.at%3 != 0 {
				n++
			}
		}
		if s.used != n || len(s.entries) > 3*len(want)+200 {
			t.Errorf("%d used of %d, want %d", s.used, len(s.entries), n)
		}
		if s.retain(func(entry) bool { return false }); s.entries != nil {
			t.Error("not empty")
		}
	}
}

// Memory stays within the documented bound, also while it grows and after buckets
// came and went.
func TestDuplicatesMemory(t *testing.T) {
	const uris, most = 1_000_000, 32.0
	heap := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	before := heap()
	d := NewDuplicates(24*time.Hour, 0)
	step := 30 * hour / uris
	var uri []byte
	for i := range int64(2 * uris) {
		uri = fmt.Appendf(uri[:0], "/submit/telemetry/%d", i)
		d.Seen(uri, i*step)
		if i%(uris/8) == uris/8-1 && i > uris/4 {
			got := (heap() - before) / float64(d.uris)
			t.Logf("%.1f bytes for each of %d URIs", got, d.uris)
			if got > most {
				t.Errorf("%.1f bytes for each of %d URIs", got, d.uris)
			}
		}
	}
	runtime.KeepAlive(d)
}

func TestSeenList(t *testing.T) {
	for n := range 4 {
		var want []Seen
		for i := range n {
			want = append(want, Seen{Key: [16]byte{byte(i), 15: 1}, At: int64(i) - 1})
		}
		b := AppendSeen([]byte("before"), want)[6:]
		var got []Seen
		add := func(s Seen) { got = append(got, s) }
		if err := ReadSeen(b, add); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d: %v, %v", n, got, err)
		}
		got = nil
		for i := range b {
			bad := bytes.Clone(b)
			bad[i] ^= 4
			for _, damaged := range [][]byte{bad, b[:i]} {
				if err := ReadSeen(damaged, add); !errors.Is(err, ErrSeen) {
					t.Errorf("%d, byte %d: %v", n, i, err)
				}
			}
		}
		if err := ReadSeen(append(b, 0), add); !errors.Is(err, ErrSeen) || got != nil {
			t.Errorf("%d with a byte behind: %v, %d read", n, err, len(got))
		}
	}
}

func FuzzSeen(f *testing.F) {
	f.Add([]byte{})
	f.Add(AppendSeen(nil, nil))
	f.Add(AppendSeen(nil, []Seen{{At: -1}, {Key: [16]byte{1}, At: math.MaxInt64}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := NewDuplicates(time.Hour, 3)
		var all []Seen
		err := ReadSeen(data, func(s Seen) {
			all = append(all, s)
			d.Add(s)
		})
		if err != nil && len(all) > 0 {
			t.Fatalf("%d read, %v", len(all), err)
		}
		if err == nil && !bytes.Equal(AppendSeen(nil, all), data) {
			t.Fatal("another list")
		}
		if d.uris > 3 {
			t.Fatalf("%d remembered", d.uris)
		}
	})
}
