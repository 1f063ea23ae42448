package etl

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/pingmill/pingmill/etl/job"
)

// runLines writes the log of a run and the outcomes of its units to the ledger.
type runLines struct {
	ledger *job.Ledger
	now    func() time.Time

	mu     sync.Mutex
	run    int64 // 0: not begun
	reused int
}

// begun returns a function that stores the run's number and calls next.
func (l *runLines) begun(next func(int64)) func(int64) {
	return func(run int64) {
		l.mu.Lock()
		l.run = run
		l.mu.Unlock()
		if next != nil {
			next(run)
		}
	}
}

// add writes a line to the ledger, up to the limit. It ignores errors: a run must not fail because of its log.
func (l *runLines) add(line job.Line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reused++; l.run == 0 || l.reused > job.MaxLines {
		return
	}
	if l.reused == job.MaxLines {
		line = job.Line{Level: slog.LevelWarn.String(), Text: "there is more, which is not kept"}
	}
	line.Time = l.now()
	_ = l.ledger.AddLine(l.run, line)
}

// progress returns a function that logs the events of units and calls next. It skips units that were current.
func (l *runLines) progress(next func(job.Event)) func(job.Event) {
	return func(e job.Event) {
		line := job.Line{Level: slog.LevelInfo.String(), Unit: e.Unit}
		switch {
		case e.Kind == job.UnitPlanned:
			line.Text, line.Attrs = "planned", map[string]string{"input bytes": fmt.Sprint(e.UnitBytes)}
			l.add(line)
		case e.Kind == job.UnitEnded && e.Outcome == job.Committed:
			line.Text, line.Attrs = "published", map[string]string{"rows": fmt.Sprint(e.Result.RowsOut), "bytes": fmt.Sprint(e.Result.Bytes)}
			if left := LeftOut(e.Result); left != "" {
				line.Attrs["left out"] = left
			}
			l.add(line)
		case e.Kind == job.UnitEnded && e.Outcome != job.Current:
			line.Level, line.Text = slog.LevelWarn.String(), string(e.Outcome)
			if e.Reason != "" {
				line.Attrs = map[string]string{"reason": e.Reason}
			}
			if e.Err != nil {
				line.Level, line.Attrs = slog.LevelError.String(), map[string]string{"error": e.Err.Error()}
			}
			l.add(line)
		}
		if next != nil {
			next(e)
		}
	}
}

// log returns a logger that records lines of every level and forwards them to next, which may be nil.
func (l *runLines) log(next *slog.Logger) *slog.Logger {
	h := lineHandler{lines: l, next: slog.DiscardHandler}
	if next != nil {
		h.next = next.Handler()
	}
	return slog.New(h)
}

// lineHandler is the slog.Handler of a run.
type lineHandler struct {
	lines *runLines
	next  slog.Handler
	attrs []slog.Attr
}

// Enabled implements slog.Handler.
func (h lineHandler) Enabled(context.Context, slog.Level) bool { return true }

// Handle implements slog.Handler.
func (h lineHandler) Handle(ctx context.Context, r slog.Record) error {
	line := job.Line{Level: r.Level.String(), Text: r.Message, Attrs: map[string]string{}}
	add := func(a slog.Attr) bool {
		switch a.Key {
		case "run": // all lines belong to one run
		case "table":
			line.Table = a.Value.String()
		case "day":
			line.Day = a.Value.String()
		default:
			line.Attrs[a.Key] = a.Value.String()
		}
		return true
	}
	for _, a := range h.attrs {
		add(a)
	}
	r.Attrs(add)
	h.lines.add(line)
	if !h.next.Enabled(ctx, r.Level) {
		return nil
	}
	return h.next.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h lineHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	h.attrs = append(h.attrs[:len(h.attrs):len(h.attrs)], attrs...)
	h.next = h.next.WithAttrs(attrs)
	return h
}

// WithGroup implements slog.Handler. Lines of runs have no groups.
func (h lineHandler) WithGroup(name string) slog.Handler {
	h.next = h.next.WithGroup(name)
	return h
}
