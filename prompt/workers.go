package prompt

import (
	"context"
	"fmt"
	"io"

	"github.com/pingmill/pingmill/ask"
	"github.com/pingmill/pingmill/catalog"
	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/query"
	"github.com/pingmill/pingmill/site"
)

// OpenEngine is the engine for queries of an installation with the limits of q: one that runs each in a process
// of its own or, if that is unsafe, in this one. end ends it. errs is told what queries are not kept from.
func OpenEngine(ctx context.Context, s *site.Site, q ask.Request, unsafe bool, errs io.Writer) (e Engine, end func(), err error) {
	if !unsafe {
		r := &ask.Runner{Temp: s.ReadTemp(), Threads: q.Limits.Threads, Memory: q.Limits.Memory}
		return &Workers{Runner: r, Site: s, Limits: q.Limits, Errs: errs}, r.Close, nil
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

// Workers is the engine that runs each statement in a process of its own.
type Workers struct {
	Runner *ask.Runner
	Site   *site.Site
	Limits ask.Limits
	Errs   io.Writer // what this system cannot keep them from, once

	told map[ask.Lacking]bool
}

// Warm implements Engine.
func (w *Workers) Warm() { w.Runner.Warm() }

// Ask implements Engine.
func (w *Workers) Ask(ctx context.Context, p Query, out io.Writer, told func(Progress)) (a Answer, err error) {
	q, err := catalog.Request(ctx, w.Site, p.SQL)
	if err != nil {
		return a, err
	}
	q.Dialect, q.Limits, q.Format, q.Write = p.Dialect, w.Limits, p.Format, p.Write
	s, err := w.Runner.Run(ctx, q, out, func(e ask.Event) {
		switch e := e.(type) {
		case ask.Lacking:
			w.tell(e)
		case ask.Plan:
			a.Read = e.String()
		case ask.Progress:
			told(Progress{Share: e.Percent / 100, Text: a.Read})
		}
	})
	a.Rows = s.Rows
	return a, err
}

// tell says once what the system lacks.
func (w *Workers) tell(l ask.Lacking) {
	if w.told == nil {
		w.told = map[ask.Lacking]bool{}
	}
	if !w.told[l] {
		w.told[l] = true
		fmt.Fprintf(w.Errs, "%s: queries run in a process of their own, but %s\n", cli.Name, l.Meaning())
	}
}
