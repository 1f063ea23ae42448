package session

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How often something may happen: at once, and then once in a time. Signing in is hashing a password, and guessing one.
var (
	perAddress = pace{30, 2 * time.Second}
	perPair    = pace{10, 10 * time.Second} // an account from one address: others are not held up by it
	// perAccount is for guesses from many addresses. It does not count those from which somebody has signed in to the account, so
	// strangers cannot hold its owner up.
	perAccount = pace{50, 10 * time.Second}
	perPerson  = pace{300, time.Second / 30} // pages ask for several things at once
)

type pace struct {
	burst int
	every time.Duration
}

// maxKeys is how many accounts or addresses are remembered, twice at most.
const maxKeys = 10_000

// rates limit how often each of many keys does something. Of more keys than fit those are forgotten that were not seen for longest.
type rates struct {
	pace
	now func() time.Time

	mu       sync.Mutex
	new, old map[string]*rate.Limiter
}

func newRates(p pace, now func() time.Time) *rates {
	return &rates{pace: p, now: now, new: map[string]*rate.Limiter{}}
}

func (r *rates) limiter(key string) *rate.Limiter {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.new[key]
	if l == nil {
		if l = r.old[key]; l == nil {
			l = rate.NewLimiter(rate.Every(r.every), r.burst)
		}
		if len(r.new) >= maxKeys {
			r.old, r.new = r.new, map[string]*rate.Limiter{}
		}
		r.new[key] = l
	}
	return l
}

// take says whether a key may do it now, and how to undo that where it turns out not to count.
func (r *rates) take(key string) (undo func(), may bool) {
	now := r.now()
	got := r.limiter(key).ReserveN(now, 1)
	undo = func() { got.CancelAt(now) }
	if got.DelayFrom(now) > 0 {
		undo()
		return nil, false
	}
	return undo, true
}

// limit is a key that has its own pace.
type limit struct {
	*rates
	key string
}

// takeAll says whether all keys may do it now; if one may not, none has done it.
func takeAll(limits ...limit) (undo func(), may bool) {
	var undone []func()
	undo = func() {
		for _, u := range undone {
			u()
		}
	}
	for _, l := range limits {
		one, may := l.take(l.key)
		if !may {
			undo()
			return nil, false
		}
		undone = append(undone, one)
	}
	return undo, true
}

// network is what counts as one address: whoever has one of IPv6 has 2^64.
func network(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil || a.Is4() {
		return address
	}
	p, err := a.WithZone("").Prefix(64)
	if err != nil {
		return address
	}
	return p.String()
}
