package ingest

import (
	"crypto/sha256"
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

// Duplicates recognises submission URIs that were seen within a window of time.
//
// A URI is known by 128 bits of its SHA-256, so that a submission that is no
// duplicate is taken for one with negligible probability: below 1e-20 among 10^9
// in the window, and nobody can make two that collide. Time is that of the
// submissions. URIs are kept in buckets of an eighth of the window; when an
// eleventh is needed, the one that got no URI for longest is forgotten, which in
// a stream that is roughly in order is the oldest. Memory is that of the URIs of
// ten eighths of the window: about 50 MB per million.
//
// It is safe for concurrent use.
type Duplicates struct {
	mu      sync.Mutex
	window  int64 // ns
	width   int64 // ns of a bucket
	adds    int64 // URIs added so far
	buckets []bucket
}

type bucket struct {
	index int64 // start in units of the width
	added int64 // Duplicates.adds at the last URI added
	seen  map[uriKey]int64
}

type uriKey [16]byte

// NewDuplicates makes an empty memory of URIs for a window.
func NewDuplicates(window time.Duration) *Duplicates {
	w := max(int64(window), windowBuckets)
	return &Duplicates{window: w, width: (w + windowBuckets - 1) / windowBuckets}
}

// Seen remembers a URI that came at a time in ns since epoch. When the same one
// came less than a window before, or after, it tells when that was and leaves
// that time as it is.
func (d *Duplicates) Seen(uri []byte, at int64) (first int64, duplicate bool) {
	sum := sha256.Sum256(uri)
	key := uriKey(sum[:16])
	d.mu.Lock()
	defer d.mu.Unlock()
	index := floorDiv(at, d.width)
	for i := range d.buckets {
		b := &d.buckets[i]
		if distance(b.index, index) > windowBuckets {
			continue
		}
		if t, ok := b.seen[key]; ok && distance(t, at) < uint64(d.window) {
			return t, true
		}
	}
	b := d.bucket(index)
	d.adds++
	b.added = d.adds
	b.seen[key] = at
	return 0, false
}

// Len is how many URIs are remembered.
func (d *Duplicates) Len() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := 0
	for i := range d.buckets {
		n += len(d.buckets[i].seen)
	}
	return n
}

// bucket finds or makes a bucket, in place of the one unused for longest when
// all are taken.
func (d *Duplicates) bucket(index int64) *bucket {
	oldest := 0
	for i := range d.buckets {
		if d.buckets[i].index == index {
			return &d.buckets[i]
		}
		if d.buckets[i].added < d.buckets[oldest].added {
			oldest = i
		}
	}
	b := bucket{index: index, seen: map[uriKey]int64{}}
	if len(d.buckets) < liveBuckets {
		d.buckets = append(d.buckets, b)
		return &d.buckets[len(d.buckets)-1]
	}
	d.buckets[oldest] = b
	return &d.buckets[oldest]
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// distance is |a-b|, exact for all values.
func distance(a, b int64) uint64 {
	if a < b {
		return uint64(b) - uint64(a)
	}
	return uint64(a) - uint64(b)
}
