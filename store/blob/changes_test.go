package blob_test

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

// TestPolling counts the requests of a process that looks for another one's changes.
func TestPolling(t *testing.T) {
	root := blobtest.S3(t)
	counted, requests := blobtest.Counted(t, root)
	now := time.Now()
	open := func(url string) (*blob.Bucket, *changes.Feed) {
		b, err := blob.Open(t.Context(), url, blob.Options{})
		require.NoError(t, err)
		feed := changes.New(b, "_changes.json", changes.Options{Clock: clock.Clock{Now: func() time.Time { return now }, Wait: clock.Wait}})
		b.Watch(feed.Part("archive"))
		t.Cleanup(func() { require.NoError(t, feed.Close()) })
		return b, feed
	}
	reader, _ := open(counted)
	writer, feed := open(root)
	write := func(name, text string) { require.NoError(t, store.WriteFile(t.Context(), writer, name, []byte(text))) }
	ctx := store.Polling(t.Context())
	look := func() (names []string, content string, made int) {
		t.Helper()
		for range 2 { // the second one needs none
			names = nil
			for e, err := range reader.List(ctx, "pings/v1/") {
				require.NoError(t, err)
				names = append(names, e.Name)
			}
			for e, err := range reader.Children(ctx, "pings/v1") {
				require.NoError(t, err)
				names = append(names, e.Name)
			}
			id, err := reader.Identify(ctx, "table/v1/manifest")
			require.NoError(t, err)
			content = id.Content
		}
		all := 0
		for _, n := range requests() {
			all += n
		}
		return names, content, all
	}
	write("pings/v1/a/x", "1")
	write("table/v1/manifest", "1")
	names, content, one := look()
	require.Equal(t, []string{"pings/v1/a/x", "pings/v1/a/"}, names)
	now = now.Add(time.Minute)
	_, _, two := look()
	require.Equal(t, 1, two-one, "the feed alone")

	write("pings/v1/b/y", "1")
	write("table/v1/manifest", "2")
	require.NoError(t, feed.Close())
	now = now.Add(time.Minute)
	names, again, three := look()
	require.Equal(t, []string{"pings/v1/a/x", "pings/v1/b/y", "pings/v1/a/", "pings/v1/b/"}, names)
	require.NotEqual(t, content, again)
	require.Equal(t, 4, three-two)

	require.NoError(t, reader.Delete(t.Context(), "pings/v1/a/x"))
	names, _, _ = look()
	require.Equal(t, []string{"pings/v1/b/y", "pings/v1/b/"}, names)
	for e, err := range reader.List(t.Context(), "pings/v1/") {
		require.NoError(t, err)
		require.Equal(t, "pings/v1/b/y", e.Name)
	}
}
