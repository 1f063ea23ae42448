package etl

import (
	"sync"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// spare has the batches of tasks that are done, for the next ones of their tables: what a batch has grown to is most of
// what a task would allocate. The collector takes them after a while.
type spare struct{ pools sync.Map }

// take gives an empty batch of columns, and put takes it back with its memory. The columns are the same for all that is
// taken by one key.
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
