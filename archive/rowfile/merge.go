package rowfile

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"iter"

	"github.com/pingmill/pingmill/store"
)

// maxOpen is the number of files up to which each stays open until its last row: a reader of a bucket reads ahead, into
// memory.
const maxOpen = 64

// Merge yields the rows of samples lo to hi of all files in the order of their keys, and equal ones in the
// order of the files. NoSample stands for rows without a sample. A row and all its memory is valid until the
// next step. For each open file it uses the memory of one page, about 1 MiB, and three documents; only files
// with rows near the current place are open. If there are few files, each is opened only once, when its first
// row group is near. An error ends the sequence.
func Merge(ctx context.Context, b store.Bucket, files []*File, p *Pool, lo, hi int) iter.Seq2[*Record, error] {
	return merge(ctx, files, func(f *File) (*cursor, error) { return newCursor(ctx, b, f, p, lo, hi) })
}

// merge merges the rows of files, each of which has a cursor, or nil without rows.
func merge(ctx context.Context, files []*File, open func(*File) (*cursor, error)) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		var q queue
		defer func() {
			for _, c := range q {
				c.close()
			}
		}()
		for i, f := range files {
			c, err := open(f)
			if err != nil {
				yield(nil, err)
				return
			}
			if c != nil {
				c.order, c.brief = i, len(files) > maxOpen
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
		return cmp.Or(a.key.Compare(&b.key), cmp.Compare(a.order, b.order)) < 0
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
