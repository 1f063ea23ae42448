package blob

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/blob/blobtest"
)

func openS3(t *testing.T, root string) (*Bucket, *s3Service) {
	t.Helper()
	b, err := Open(t.Context(), root, Options{})
	require.NoError(t, err)
	return b, b.service.(*s3Service)
}

func unfinished(t *testing.T, s *s3Service) int {
	t.Helper()
	out, err := s.client.ListMultipartUploads(t.Context(), &s3.ListMultipartUploadsInput{Bucket: &s.bucket})
	require.NoError(t, err)
	return len(out.Uploads)
}

// An upload that was given up leaves nothing. Tidy removes the uploads of a killed process: below the folder, and before the time only.
func TestUnfinishedUploads(t *testing.T) {
	b, s := openS3(t, blobtest.S3(t))
	ctx, cancel := context.WithCancel(t.Context())
	begun := func(name string) store.Writer {
		w, err := b.Create(ctx, name)
		require.NoError(t, err)
		_, err = w.Write(make([]byte, 3*partSize))
		require.NoError(t, err)
		return w
	}
	require.NoError(t, begun("a/aborted").Abort())
	late := begun("a/cancelled")
	cancel()
	require.ErrorIs(t, late.Commit(), context.Canceled)
	require.Zero(t, unfinished(t, s))
	for _, key := range []string{"a/b/killed", "a/c/killed", "a/bc/killed"} {
		_, err := s.client.CreateMultipartUpload(t.Context(), &s3.CreateMultipartUploadInput{Bucket: &s.bucket, Key: &key})
		require.NoError(t, err)
	}
	require.NoError(t, store.Tidy(t.Context(), b, "", time.Unix(1, 0)))
	require.Equal(t, 3, unfinished(t, s))
	require.NoError(t, store.Tidy(t.Context(), b, "a/b", time.Time{}))
	require.Equal(t, 2, unfinished(t, s))
	require.NoError(t, store.Tidy(t.Context(), b, "", time.Time{}))
	require.Zero(t, unfinished(t, s))
}

// Objects that are too large for one request are copied by parts.
func TestCopyParts(t *testing.T) {
	b, s := openS3(t, blobtest.S3(t))
	data := make([]byte, 12<<20+1)
	rand.NewChaCha8([32]byte{1}).Read(data)
	from, to := "a/with space, é", "b/copy"
	require.NoError(t, store.WriteFile(t.Context(), b, from, data))
	head, err := s.client.HeadObject(t.Context(), &s3.HeadObjectInput{Bucket: &s.bucket, Key: &from})
	require.NoError(t, err)
	require.NoError(t, s.copyParts(t.Context(), from, to, head, 5<<20))
	got, err := store.ReadFile(t.Context(), b, to)
	require.NoError(t, err)
	require.True(t, bytes.Equal(data, got))
	require.NoError(t, store.WriteFile(t.Context(), b, from, data[:11<<20]))
	require.Error(t, s.copyParts(t.Context(), from, "b/mixed", head, 5<<20), "replaced meanwhile")
	require.Zero(t, unfinished(t, s))
	_, err = b.Open(t.Context(), "b/mixed")
	require.ErrorContains(t, err, "not exist")
}
