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
	// signalGrace is the time that a command has to end after a signal.
	signalGrace = 700 * time.Millisecond
	// abortGrace is the time that remains after a second signal.
	abortGrace = 200 * time.Millisecond
)

// Signalled is the cause of a context that a signal ended.
type Signalled struct{ Signal syscall.Signal }

func (s Signalled) Error() string {
	if s.Signal == syscall.SIGINT {
		return "interrupted"
	}
	return "terminated"
}

// Is matches context.Canceled.
func (s Signalled) Is(target error) bool { return target == context.Canceled }

// Status returns the exit status that shells use for the signal.
func (s Signalled) Status() int { return 128 + int(s.Signal) }

// SignalOf returns the signal that ended ctx, if any.
func SignalOf(ctx context.Context) (s Signalled, ok bool) {
	ok = errors.As(context.Cause(ctx), &s)
	return s, ok
}

// ending controls how a signal ends a command.
type ending struct {
	mu      sync.Mutex
	waits   func() string // see Finishes
	instead func()        // see OnInterrupt
	dropped bool          // see keep
	drops   map[*output]bool
}

type endingKey struct{}

// endingOf returns the ending in a command's context, or an unused one.
func endingOf(ctx context.Context) *ending {
	if e, ok := ctx.Value(endingKey{}).(*ending); ok {
		return e
	}
	return &ending{}
}

// Finishes marks a command that completes its current work after a signal, which may take longer. what describes the
// work; it may be called at any time.
func Finishes(ctx context.Context, what func() string) {
	e := endingOf(ctx)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.waits = what
}

// OnInterrupt makes SIGINT call f, which must not block, instead of ending the command, until undo is called.
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

// diverted reports whether a signal was handled by OnInterrupt.
func (e *ending) diverted(s os.Signal) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if s != syscall.SIGINT || e.instead == nil {
		return false
	}
	e.instead()
	return true
}

// CatchSignals returns the context of a command. The first signal cancels it. A command that does not end within
// signalGrace, because it blocks, is ended by exit, unless it called Finishes; then its work is described to the user.
// A second signal ends any command.
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

// wait returns when the command must end.
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

// keep registers an unfinished file, which must not outlive the process. It returns false if the process is already
// ending.
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
