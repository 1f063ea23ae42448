package ingest

import (
	"crypto/sha256"
	"math"
	"sync"
	"time"
)

// liveBuckets is how many time buckets are kept; a window spans windowBuckets
// of them and is one more when it begins inside a bucket. The last one gives
// submissions that come late some room.
const (
	windowBuckets = 8
	liveBuckets   = windowBuckets + 2
)

// DefaultMaxURIs bounds how many URIs are remembered: some 2 GB.
const DefaultMaxURIs = 1 << 26

// Duplicates recognises submission URIs that were seen within a window of time.
//
// A URI is identified by 128 bits of its SHA-256. So the probability that another
// submission is taken for a duplicate is negligible: below 1e-20 among 10^9
// in the window, and nobody can make two that collide. Time is that of the
// submissions, kept to the nanosecond: the verdict is exact for submissions that
// come less than an eighth of the window late.
//
// Each URI belongs to a bucket of an eighth of the window; when an eleventh
// bucket is needed, the one that got no URI for longest is forgotten, which in a
// stream that is roughly in order is the oldest. So memory is that of the URIs of
// ten eighths of the window: 27 to 32 MB per million, also while it grows, which
// it does in 256 parts one after the other. When there would be more URIs than
// the bound, buckets are forgotten early, in the same order, and their URIs
// counted.
//
// The added URIs can be written to a file and later added to an empty memory, in
// any order, which then gives the same verdicts.
//
// It is safe for concurrent use.
type Duplicates struct {
	mu        sync.Mutex
	window    int64 // ns
	width     int64 // ns of a bucket
	max       int   // URIs
	turns     int64 // URIs that Seen added so far
	live      int   // URIs in all buckets
	forgotten int64
	floor     int64 // index of a bucket: Add keeps nothing of it or of earlier ones
	anyOrder  bool
	buckets   map[int64]*bucket
	shards    [numShards]shard
	epoch     int64 // how many buckets were forgotten
	sweep     int   // the shard that is looked after next
}

// bucket holds the URIs of one span of time.
type bucket struct {
	index int64 // start in units of the width
	born  int64 // Duplicates.epoch when it was made
	turn  int64 // Duplicates.turns at the last URI that Seen added, 0 when all came by Add
	uris  int
}

// Seen is a URI that was remembered.
type Seen struct {
	Key [16]byte // the first half of the URI's SHA-256
	At  int64    // ns since epoch
}

// NewDuplicates makes an empty memory for a window that remembers up to
// maxURIs; 0: DefaultMaxURIs. A window with more of them is not remembered whole.
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

// Seen remembers a URI that came at a time in ns since epoch. When the same one
// came less than a window before, or after, it returns that time and keeps
// it. Of two such times it returns the earlier one.
func (d *Duplicates) Seen(uri []byte, at int64) (first int64, duplicate bool) {
	first, duplicate, _ = d.SeenKey(uri, at)
	return first, duplicate
}

// SeenKey is Seen that also returns what it remembered, unless the URI is a
// duplicate.
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
	d.turns++
	b.turn = d.turns
	b.uris++
	d.live++
	d.shard(e).insert(e)
	return 0, false, added
}

// Add remembers what SeenKey returned, here or in another process. The order of
// calls does not matter, and neither does adding the same twice. Buckets do not
// displace each other until the next new one of Seen; beyond the bound the
// earliest are forgotten.
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
	d.live++
	for d.live > d.max {
		d.floor = max(d.floor, d.forget(nil))
	}
}

// AnyOrder is for several streams, of which one may be far behind the others: buckets
// stay until ForgetBefore, however many there are.
func (d *Duplicates) AnyOrder() { d.anyOrder = true }

// ForgetBefore forgets the buckets that end before a time in ns since epoch.
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

// Remove takes back what SeenKey or Add has remembered.
func (d *Duplicates) Remove(added []Seen) {
	gone := make(map[entry]struct{}, len(added))
	for _, s := range added {
		gone[entryOf(s)] = struct{}{}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range d.shards {
		s := &d.shards[i]
		d.clean(s)
		s.retain(func(e entry) bool {
			if _, is := gone[e]; !is {
				return true
			}
			d.buckets[floorDiv(e.at, d.width)].uris--
			d.live--
			return false
		})
	}
}

// Forgotten is how many URIs were forgotten before their time, because there
// were more than the bound. A duplicate of one of them is not recognised.
func (d *Duplicates) Forgotten() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.forgotten
}
