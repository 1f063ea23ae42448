package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

const (
	// signalGrace is how long a command has to end by itself after a signal.
	signalGrace = 700 * time.Millisecond
	// abortGrace is the same after a second signal.
	abortGrace = 200 * time.Millisecond
)

// Signalled is why a context ended: a signal came.
type Signalled struct{ Signal syscall.Signal }

func (s Signalled) Error() string {
	if s.Signal == syscall.SIGINT {
		return "interrupted"
	}
	return "terminated"
}

// Is makes it match the error of a cancelled context.
func (s Signalled) Is(target error) bool { return target == context.Canceled }

// Status is the exit status that shells give for the signal.
func (s Signalled) Status() int { return 128 + int(s.Signal) }

// SignalOf is the signal that ended ctx, if one did.
func SignalOf(ctx context.Context) (s Signalled, ok bool) {
	ok = errors.As(context.Cause(ctx), &s)
	return s, ok
}

// ending is how a command ends that a signal came for.
type ending struct {
	mu      sync.Mutex
	waits   func() string // see Finishes
	instead func()        // see OnInterrupt
	dropped bool          // see keep
	drops   map[*output]bool
}

type endingKey struct{}

// endingOf is that of a command's context; one that nobody uses without main.
func endingOf(ctx context.Context) *ending {
	if e, ok := ctx.Value(endingKey{}).(*ending); ok {
		return e
	}
	return &ending{}
}

// Finishes says that a command has to finish its present work, which may take
// more than a moment. what describes the work; it is called at any time.
func Finishes(ctx context.Context, what func() string) {
	e := endingOf(ctx)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.waits = what
}

// OnInterrupt makes SIGINT call f, which must not wait, instead of ending the
// command, until undo is called.
func OnInterrupt(ctx context.Context, f func()) (undo func()) {
	e := endingOf(ctx)
	before := e.divert(f)
	return func() { e.divert(before) }
}

func (e *ending) divert(f func()) (before func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	before, e.instead = e.instead, f
	return before
}

// diverted says whether a signal was somebody's who had asked for it.
func (e *ending) diverted(s os.Signal) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if s != syscall.SIGINT || e.instead == nil {
		return false
	}
	e.instead()
	return true
}

// CatchSignals is the context of a command. The first signal ends it. A command
// that has not ended a moment later, because it waits for something that cannot
// be interrupted, is ended by exit, except one that Finishes something: that
// describes its work. The second signal ends any command.
func CatchSignals(errs io.Writer, exit func(int)) context.Context {
	e := &ending{}
	ctx, cancel := context.WithCancelCause(context.WithValue(context.Background(), endingKey{}, e))
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		got := <-signals
		for e.diverted(got) {
			got = <-signals
		}
		s, _ := got.(syscall.Signal)
		cause := Signalled{s}
		cancel(cause)
		e.wait(signals, errs, cause)
		e.drop()
		exit(cause.Status())
	}()
	return ctx
}

// wait returns when the time of a command is over.
func (e *ending) wait(signals <-chan os.Signal, errs io.Writer, cause Signalled) {
	select {
	case <-signals:
		time.Sleep(abortGrace)
		return
	case <-time.After(signalGrace):
	}
	e.mu.Lock()
	waits := e.waits
	e.mu.Unlock()
	if waits == nil {
		fmt.Fprintln(errs, Name+":", cause)
		return
	}
	if what := waits(); what != "" {
		fmt.Fprintf(errs, Name+": %v: finishing %s; another signal ends it at once\n", cause, what)
	}
	<-signals
	time.Sleep(abortGrace)
}

// keep remembers an unfinished file, which must not outlive the process, and
// gives up for good where that is ending already.
func (e *ending) keep(o *output) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.drops == nil {
		e.drops = map[*output]bool{}
	}
	e.drops[o] = true
	return !e.dropped
}

func (e *ending) forget(o *output) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.drops, o)
}

// drop removes the unfinished files.
func (e *ending) drop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.dropped = true
	for o := range e.drops {
		_ = os.Remove(o.temp)
	}
}
