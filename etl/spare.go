package etl

import (
	"sync"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// spare caches the batches and transforms of finished tasks for later tasks of the same table, because most allocations of a task are
// for a grown batch. The garbage collector frees unused ones after a while.
type spare struct{ pools sync.Map }

// take returns an empty batch of columns and a function that returns the batch to the cache. All batches of
// one key must have the same columns.
func (s *spare) take(key any, columns []schema.Column) (b *column.Batch, put func()) {
	pool := s.pool(key)
	b, ok := pool.Get().(*column.Batch)
	if !ok {
		b = column.NewBatch(columns)
	}
	return b, func() { b.Clear(); pool.Put(b) }
}

// rowsOf is the cache key of a table's transforms of pings.
type rowsOf struct{ table *schema.Table }

// pingRows is take of a transform, which compiles the paths of a table's columns when it is new.
func (s *spare) pingRows(t *schema.Table, create func() *PingRows) (r *PingRows, put func()) {
	pool := s.pool(rowsOf{t})
	r, ok := pool.Get().(*PingRows)
	if !ok {
		r = create()
	}
	return r, func() { pool.Put(r) }
}

func (s *spare) pool(key any) *sync.Pool {
	p, ok := s.pools.Load(key)
	if !ok {
		p, _ = s.pools.LoadOrStore(key, new(sync.Pool))
	}
	return p.(*sync.Pool)
}
