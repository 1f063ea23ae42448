package blob

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/blob/blobtest"
)

// The servers do what a condition says: CompareAndSwap relies on nothing else. The one that stands for Google's does not look at that of
// removals, as Google's does.
func TestConditions(t *testing.T) {
	for name, start := range map[string]func(testing.TB) string{"S3": blobtest.S3, "GCS": blobtest.GCS, "Azure": blobtest.Azure} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			b, err := Open(ctx, start(t), Options{})
			require.NoError(t, err)
			write := func(version string) error {
				_, err := b.service.put(ctx, "a", []byte("other"), "mark", &condition{version})
				return err
			}
			require.NoError(t, store.WriteFile(ctx, b, "a", []byte("one")))
			one, err := b.Identify(ctx, "a")
			require.NoError(t, err)
			require.NoError(t, store.WriteFile(ctx, b, "a", []byte("two")))
			for what, err := range map[string]error{
				"written though there is one":  write(""),
				"written though it is another": write(one.Content),
				"removed though it is another": removed(ctx, b, name == "GCS", one.Content),
			} {
				assert.True(t, b.conflict(err), "%s: %v", what, err)
			}
			data, err := store.ReadFile(ctx, b, "a")
			require.NoError(t, err)
			assert.Equal(t, "two", string(data))
			two, err := b.Identify(ctx, "a")
			require.NoError(t, err)
			require.NoError(t, b.service.delete(ctx, "a", two.Content))
			assert.True(t, b.conflict(write(two.Content)), "written though it is gone")
			require.NoError(t, write(""))
		})
	}
}

func removed(ctx context.Context, b *Bucket, ignored bool, version string) error {
	if ignored {
		return &gcsError{status: 412}
	}
	return b.service.delete(ctx, "a", version)
}
