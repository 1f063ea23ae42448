package ingest

import (
	"crypto/sha256"
	"math"
	"sync"
	"time"
)

// liveBuckets is the number of time buckets. A window spans windowBuckets of them, and one more if it begins
// inside a bucket. The last one is room for submissions that arrive late.
const (
	windowBuckets = 8
	liveBuckets   = windowBuckets + 2
)

// DefaultMaxURIs bounds the number of remembered URIs; they take some 2 GB.
const DefaultMaxURIs = 1 << 26

// Duplicates recognises submission URIs that were seen within a window of time.
//
// It identifies a URI by 128 bits of its SHA-256. The probability that another submission is taken for a
// duplicate is negligible: below 1e-20 among 10^9 in the window, and nobody can construct two that collide.
// Times are arrival times of submissions, in nanoseconds: the verdict is exact for submissions that arrive less
// than an eighth of the window late.
//
// Each URI belongs to a bucket of an eighth of the window. If an eleventh bucket is needed, the bucket that
// received no URI for the longest time is removed; in a stream that is roughly in order that is the oldest. So
// the memory holds the URIs of ten eighths of the window: 27 to 32 MB per million, also while it grows, one of
// 256 shards after the other. If there would be more URIs than the bound, buckets are removed early, in the
// same order, and their URIs are counted.
//
// The URIs that SeenKey returned can be written to a file and added to an empty Duplicates later, in any order;
// it then gives the same verdicts.
//
// It is safe for concurrent use.
type Duplicates struct {
	mu        sync.Mutex
	window    int64 // ns
	width     int64 // ns of a bucket
	max       int   // URIs
	sequence  int64 // number of URIs that Seen added
	uris      int   // URIs in all buckets
	forgotten int64
	floor     int64 // index of a bucket: Add ignores URIs of it and of earlier ones
	anyOrder  bool
	buckets   map[int64]*bucket
	shards    [numShards]shard
	epoch     int64 // number of removed buckets
	sweep     int   // the shard that is cleaned next
}

// bucket holds the URIs of one span of time.
type bucket struct {
	index  int64 // start in units of the width
	born   int64 // Duplicates.epoch when it was made
	newest int64 // Duplicates.turns at the last URI that Seen added, 0 when all came by Add
	uris   int
}

// Seen is a remembered URI.
type Seen struct {
	Key [16]byte // the first half of the URI's SHA-256
	At  int64    // ns since epoch
}

// NewDuplicates creates an empty Duplicates for a window and up to maxURIs URIs; 0: DefaultMaxURIs. It
// remembers only a part of a window with more of them.
func NewDuplicates(window time.Duration, maxURIs int) *Duplicates {
	if maxURIs <= 0 {
		maxURIs = DefaultMaxURIs
	}
	w := max(int64(window), windowBuckets)
	return &Duplicates{
		window: w, width: (w + windowBuckets - 1) / windowBuckets,
		max: maxURIs, floor: math.MinInt64, buckets: map[int64]*bucket{},
	}
}

// Seen remembers a URI that arrived at a time in ns since epoch. If the same URI arrived less than a window
// before or after, Seen returns that time and does not replace it. If there are two such times, it returns the
// earlier one.
func (d *Duplicates) Seen(uri []byte, at int64) (first int64, duplicate bool) {
	first, duplicate, _ = d.SeenKey(uri, at)
	return first, duplicate
}

// SeenKey works like Seen and also returns the remembered entry, unless the URI is a duplicate.
func (d *Duplicates) SeenKey(uri []byte, at int64) (first int64, duplicate bool, added Seen) {
	sum := sha256.Sum256(uri)
	added = Seen{Key: [16]byte(sum[:16]), At: at}
	e := entryOf(added)
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.shard(e)
	if first, duplicate = s.find(e, uint64(d.window)); duplicate {
		return first, true, Seen{}
	}
	b := d.room(floorDiv(at, d.width))
	d.sequence++
	b.newest = d.sequence
	b.uris++
	d.uris++
	d.shard(e).insert(e)
	return 0, false, added
}

// Add remembers an entry that SeenKey returned, in this or another process. Calls commute, and a repeated call
// has no effect. Add removes no bucket to limit their number; the next new bucket of Seen does. Beyond the
// bound the earliest buckets are removed.
func (d *Duplicates) Add(added Seen) {
	e := entryOf(added)
	d.mu.Lock()
	defer d.mu.Unlock()
	index := floorDiv(added.At, d.width)
	if index <= d.floor && d.floor != math.MinInt64 {
		d.forgotten++
		return
	}
	s := d.shard(e)
	if s.has(e) {
		return
	}
	s.insert(e)
	b := d.buckets[index]
	if b == nil {
		b = d.begin(index)
	}
	b.uris++
	d.uris++
	for d.uris > d.max {
		d.floor = max(d.floor, d.forget(nil))
	}
}

// AnyOrder prepares for several streams, one of which may be far behind the others: buckets remain until
// ForgetBefore, whatever their number.
func (d *Duplicates) AnyOrder() { d.anyOrder = true }

// ForgetBefore removes the buckets that end before a time in ns since epoch.
func (d *Duplicates) ForgetBefore(at int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	first := floorDiv(at, d.width)
	for index, b := range d.buckets {
		if index < first {
			d.expire(b)
		}
	}
}

// Remove removes entries that SeenKey or Add has remembered.
func (d *Duplicates) Remove(added []Seen) {
	removed := make(map[entry]struct{}, len(added))
	for _, s := range added {
		removed[entryOf(s)] = struct{}{}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range d.shards {
		s := &d.shards[i]
		d.clean(s)
		s.retain(func(e entry) bool {
			if _, is := removed[e]; !is {
				return true
			}
			d.buckets[floorDiv(e.at, d.width)].uris--
			d.uris--
			return false
		})
	}
}

// Forgotten returns the number of URIs that were removed early because of the bound. Their duplicates are not
// recognised.
func (d *Duplicates) Forgotten() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.forgotten
}
