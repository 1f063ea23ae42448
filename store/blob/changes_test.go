package blob_test

import (
	"io/fs"
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
			data, err := store.ReadFile(ctx, reader, "table/v1/manifest")
			require.NoError(t, err)
			content += string(data)
			data, err = store.ReadFile(ctx, reader, "table/v1/empty")
			require.NoError(t, err)
			require.Empty(t, data)
			_, err = store.ReadFile(ctx, reader, "table/v1/absent")
			require.ErrorIs(t, err, fs.ErrNotExist)
		}
		all := 0
		for _, n := range requests() {
			all += n
		}
		return names, content, all
	}
	write("table/v1/empty", "")
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
	require.Equal(t, 7, three-two)

	require.NoError(t, reader.Delete(t.Context(), "pings/v1/a/x"))
	names, _, _ = look()
	require.Equal(t, []string{"pings/v1/b/y", "pings/v1/b/"}, names)
	for e, err := range reader.List(t.Context(), "pings/v1/") {
		require.NoError(t, err)
		require.Equal(t, "pings/v1/b/y", e.Name)
	}
}

// TestSwapsAlone: a process that swaps an object again and again needs one request for each, and notices others.
func TestSwapsAlone(t *testing.T) {
	root := blobtest.S3(t)
	counted, requests := blobtest.Counted(t, root)
	ctx := t.Context()
	b, err := blob.Open(ctx, counted, blob.Options{})
	require.NoError(t, err)
	other, err := blob.Open(ctx, root, blob.Options{})
	require.NoError(t, err)
	one, two, three := []byte("one"), []byte("two"), []byte("three")
	swap := func(old, new []byte) (made int, err error) {
		before := 0
		for _, n := range requests() {
			before += n
		}
		err = b.CompareAndSwap(ctx, "lease", old, new)
		for _, n := range requests() {
			made += n
		}
		return made - before, err
	}
	for _, step := range []struct{ old, new []byte }{{nil, one}, {one, two}, {two, one}, {one, nil}, {nil, one}} {
		made, err := swap(step.old, step.new)
		require.NoError(t, err)
		require.Equal(t, 1, made, "%s to %s", step.old, step.new)
	}
	require.NoError(t, other.CompareAndSwap(ctx, "lease", one, two))
	_, err = swap(one, three)
	require.ErrorIs(t, err, store.ErrChanged)
	require.NoError(t, other.CompareAndSwap(ctx, "lease", two, one))
	_, err = swap(one, three)
	require.NoError(t, err, "the bytes are those that were expected")
	require.NoError(t, other.CompareAndSwap(ctx, "lease", three, nil))
	_, err = swap(three, one)
	require.ErrorIs(t, err, store.ErrChanged)
	_, err = swap(nil, two)
	require.NoError(t, err)
}
