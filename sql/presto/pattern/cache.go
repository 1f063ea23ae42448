package pattern

import "sync"

// patterns caches compiled patterns. There are usually few, because patterns are constants.
var patterns = struct {
	sync.RWMutex
	known map[string]*Pattern
}{known: map[string]*Pattern{}}

// maxPatterns limits the number of cached patterns.
const maxPatterns = 256

// Compile reads a pattern, or finds it where it was read before.
func Compile(text string) (*Pattern, error) {
	patterns.RLock()
	p := patterns.known[text]
	patterns.RUnlock()
	if p != nil {
		return p, nil
	}
	p, err := read(text)
	if err != nil {
		return nil, err
	}
	patterns.Lock()
	defer patterns.Unlock()
	if len(patterns.known) >= maxPatterns {
		clear(patterns.known)
	}
	patterns.known[text] = p
	return p, nil
}
