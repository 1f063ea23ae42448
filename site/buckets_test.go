package site

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/blob"
	"github.com/pingmill/pingmill/store/blob/blobtest"
)

// TestSiteInABucket: two servers with empty data folders find the same
// installation, and readers make nothing.
func TestSiteInABucket(t *testing.T) {
	root, err := blob.Join(blobtest.S3(t), "some", "where")
	require.NoError(t, err)
	roots, err := Roots{}.Below(root)
	require.NoError(t, err)
	exist := func() bool {
		is, err := roots.Exist(t.Context(), t.TempDir())
		require.NoError(t, err)
		return is
	}
	require.False(t, exist())
	read, err := Read(t.Context(), t.TempDir(), schema.NewSet(&schema.Probes{}), At(roots))
	require.NoError(t, err)
	require.NoError(t, read.Share(t.Context(), "", time.Now))
	require.Nil(t, read.Sharing)
	require.NoError(t, read.Close())
	require.False(t, exist())
	var names []string
	for range 2 {
		s, err := Open(t.Context(), t.TempDir(), schema.NewSet(&schema.Probes{}), At(roots))
		require.NoError(t, err)
		require.NoError(t, s.Share(t.Context(), "", time.Now))
		names = append(names, s.Sharing.Holder)
		if len(names) == 1 {
			require.NoError(t, store.WriteFile(t.Context(), s.Roots[schema.RestrictedRoot], "a", []byte("x")))
		} else {
			text, err := store.ReadFile(t.Context(), s.Roots[schema.RestrictedRoot], "a")
			require.NoError(t, err)
			require.Equal(t, "x", string(text))
			require.Equal(t, "s3://"+strings.Split(root, "/")[2]+"/some/where/restricted/a",
				store.Place(s.Snapshot().Roots[schema.RestrictedRoot], "a"))
		}
		require.NoError(t, s.Close())
	}
	require.NotEqual(t, names[0], names[1])
	require.True(t, exist())
}

// TestWrongBuckets: what cannot be an installation is refused in one line, before anything is written.
func TestWrongBuckets(t *testing.T) {
	bucket := blobtest.S3(t)
	roots, err := Roots{}.Below(bucket)
	require.NoError(t, err)
	s, err := Open(t.Context(), t.TempDir(), schema.NewSet(&schema.Probes{}), At(roots))
	require.NoError(t, err)
	defer s.Close()
	swapped := roots
	swapped.Archive, swapped.Lake = roots.Lake, roots.Archive
	missing := roots
	missing.Pipeline = strings.Replace(roots.Pipeline, "bucket-", "no-bucket-", 1)
	nobody := roots
	nobody.Restricted = strings.Replace(roots.Restricted, "path-style=true", "region=us-west-9", 1)
	for _, c := range []struct {
		roots      Roots
		mark, want string
	}{
		{swapped, "", "root: s3://"},
		{missing, "", "pipeline root: open s3://no-bucket-"},
		{nobody, "", "restricted root: "},
		{roots, `{"format":2,"root":"lake"}`, "a newer version of the program made it (format 2, this one knows 1)"},
		{roots, "", "_root.json is none of ours"},
		{roots, "{}", "_root.json is none of ours"},
		{roots, `{"format":1,"root":"restricted"}`, "this is the restricted root of an installation"},
	} {
		if c.roots == roots {
			require.NoError(t, store.WriteFile(t.Context(), s.Roots[schema.StorageRoot], markName, []byte(c.mark)))
		}
		_, err := Open(t.Context(), t.TempDir(), schema.NewSet(&schema.Probes{}), At(c.roots))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v with %q: %v, want %q", c.roots, c.mark, err, c.want)
		}
	}
}

// careless is a bucket whose server ignores conditions.
type careless struct{ store.Bucket }

func (c careless) CompareAndSwap(ctx context.Context, name string, _, new []byte) error {
	return store.WriteFile(ctx, c.Bucket, name, new)
}

// TestMark: a server that ignores conditions is found when the mark is made.
func TestMark(t *testing.T) {
	b := store.NewMemory()
	require.NoError(t, checkMark(t.Context(), b, "lake", false))
	_, err := store.ReadFile(t.Context(), b, markName)
	require.Error(t, err)
	require.NoError(t, checkMark(t.Context(), b, "lake", true))
	require.NoError(t, checkMark(t.Context(), b, "lake", true))
	require.ErrorContains(t, checkMark(t.Context(), b, "archive", true), "this is the lake root")
	require.ErrorContains(t, checkMark(t.Context(), careless{store.NewMemory()}, "lake", true), "use a server with conditional writes")
}
