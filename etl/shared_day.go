package etl

import (
	"slices"
	"sync"
	"weak"

	"github.com/pingmill/pingmill/archive"
)

// sharedDay shares the day of the archive that was opened last among the tasks that read it: each task would read the footers
// of all files of the day again. The garbage collector frees the day once no task uses it.
type sharedDay struct {
	mu  sync.Mutex
	day weak.Pointer[archive.Day]
}

// share returns the shared day if it has the same files as the given one, which was opened just now, or else shares that.
func (s *sharedDay) share(day *archive.Day) *archive.Day {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := s.day.Value(); last != nil && last.Generation() == day.Generation() && slices.Equal(last.Names(), day.Names()) {
		return last
	}
	s.day = weak.Make(day)
	return day
}
