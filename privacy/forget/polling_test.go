package forget

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/blob"
	"github.com/pingmill/pingmill/store/blob/blobtest"
	"github.com/pingmill/pingmill/store/changes"
)

// TestPolling: a poll sees another server's request a minute later, and never fewer than were seen before.
func TestPolling(t *testing.T) {
	root := blobtest.S3(t)
	now := time.Now()
	open := func() (*Registry, *changes.Feed) {
		b, err := blob.Open(t.Context(), root, blob.Options{})
		require.NoError(t, err)
		feed := changes.New(b, "_changes.json", changes.Options{
			Delay: time.Hour, Clock: clock.Clock{Now: func() time.Time { return now }, Wait: clock.Wait},
		})
		b.Watch(feed.Part("requests"))
		return Open(b), feed
	}
	reader, _ := open()
	writer, feed := open()
	known := func(polls bool) int {
		ctx := t.Context()
		if polls {
			ctx = store.Polling(ctx)
		}
		set, err := reader.Set(ctx)
		require.NoError(t, err)
		return set.Requests()
	}
	require.Equal(t, 0, known(true))
	require.NoError(t, writer.Record(t.Context(), Request{Name: "a", Time: now, Source: Operator, Clients: []string{"one"}}))
	require.Equal(t, 0, known(true), "as of a minute ago")
	require.Equal(t, 1, known(false))
	require.Equal(t, 1, known(true), "it was seen already")
	require.NoError(t, writer.Record(t.Context(), Request{Name: "b", Time: now, Source: Operator, Clients: []string{"two"}}))
	require.NoError(t, feed.Close())
	require.Equal(t, 1, known(true), "the feed is read once a minute")
	now = now.Add(time.Minute)
	require.Equal(t, 2, known(true))
	require.NoError(t, reader.Record(t.Context(), Request{Name: "c", Time: now, Source: Operator, Clients: []string{"three"}}))
	require.Equal(t, 3, known(true), "an own request is known at once")
}
