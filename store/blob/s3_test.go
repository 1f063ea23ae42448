package blob_test

import (
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/blob"
	"github.com/pingmill/pingmill/store/blob/blobtest"
	"github.com/pingmill/pingmill/store/storetest"
)

func TestS3(t *testing.T) {
	storetest.Accept(t, func(t *testing.T) store.Bucket { return open(t, blobtest.S3(t)) })
}

// Two prefixes of a bucket have nothing of each other, though one begins as the other.
func TestPrefix(t *testing.T) {
	root := blobtest.S3(t)
	var buckets []*blob.Bucket
	for _, prefix := range []string{"some/where", "some/where-else", ""} {
		joined, err := blob.Join(root, prefix)
		require.NoError(t, err)
		b := open(t, joined)
		require.NoError(t, store.WriteFile(t.Context(), b, "a/b", []byte(prefix)))
		require.NoError(t, store.Copy(t.Context(), b, "a/b", "a/c"))
		require.NoError(t, store.WriteFile(t.Context(), b, "a/b", []byte("replaced")))
		buckets = append(buckets, b)
	}
	for _, b := range buckets[:2] {
		require.Equal(t, []string{"a/b", "a/c"}, names(t, b.List(t.Context(), "")))
		require.Equal(t, []string{"a/"}, names(t, b.Children(t.Context(), "")))
	}
	got, err := store.ReadFile(t.Context(), buckets[1], "a/c")
	require.NoError(t, err)
	require.Equal(t, "some/where-else", string(got))
	require.NoError(t, store.DeleteTree(t.Context(), buckets[0], "a"))
	require.Equal(t, []string{"a/b", "a/c", "some/where-else/a/b", "some/where-else/a/c"}, names(t, buckets[2].List(t.Context(), "")))
}

func names(t *testing.T, entries iter.Seq2[store.Entry, error]) (all []string) {
	t.Helper()
	for e, err := range entries {
		require.NoError(t, err)
		all = append(all, e.Name)
	}
	return all
}

func open(t *testing.T, root string) *blob.Bucket {
	t.Helper()
	b, err := blob.Open(t.Context(), root, blob.Options{})
	require.NoError(t, err)
	return b
}
