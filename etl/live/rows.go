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
	"github.com/pingmill/pingmill/site"
)

// Options select the live rows and their delay. Zero values select the defaults.
type Options struct {
	Tables []string      // names of tables, or Glean; none: nothing is live
	Every  time.Duration // between publications of new rows: 20 seconds
	// MaxRows is the largest number of rows of a growing day; default 20 million. A larger day is published
	// at its end.
	MaxRows int

	// Preparer makes the rows that Rows.Add may get; nil: none.
	Preparer *etl.Preparer

	Edge string // whose submissions are decoded
	// Alone reports whether no other edge decodes. Otherwise rows become visible with their load, because
	// only then is it known that no other edge has committed their documents. nil: never alone.
	Alone func(context.Context) (bool, error)
	// Published, if not nil, is called for each publication, with the number of newly visible rows and the
	// bytes of files.
	Published func(table string, rows, bytes int64)
	Now       func() time.Time
	Log       *slog.Logger
}

// Rows publishes the live rows of one edge's pings. All methods except Run return at once and must be called
// from one goroutine.
type Rows struct {
	data   *site.Data
	locks  *site.Locks
	o      Options
	tables []*liveTable
	byKind map[ping.DocType][]*liveTable
	queue  *queue

	busy     atomic.Bool // decoding is behind: nothing is read from the archive
	lost     atomic.Bool // rows of the open load are missing for another reason than that the queue was full
	unpacked []byte      // a document
	bytes    int         // of pings since the memory of all rows was looked at
	serial   int         // of publications
	alone    bool        // no other edge decodes, as far as was looked

	documents bool // prepared rows of the archive were damaged: documents are read
	began     bool
	last      string              // load of the edge: later ones are of pings that are yet to be taken here, or were not
	looked    time.Time           // whether the archive has loads of others
	states    map[ping.Day]string // of the archive at that time
}

// New returns nil if no table is live.
func New(s *site.Site, o Options) *Rows {
	o.Every, o.MaxRows = cmp.Or(o.Every, 20*time.Second), cmp.Or(o.MaxRows, 20_000_000)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &Rows{data: &s.Data, locks: s.Locks(), o: o, queue: newQueue(), byKind: map[ping.DocType][]*liveTable{}}
	r.locks.NoWait = true
	for _, t := range s.Tables {
		if o.has(t) {
			r.add(&liveTable{t, etl.NewPingRows(t, s.Probes, o.Log), map[ping.Day]*day{}})
		}
	}
	if r.tables == nil {
		return nil
	}
	r.queue.refuse(o.Alone == nil)
	return r
}

// Begin sets the load of the edge after which decoding begins, also after a failure; "": none.
func (r *Rows) Begin(last string) {
	if r != nil {
		r.queue.end(event{kind: begun, load: last})
	}
}

// Add adds a ping of the open load. packed, if not nil, is its document in the form that archive.AppendPacked accepts, and
// Options.Preparer has made rows.
func (r *Rows) Add(m *ping.Meta, body, packed, rows []byte) {
	if r == nil || !slices.ContainsFunc(r.takers(m.Kind()), func(t *liveTable) bool { return t.Takes(m) }) {
		return
	}
	switch {
	case rows != nil && r.prepares(m.Kind()):
		r.queue.ping(m, rows, prepared)
	case packed != nil:
		r.queue.ping(m, packed, gzip)
	default:
		r.queue.ping(m, body, plain)
	}
}

// Lacks reports whether rows of the open load are missing that an early commit would make visible.
func (r *Rows) Lacks() bool {
	if r == nil {
		return false
	}
	r.queue.mu.Lock()
	defer r.queue.mu.Unlock()
	return (r.queue.gap || r.lost.Load()) && !r.queue.refuses
}

// Archived reports that the pings added since the last call are in the archive, in the given load.
func (r *Rows) Archived(load string) {
	if r != nil {
		r.queue.end(event{kind: archived, load: load})
	}
}

// Drop reports that the pings added since the last call are in no load and will be added again.
func (r *Rows) Drop() {
	if r != nil {
		r.queue.end(event{kind: dropped})
	}
}

// Release reports that the days before the given one are complete: their rows come from the archive.
func (r *Rows) Release(before ping.Day) {
	if r != nil {
		r.queue.end(event{kind: released, day: before})
	}
}

// Busy sets whether decoding has fallen behind. While it has, no rows are made: they follow from the archive.
func (r *Rows) Busy(is bool) {
	if r != nil {
		r.busy.Store(is)
	}
}

// pause is the interval between checks for due work.
const pause = 200 * time.Millisecond

// Run publishes rows until the context ends or, after stop is closed, all added rows are published as far as
// possible. Failures are logged and retried, or the rows are read from the archive.
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

// drain makes the rows of queued events.
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
			r.look(ctx, true)
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
	p, err := archive.Ping{Meta: e.meta, Body: e.body}, error(nil)
	switch e.form {
	case gzip:
		r.unpacked, err = archive.Unpack(r.unpacked, e.body)
		p.Body = r.unpacked
	case prepared:
		p.Body, p.Prepared = nil, e.body
	}
	for _, t := range r.takers(e.meta.Kind()) {
		if !t.Takes(&e.meta) {
			continue
		}
		d := t.day(e.meta.Day())
		p.Place = r.o.Preparer.Place(e.meta.Kind(), t.Name)
		full := d.add(t.transform, &p)
		if err != nil {
			d.gap = true
		}
		if full {
			r.attempt(ctx, d, func() error { return r.publishDay(ctx, d, false) })
		}
	}
	if r.bytes += etl.DocumentSize(&p); r.bytes > sizeBytes {
		r.bytes = 0
		r.shed(ctx)
	}
}

// shed has all rows written to files if together they take much memory. Rows that cannot be written come from the archive.
func (r *Rows) shed(ctx context.Context) {
	held := int64(0)
	for _, t := range r.tables {
		for _, d := range t.days {
			held += d.size + int64(d.read)
		}
	}
	if held <= maxBatchBytes {
		return
	}
	for _, t := range r.tables {
		for _, d := range t.days {
			if d.batch.Rows == 0 {
				continue
			}
			d.size = maxBatchBytes // it is large
			r.attempt(ctx, d, func() error { return r.publishDay(ctx, d, false) })
			if d.batch.Rows > 0 {
				d.clear()
				d.gap = true
			}
		}
	}
}

// gaps reports whether a day lacks rows of the open load.
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

// forget drops the cached state: the partitions are read again.
func (r *Rows) forget() {
	for _, t := range r.tables {
		for _, d := range t.days {
			d.lose()
		}
	}
}
