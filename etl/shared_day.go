package etl

import (
	"slices"
	"sync"
	"weak"

	"github.com/pingmill/pingmill/archive"
)

// sharedDays shares the days of the archive that were opened last among the tasks that read them, and the checks: each one
// would read the footers of all files of the day again. The garbage collector frees a day once nobody uses it.
type sharedDays struct {
	mu   sync.Mutex
	last []weak.Pointer[archive.Day]
}

// maxSharedDays is enough for the types of pings that a run reads at once.
const maxSharedDays = 8

// share returns the shared day with the same files as the given one, which was opened just now, or else shares that.
func (s *sharedDays) share(day *archive.Day) *archive.Day {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.last {
		if last := p.Value(); last != nil && last.Generation() == day.Generation() && slices.Equal(last.Names(), day.Names()) {
			return last
		}
	}
	s.last = slices.DeleteFunc(s.last, func(p weak.Pointer[archive.Day]) bool { return p.Value() == nil })
	s.last = append(s.last, weak.Make(day))
	s.last = s.last[max(0, len(s.last)-maxSharedDays):]
	return day
}
