package lake

import (
	"slices"
	"sync"

	"github.com/pingmill/pingmill/schema"
)

// columnCache caches what is computed from lists of columns, for the lists that were new last. Its zero value is ready,
// and it is safe for concurrent use.
type columnCache[T any] struct {
	mu   sync.Mutex
	last []columnEntry[T]
}

type columnEntry[T any] struct {
	cols  []schema.Column
	value T
}

// cachedColumns is the number of lists in a cache: more than the tables that a run makes at once.
const cachedColumns = 16

// get returns the value of a list of columns, which compute computes if it is not cached.
func (c *columnCache[T]) get(cols []schema.Column, compute func([]schema.Column) (T, error)) (T, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.last {
		if e := &c.last[i]; schema.SameColumns(e.cols, cols) {
			return e.value, nil
		}
	}
	value, err := compute(cols)
	if err == nil {
		c.last = slices.Insert(c.last, 0, columnEntry[T]{slices.Clone(cols), value})
		c.last = c.last[:min(len(c.last), cachedColumns)]
	}
	return value, err
}
