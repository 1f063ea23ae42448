package etl

import (
	"sync"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// spare caches the batches of finished tasks for later tasks of the same table, because most allocations of a task are
// for a grown batch. The garbage collector frees unused ones after a while.
type spare struct{ pools sync.Map }

// take returns an empty batch of columns and a function that returns the batch to the cache. All batches of
// one key must have the same columns.
func (s *spare) take(key any, columns []schema.Column) (b *column.Batch, put func()) {
	p, ok := s.pools.Load(key)
	if !ok {
		p, _ = s.pools.LoadOrStore(key, new(sync.Pool))
	}
	pool := p.(*sync.Pool)
	b, ok = pool.Get().(*column.Batch)
	if !ok {
		b = column.NewBatch(columns)
	}
	return b, func() { b.Clear(); pool.Put(b) }
}
