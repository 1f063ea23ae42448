package session

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limits on attempts: a burst, and the interval between later ones. An attempt to sign in costs a password hash and
// may be a guess.
var (
	perAddress = pace{30, 2 * time.Second}
	perPair    = pace{10, 10 * time.Second} // an account from one address; other addresses are not affected
	// perAccount limits guesses from many addresses. Addresses from which the account was used do not count, so
	// strangers cannot block its owner.
	perAccount = pace{50, 10 * time.Second}
	perPerson  = pace{300, time.Second / 30} // pages send several requests at once
)

type pace struct {
	burst int
	every time.Duration
}

// maxKeys is the number of keys in one generation of limiters; two are kept.
const maxKeys = 10_000

// rates limits the actions of many keys. Above the limit it forgets the keys that were not seen for the longest time.
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

// take reports whether a key may act now. undo returns the attempt if it should not count.
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

// limit is a key of one of the rates.
type limit struct {
	*rates
	key string
}

// takeAll reports whether all keys may act now. If one may not, none is counted.
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

// network returns the key of an address: for IPv6 its /64 network, because a client may own all of it.
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
