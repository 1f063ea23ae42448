package store

import "context"

type pollingKey struct{}

// Polling returns a context for looking again and again whether something has changed. Where several processes share object
// storage, List, Children and Identify may then answer as of a minute ago, without a request. Decisions that must rest on the
// present state look again without it.
func Polling(ctx context.Context) context.Context { return context.WithValue(ctx, pollingKey{}, true) }

// IsPolling reports whether ctx comes from Polling.
func IsPolling(ctx context.Context) bool { return ctx.Value(pollingKey{}) != nil }
