package queryservice

import (
	"bytes"
	"context"
	"io"
	"slices"
	"time"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/worker"
)

// resultFile has the bytes of a result.
type resultFile interface {
	io.ReaderAt
	io.Closer
}

// firstRows is the file of the first rows of a result, in memory.
type firstRows struct{ *bytes.Reader }

func (firstRows) Close() error { return nil }

// begin keeps the first rows of a result that is not whole yet. The worker is not trusted: a damaged stream counts as none.
func (l *activeQuery) begin(stream []byte) {
	stream = append(stream, endOfStream...)
	x, err := indexOf(bytes.NewReader(stream), int64(len(stream)))
	if err != nil || x.Rows == 0 {
		return
	}
	l.change(func(q *Query) {
		if l.firstIndex == nil {
			q.Progress, l.first, l.firstIndex = &Progress{Percent: -1, Ready: x.Rows}, stream, x
			close(l.ready)
		}
	})
}

// progressOf returns the progress of the query. The caller holds l.mu.
func (l *activeQuery) progressOf(e worker.Progress) *Progress {
	p := &Progress{Percent: e.Percent, Bytes: max(e.Read, e.Fetched), Rows: e.Rows}
	if l.firstIndex != nil {
		p.Ready = l.firstIndex.Rows
	}
	return p
}

// First opens the first rows of a running query of the person. It returns ErrNoResult if there are none. The whole result may begin
// with other rows.
func First(ctx context.Context, d *Service, p *access.Person, id string) (*Result, error) {
	d.mu.Lock()
	l := d.active[id]
	d.mu.Unlock()
	if l == nil || l.person.ID != p.ID {
		return nil, ErrNoResult
	}
	l.mu.Lock()
	r := &Result{Query: l.q, file: firstRows{bytes.NewReader(l.first)}, index: l.firstIndex}
	used := slices.Clone(l.uses)
	l.mu.Unlock()
	if r.index == nil || r.Query.State != Running {
		return nil, ErrNoResult
	}
	r.may = func() error { return d.authorize(ctx, p, used) }
	return r, r.describe()
}

// WaitFirst is like Service.Wait, and returns the query also when its first rows can be read.
func WaitFirst(ctx context.Context, d *Service, p *access.Person, id string, most time.Duration) (Query, error) {
	return wait(ctx, d, p, id, most, true)
}

// wait is Wait or, if first is true, WaitFirst.
func wait(ctx context.Context, d *Service, p *access.Person, id string, most time.Duration, first bool) (Query, error) {
	q, err := d.Get(ctx, p, id)
	if err != nil || q.State.Ended() || most <= 0 {
		return q, err
	}
	d.mu.Lock()
	l := d.active[id]
	d.mu.Unlock()
	if l == nil {
		return elsewhere(ctx, d, p, id, most)
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	ready := l.ready
	if !first {
		ready = nil
	}
	select {
	case <-l.done:
	case <-ready:
	case <-ctx.Done():
	}
	return l.get(), nil
}
