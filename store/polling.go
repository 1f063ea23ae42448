package store

import "context"

type pollingKey struct{}

// Polling returns a context for looking again and again whether something has changed. Where several processes share object
// storage, List, Children, Identify and Open of a small object may then answer as of a minute ago, without a request. Decisions
// that must rest on the present state look again without it, or with Present.
func Polling(ctx context.Context) context.Context { return context.WithValue(ctx, pollingKey{}, true) }

// Present returns a context in which everything is answered as of now, also if ctx comes from Polling.
func Present(ctx context.Context) context.Context { return context.WithValue(ctx, pollingKey{}, false) }

// IsPolling reports whether ctx comes from Polling.
func IsPolling(ctx context.Context) bool { return ctx.Value(pollingKey{}) == true }
