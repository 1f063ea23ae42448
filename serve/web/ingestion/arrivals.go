package ingestion

import (
	"bytes"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pingmill/pingmill/ping"
)

// Bounds of what Arrivals holds, because clients choose the texts.
const (
	maxArrivals    = 20  // accepted ones, and as many rejected ones
	maxArrivalText = 200 // bytes of a member of the metadata
	watchedFor     = 5 * time.Minute
)

// Arrivals holds the newest submissions that this process has decoded, for the page that shows how to send pings: from the
// start until the archive has a ping, and while somebody looks at that page. It is safe for concurrent use.
type Arrivals struct {
	now   func() time.Time
	rests atomic.Bool  // the archive has a ping
	until atomic.Int64 // somebody looks until this time, in ns since epoch

	mu        sync.Mutex
	accepted  []decodedOne // oldest first
	rejected  []decodedOne
	published map[string]time.Time // the last publication of rows of a table
}

// decodedOne is a decoded submission.
type decodedOne struct {
	meta           ping.Meta // members that are too long are missing
	class, message string    // of a rejected one; the message is masked
	decoded        time.Time
}

// NewArrivals returns an empty Arrivals that records.
func NewArrivals(now func() time.Time) *Arrivals {
	return &Arrivals{now: now, published: map[string]time.Time{}}
}

// watch continues to record for some minutes.
func (a *Arrivals) watch() { a.until.Store(a.now().Add(watchedFor).UnixNano()) }

// rest stops recording unless somebody looks.
func (a *Arrivals) rest() { a.rests.Store(true) }

// Decoded records a submission: with its class, empty for a ping, and the message of an error. m is copied.
func (a *Arrivals) Decoded(m *ping.Meta, class, message string) {
	now := a.now()
	if a.rests.Load() && now.UnixNano() > a.until.Load() || class == classForgotten {
		return
	}
	r := decodedOne{meta: *m, class: class, message: masked(message), decoded: now}
	for f := range ping.NumMetaFields {
		if f.IsInt() {
			continue
		}
		text := m.Text(f)
		if len(text) > maxArrivalText {
			text = nil
		}
		r.meta.SetText(f, bytes.Clone(text))
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	to := &a.accepted
	if class != "" {
		to = &a.rejected
	}
	if len(*to) == maxArrivals {
		*to = slices.Delete(*to, 0, 1)
	}
	*to = append(*to, r)
}

// classForgotten is the class of submissions of forgotten clients: nothing of them may be seen.
const classForgotten = "forgotten"

// Published records that rows of a table became visible.
func (a *Arrivals) Published(table string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.published[table] = a.now()
}

// newest returns the recorded submissions, newest first, and the last publications of tables.
func (a *Arrivals) newest() (all []decodedOne, published func(table string) time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	all = slices.Concat(a.accepted, a.rejected)
	slices.SortStableFunc(all, func(x, y decodedOne) int { return y.decoded.Compare(x.decoded) })
	tables := map[string]time.Time{}
	for t, at := range a.published {
		tables[t] = at
	}
	return all, func(table string) time.Time { return tables[table] }
}
