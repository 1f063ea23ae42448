package engine

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/sql/catalog"
	"github.com/pingmill/pingmill/sql/guard"
	"github.com/pingmill/pingmill/sql/query"
	"github.com/pingmill/pingmill/sql/worker"
	"github.com/pingmill/pingmill/terminal/cli"
)

// Open returns the engine for an installation's queries: one that runs each in a worker process or, with Unsafe,
// one in this process. The caller calls end to close it. r may already have a warm process, see Start. errs receives
// missing protections of the system and what queries read.
func Open(ctx context.Context, s *site.Site, q Settings, r *worker.Runner, errs io.Writer) (e Engine, end func(), err error) {
	if !q.Unsafe {
		r.Temp = s.ReadTemp()
		return &Workers{Settings: q, Runner: r, Site: s, Errs: errs}, r.Close, nil
	}
	fmt.Fprintln(errs, cli.Name+": --unsafe: the query can read and write all that you can")
	o := query.Options{Threads: q.Limits.Threads, TempDir: s.ReadTemp()}
	if q.Limits.Memory > 0 {
		o.MemoryLimit = fmt.Sprintf("%dB", q.Limits.Memory)
	}
	db, err := catalog.Open(ctx, s, o)
	if err != nil {
		return nil, nil, err
	}
	return Local{DB: db, Time: q.Limits.Time}, func() { _ = db.Close() }, nil
}

// Start starts the worker process of the first query unless the engine is unsafe, so that it is ready when the
// installation is open.
func (q Settings) Start() *worker.Runner {
	r := &worker.Runner{Threads: q.Limits.Threads, Memory: q.Limits.Memory}
	if !q.Unsafe {
		r.Warm()
	}
	return r
}

// Workers is an engine that runs each statement in a worker process.
type Workers struct {
	Settings
	Runner *worker.Runner
	Site   *site.Site
	Errs   io.Writer // what this system cannot keep them from, once; what they read

	mu     sync.Mutex // exports run beside the prompt
	warned map[worker.Lacking]bool
}

func (w *Workers) Warm() { w.Runner.Warm() }

func (w *Workers) Run(ctx context.Context, p Query, out io.Writer, notify func(Progress)) (a Answer, err error) {
	written := &begun{w: out}
	again := catalog.Again(ctx, func(ctx context.Context, avoid []string) error {
		if a, err = w.run(ctx, p, written, notify, avoid); written.any {
			return nil // rows that somebody has seen cannot be taken back
		}
		return err
	})
	return a, cmp.Or(err, again)
}

// begun is a writer that knows whether anything was written.
type begun struct {
	w   io.Writer
	any bool
}

func (b *begun) Write(p []byte) (int, error) {
	b.any = true
	return b.w.Write(p)
}

func (w *Workers) run(ctx context.Context, p Query, out io.Writer, notify func(Progress), avoid []string) (a Answer, err error) {
	q, err := catalog.Request(ctx, w.Site, p.Dialect, p.SQL, avoid...)
	if err != nil {
		return a, err
	}
	q.Dialect, q.Limits, q.Format, q.Write = p.Dialect, w.Limits, p.Format, p.Write
	q.Allow = worker.Guard(w.Guard, q.Views)
	if p.Format == query.FormatTable && p.Write.Width > 0 {
		q.Limits.Rows, q.Limits.Bytes = w.Shown.Rows, w.Shown.Bytes
	}
	s, err := w.Runner.Run(ctx, q, out, func(e worker.Event) {
		switch e := e.(type) {
		case worker.Lacking:
			w.warn(e)
		case worker.Plan:
			a.Read = e.String()
			a.Notes = guard.Notes(e.Reads(q.Views))
			if w.Stats && a.Read != "" {
				fmt.Fprintln(w.Errs, "reads "+a.Read)
			}
		case worker.Columns:
			for _, r := range e.Rounded {
				a.Notes = append(a.Notes, r.String())
			}
		case worker.Progress:
			text := a.Read
			if e.Fetched > 0 {
				text = humanize.Bytes(uint64(e.Fetched)) + " brought from the bucket for " + text
			}
			if e.Read > 0 {
				text = humanize.Bytes(uint64(e.Read)) + " read of " + text
			}
			notify(Progress{Share: e.Percent / 100, Text: text})
		}
	})
	a.Rows = s.Rows
	if s.Read > 0 && a.Read != "" {
		a.Read = humanize.Bytes(uint64(s.Read)) + " of " + a.Read
	}
	if s.Fetched > 0 && a.Read != "" {
		a.Read += ", " + humanize.Bytes(uint64(s.Fetched)) + " from the bucket"
	}
	if s.Cut != "" {
		a.Notes = append(a.Notes, fmt.Sprintf("these are the first %s rows of more: --output FILE, or \\export FILE at the prompt, writes all",
			humanize.Comma(s.Rows)))
	}
	if err == nil && w.Stats {
		a.Used = fmt.Sprintf("%s, %s read, %s of processor time, %s of memory", RowCount(s.Rows), humanize.IBytes(uint64(s.Read)),
			s.CPU.Round(time.Millisecond), humanize.IBytes(uint64(s.Memory)))
	}
	return a, err
}

// warn reports each missing protection of the system once.
func (w *Workers) warn(l worker.Lacking) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.warned == nil {
		w.warned = map[worker.Lacking]bool{}
	}
	if !w.warned[l] {
		w.warned[l] = true
		fmt.Fprintf(w.Errs, "%s: queries run in a process of their own, but %s\n", cli.Name, l.Meaning())
	}
}
