package live

import (
	"errors"

	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/store"
)

// Failures tells failures of publishing new rows of a partition from what passes by itself: somebody else makes the partition,
// or a removal of clients replaces loads of the archive, one after the other. The zero value has none.
type Failures struct {
	last    error
	changes int // attempts in a row that found a changing archive
}

// maxChanges is the number of attempts in a row that find a changing archive, from which on it is a failure.
const maxChanges = 10

// Add adds an attempt that did not succeed; changing means that the archive changed meanwhile. It reports whether it is a
// failure, and whether that is another one than the last.
func (f *Failures) Add(err error, changing bool) (failed, news bool) {
	switch {
	case errors.Is(err, site.ErrLocked), errors.Is(err, store.ErrHeld):
		return false, false
	case changing:
		if f.changes++; f.changes < maxChanges {
			return false, false
		}
	default:
		f.changes = 0
	}
	news = f.last == nil || f.last.Error() != err.Error()
	f.last = err
	return true, news
}

// Last returns the last failure, nil if there is none.
func (f *Failures) Last() error { return f.last }

// Forget forgets the last failure, but not that the archive changes.
func (f *Failures) Forget() { f.last = nil }
