package storetest

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
)

// Each runs a test on a bucket in memory and on a local folder.
func Each(t *testing.T, f func(t *testing.T, b store.Bucket)) {
	t.Run("memory", func(t *testing.T) { f(t, store.NewMemory()) })
	t.Run("local", func(t *testing.T) {
		b, err := store.OpenLocal(t.TempDir())
		require.NoError(t, err)
		f(t, b)
	})
}

// Contents lists the objects of a bucket, except the named ones, with their sizes and the hashes of their bytes.
func Contents(t testing.TB, b store.Bucket, except ...string) (all []string) {
	t.Helper()
	for e, err := range b.List(ctx, "") {
		require.NoError(t, err)
		if slices.Contains(except, e.Name) {
			continue
		}
		data, err := store.ReadFile(ctx, b, e.Name)
		require.NoError(t, err)
		all = append(all, fmt.Sprintf("%s %d %x", e.Name, e.Size, sha256.Sum256(data)))
	}
	return all
}
