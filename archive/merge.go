package archive

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"iter"

	"github.com/pingmill/pingmill/ping"
)

// Ping is one row of the archive.
type Ping struct {
	Meta ping.Meta
	Body []byte // JSON
}

// Pings yields the pings of samples lo to hi, 100 being those without a sample
// of 0 to 99, in the order of (sample, timestamp, document id), absent ones
// last, and equal ones by the names of their files. A ping, with all it points
// to, is valid until the next step. Memory is that of one page, about 1 MiB,
// and one row group's metadata for each file that is open: only those whose
// rows are near in the order. An error ends the sequence.
func (d *Day) Pings(ctx context.Context, lo, hi int) iter.Seq2[*Ping, error] {
	return func(yield func(*Ping, error) bool) {
		var p Ping
		for r, err := range d.records(ctx, pingKind, lo, hi, true) {
			if err != nil {
				yield(nil, err)
				return
			}
			p.Meta, p.Body = r.meta, r.body
			if !yield(&p, nil) {
				return
			}
		}
	}
}

// Metas yields the metadata of all pings in the order of Pings. The documents
// are not read. Each is valid until the next step; an error ends the sequence.
func (d *Day) Metas(ctx context.Context) iter.Seq2[*ping.Meta, error] {
	return func(yield func(*ping.Meta, error) bool) {
		for r, err := range d.records(ctx, pingKind, 0, noSample, false) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(&r.meta, nil) {
				return
			}
		}
	}
}

// records merges the rows of all files, with their bodies or without.
func (d *Day) records(ctx context.Context, k *kind, lo, hi int, bodies bool) iter.Seq2[*record, error] {
	return func(yield func(*record, error) bool) {
		if lo < 0 || hi > noSample || lo > hi {
			yield(nil, fmt.Errorf("read archive samples %d to %d: the range is 0 to %d", lo, hi, noSample))
			return
		}
		pools := &d.pools
		if !bodies {
			pools = &d.heads
		}
		pool, _ := pools.Get().(*groupPool)
		if pool == nil {
			pool = newGroupPool(k)
			pool.headless = !bodies
		}
		var q queue
		defer func() {
			for _, c := range q {
				c.close()
			}
			pools.Put(pool)
		}()
		for i, f := range d.files {
			c, err := newCursor(ctx, d.bucket, f, pool, lo, hi)
			if err != nil {
				yield(nil, err)
				return
			}
			if c != nil {
				c.order = i
				q = append(q, c)
			}
		}
		heap.Init(&q)
		for len(q) > 0 {
			if err := ctx.Err(); err != nil {
				yield(nil, fmt.Errorf("read archive: %w", err))
				return
			}
			if q[0].open != nil && !yield(&q[0].record, nil) {
				return
			}
			if err := q.advance(ctx); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// queue is a heap of cursors by their keys.
type queue []*cursor

// advance steps the first cursor and drops it if it has ended.
func (q *queue) advance(ctx context.Context) error {
	c := (*q)[0]
	more, err := c.step(ctx)
	if err != nil {
		return err
	}
	if more {
		heap.Fix(q, 0)
		return nil
	}
	c.close()
	heap.Pop(q)
	return nil
}

func (q queue) Len() int { return len(q) }

// Less puts a cursor that has yet to open its row group before rows with the
// same sample and timestamp: it may have one to come first.
func (q queue) Less(i, j int) bool {
	a, b := q[i], q[j]
	if a.open != nil && b.open != nil {
		return cmp.Or(a.key.compare(&b.key), cmp.Compare(a.order, b.order)) < 0
	}
	if c := a.key.compareTime(&b.key); c != 0 {
		return c < 0
	}
	if (a.open == nil) != (b.open == nil) {
		return a.open == nil
	}
	return a.order < b.order
}

func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push implements heap.Interface.
func (q *queue) Push(x any) { *q = append(*q, x.(*cursor)) }

// Pop implements heap.Interface.
func (q *queue) Pop() any {
	last := len(*q) - 1
	c := (*q)[last]
	*q = (*q)[:last]
	return c
}
