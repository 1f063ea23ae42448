package etl

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/pingmill/pingmill/etl/job"
)

// runLines keeps in the ledger what a run has to say: the log, and what became of its units.
type runLines struct {
	ledger *job.Ledger
	now    func() time.Time

	mu   sync.Mutex
	run  int64 // 0: it has not begun
	kept int
}

// begun makes a function that learns the run's number and passes it on.
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

// add keeps a line, unless there are too many. The ledger is for people: a run does not fail because of it.
func (l *runLines) add(line job.Line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.kept++; l.run == 0 || l.kept > job.MaxLines {
		return
	}
	if l.kept == job.MaxLines {
		line = job.Line{Level: slog.LevelWarn.String(), Text: "there is more, which is not kept"}
	}
	line.Time = l.now()
	_ = l.ledger.AddLine(l.run, line)
}

// progress makes a function that keeps what events say of units, and passes them on. Those that were current are not worth a line.
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

// log is a log whose lines are kept, whatever their level, and passed on to next, which may be nil.
func (l *runLines) log(next *slog.Logger) *slog.Logger {
	h := lineHandler{lines: l, next: slog.DiscardHandler}
	if next != nil {
		h.next = next.Handler()
	}
	return slog.New(h)
}

// lineHandler is the log of a run.
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
		case "run": // it is of one
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

// WithGroup implements slog.Handler: the lines of runs have none.
func (h lineHandler) WithGroup(name string) slog.Handler {
	h.next = h.next.WithGroup(name)
	return h
}
