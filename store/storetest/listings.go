package storetest

import (
	"context"
	"iter"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
)

// OldListings is a bucket that, after Freeze, lists what it had then, as old servers of object storage do.
// Everything else is as it is now.
type OldListings struct {
	store.Bucket
	Below   string // only listings with this prefix are old
	entries []store.Entry
	frozen  atomic.Bool
}

// Freeze makes all later listings show what there is now.
func (b *OldListings) Freeze(t testing.TB) {
	t.Helper()
	b.entries = nil
	for e, err := range b.Bucket.List(t.Context(), "") {
		require.NoError(t, err)
		b.entries = append(b.entries, e)
	}
	b.frozen.Store(true)
}

// Thaw makes later listings show what there is then.
func (b *OldListings) Thaw() { b.frozen.Store(false) }

// List implements store.Bucket.
func (b *OldListings) List(ctx context.Context, prefix string) iter.Seq2[store.Entry, error] {
	if !b.frozen.Load() || !strings.HasPrefix(prefix, b.Below) {
		return b.Bucket.List(ctx, prefix)
	}
	return func(yield func(store.Entry, error) bool) {
		for _, e := range b.entries {
			if strings.HasPrefix(e.Name, prefix) && !yield(e, nil) {
				return
			}
		}
	}
}
