package rowfile

import (
	"context"
	"iter"
	"sync"

	"github.com/pingmill/pingmill/store"
)

// Pools keep the memory of merges of files of one kind for the next ones. Several goroutines may merge.
type Pools struct {
	free [DocumentIDs + 1]sync.Pool // of *Pool
}

// Merge works like the function Merge, with one of these pools. For Pings it also reads PackedPings.
func (p *Pools) Merge(ctx context.Context, b store.Bucket, files []*File, k *Kind, columns Columns, lo, hi int) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		free := &p.free[columns]
		pool, _ := free.Get().(*Pool)
		if pool == nil {
			pool = NewPool(k, columns)
		}
		defer free.Put(pool)
		Merge(ctx, b, files, pool, lo, hi)(yield)
	}
}
