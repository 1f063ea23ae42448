package live

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
)

// Options say which rows are live, and how soon. Values that are 0 take their defaults.
type Options struct {
	Tables []string      // none: nothing is live
	Every  time.Duration // between publications of new rows: 20 seconds
	// MaxRows is how many rows a day may have that grows: 20 million. A larger one waits for its end.
	MaxRows int

	Edge string // whose submissions are decoded
	// Alone says whether no other edge decodes. Else rows become visible with their load: only then
	// it is known that no other edge has committed their documents. nil: never.
	Alone func(context.Context) (bool, error)
	// Published, if not nil, is called for each publication, with the rows that were not visible before and the bytes
	// of files.
	Published func(table string, rows, bytes int64)
	Now       func() time.Time
	Log       *slog.Logger
}

// Rows are the live rows of what one edge's decoding takes. All methods but Run return at once, and are for one
// goroutine.
type Rows struct {
	data   *site.Data
	locks  *site.Locks
	o      Options
	tables []*liveTable
	queue  *queue

	busy     atomic.Bool // decoding is behind: nothing is read from the archive
	lost     atomic.Bool // rows of the open load are missing for another reason than that the queue was full
	unpacked []byte      // a document
	serial   int         // of publications
	alone    bool        // no other edge decodes, as far as was looked
	began    bool
	last     string    // load of the edge: later ones are of pings that are yet to be taken here, or were not
	looked   time.Time // whether the archive has loads of others
}

// liveTable is one that is live, with its days that grow.
type liveTable struct {
	*schema.Table
	transform *etl.PingRows
	days      map[ping.Day]*day
}

// New is nil where no table is live.
func New(s *site.Site, o Options) *Rows {
	o.Every, o.MaxRows = cmp.Or(o.Every, 20*time.Second), cmp.Or(o.MaxRows, 20_000_000)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &Rows{data: &s.Data, locks: s.Locks(), o: o, queue: newQueue()}
	r.locks.NoWait = true
	for _, t := range s.Tables {
		if slices.Contains(o.Tables, t.Name) && t.Grows() && !t.Direct {
			r.tables = append(r.tables, &liveTable{t, etl.NewPingRows(t, s.Probes, o.Log), map[ping.Day]*day{}})
		}
	}
	if r.tables == nil {
		return nil
	}
	r.queue.refuse(o.Alone == nil)
	return r
}

// Begin says behind which load of the edge decoding begins, also after a failure; "": there is none.
func (r *Rows) Begin(last string) {
	if r != nil {
		r.queue.end(event{kind: begun, load: last})
	}
}

// Add takes a ping that is in the open load: packed is its document as archive.AppendPacked takes it, if it is not nil.
func (r *Rows) Add(m *ping.Meta, body, packed []byte) {
	if r == nil || !slices.ContainsFunc(r.tables, func(t *liveTable) bool { return t.takes(m) }) {
		return
	}
	if packed != nil {
		r.queue.ping(m, packed, true)
	} else {
		r.queue.ping(m, body, false)
	}
}

func (t *liveTable) takes(m *ping.Meta) bool { return t.Kind() == m.Kind() && t.Takes(m) }

// Lacks says whether rows of the open load are missing that an early commit would bring.
func (r *Rows) Lacks() bool {
	if r == nil {
		return false
	}
	r.queue.mu.Lock()
	defer r.queue.mu.Unlock()
	return (r.queue.gap || r.lost.Load()) && !r.queue.refuses
}

// Archived says that the pings that were added since the last call are in the archive, in a load.
func (r *Rows) Archived(load string) {
	if r != nil {
		r.queue.end(event{kind: archived, load: load})
	}
}

// Drop says that they are in no load, and will be added again.
func (r *Rows) Drop() {
	if r != nil {
		r.queue.end(event{kind: dropped})
	}
}

// Release says that days before one are complete: their rows come from the archive.
func (r *Rows) Release(before ping.Day) {
	if r != nil {
		r.queue.end(event{kind: released, day: before})
	}
}

// Busy says whether decoding has fallen behind. As long as it has, no rows are made: they follow from the archive.
func (r *Rows) Busy(is bool) {
	if r != nil {
		r.busy.Store(is)
	}
}

// pause is how often it is looked whether something is due.
const pause = 200 * time.Millisecond

// Run publishes rows until the context ends or, after stop is closed, all that was added is published as far as it can be.
// What fails is logged and tried again, or read from the archive.
func (r *Rows) Run(ctx context.Context, stop <-chan struct{}) {
	if r == nil {
		return
	}
	due := time.NewTicker(pause)
	defer due.Stop()
	published := r.o.Now()
	for {
		stopping := false
		select {
		case <-ctx.Done():
			return
		case <-stop:
			stopping = true
		case <-r.queue.wake:
		case <-due.C:
		}
		err := panics.Try(func() error {
			r.drain(ctx)
			if now := r.o.Now(); stopping || r.began && (now.Sub(published) >= r.o.Every || now.Before(published)) {
				published = now
				r.publish(ctx, stopping)
			}
			r.lost.Store(r.gaps())
			return nil
		})
		if err != nil {
			r.o.Log.Error("live rows: they are read from the archive", "error", panics.Report(err))
			r.forget()
		}
		if stopping {
			return
		}
	}
}

// drain makes rows of what waits.
func (r *Rows) drain(ctx context.Context) {
	for _, e := range r.queue.take() {
		if ctx.Err() != nil {
			return
		}
		r.take(ctx, &e)
		r.queue.done(&e)
	}
}

func (r *Rows) take(ctx context.Context, e *event) {
	switch e.kind {
	case aPing:
		if r.lives(e.meta.Day()) {
			r.ping(ctx, e)
		}
	case archived:
		r.last = e.load
		r.ended(ctx, e)
	case begun, dropped:
		if e.kind == begun {
			r.began, r.last = true, e.load
			r.look(ctx)
			r.forget()
		}
		for _, t := range r.tables {
			for _, d := range t.days {
				d.drop()
			}
		}
	case released:
		for _, t := range r.tables {
			maps.DeleteFunc(t.days, func(name ping.Day, d *day) bool { return name < e.day && d.complete() })
		}
	}
}

// ping makes the rows of a ping.
func (r *Rows) ping(ctx context.Context, e *event) {
	body, err := e.body, error(nil)
	if e.gzip {
		r.unpacked, err = archive.Unpack(r.unpacked, e.body)
		body = r.unpacked
	}
	for _, t := range r.tables {
		if !t.takes(&e.meta) {
			continue
		}
		d := t.day(e.meta.Day())
		full := d.add(t.transform, &e.meta, body)
		if err != nil {
			d.gap = true
		}
		if full {
			r.attempt(ctx, d, func() error { return r.publishDay(ctx, d, false) })
		}
	}
}

// gaps says whether a day lacks rows of the open load.
func (r *Rows) gaps() bool {
	for _, t := range r.tables {
		for _, d := range t.days {
			if d.gap && !d.over {
				return true
			}
		}
	}
	return false
}

// forget drops all that is known: the partitions are read anew.
func (r *Rows) forget() {
	for _, t := range r.tables {
		for _, d := range t.days {
			d.lose()
		}
	}
}
