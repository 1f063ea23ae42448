package store

import (
	"context"
	"time"
)

type pollingKey struct{}

// polling describes which remembered answers a context accepts.
type polling struct {
	on    bool
	since time.Time
	state string
}

// Polling returns a context for looking again and again whether something has changed. Where several processes share object
// storage, List, Children, Identify and Open of a small object may then answer as of a minute ago, without a request. Decisions
// that must rest on the present state look again without it, or with Present.
func Polling(ctx context.Context) context.Context {
	return context.WithValue(ctx, pollingKey{}, polling{on: true})
}

// Since is like Polling, but answers are as of a time or later, as far as the writers have entered their changes, and were
// remembered in the same state: a text of the caller. An empty state remembers nothing. In a context of Present it changes nothing.
func Since(ctx context.Context, at time.Time, state string) context.Context {
	if p, set := ctx.Value(pollingKey{}).(polling); state == "" || set && !p.on {
		return ctx
	}
	return context.WithValue(ctx, pollingKey{}, polling{on: true, since: at, state: state})
}

// Present returns a context in which everything is answered as of now, also if ctx comes from Polling.
func Present(ctx context.Context) context.Context {
	return context.WithValue(ctx, pollingKey{}, polling{})
}

// IsPolling reports whether ctx comes from Polling or Since.
func IsPolling(ctx context.Context) bool {
	p, _ := ctx.Value(pollingKey{}).(polling)
	return p.on
}

// AcceptedSince returns the arguments of Since; zero values for a context of Polling.
func AcceptedSince(ctx context.Context) (at time.Time, state string) {
	p, _ := ctx.Value(pollingKey{}).(polling)
	return p.since, p.state
}
