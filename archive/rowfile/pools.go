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
		pool := p.take(k, columns)
		defer free.Put(pool)
		Merge(ctx, b, files, pool, lo, hi)(yield)
	}
}

func (p *Pools) take(k *Kind, columns Columns) *Pool {
	pool, _ := p.free[columns].Get().(*Pool)
	if pool == nil {
		pool = NewPool(k, columns)
	}
	return pool
}

// MergePrepared works like the function mergePrepared, with two of these pools.
func (p *Pools) MergePrepared(ctx context.Context, b store.Bucket, files []*File, w *Preparations, lo, hi int) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		heads, whole := p.take(PackedPings, WithoutBody), p.take(PackedPings, AllColumns)
		defer func() {
			p.free[WithoutBody].Put(heads)
			p.free[AllColumns].Put(whole)
		}()
		mergePrepared(ctx, b, files, w, heads, whole, lo, hi)(yield)
	}
}
