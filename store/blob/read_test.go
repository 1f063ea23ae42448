package blob_test

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/blob"
	"github.com/pingmill/pingmill/store/blob/blobtest"
)

// large returns an object of 20 MB, and its bytes.
func large(t *testing.T, b *blob.Bucket) []byte {
	t.Helper()
	data := make([]byte, 20<<20+12345)
	rand.NewChaCha8([32]byte{1}).Read(data)
	require.NoError(t, store.WriteFile(t.Context(), b, "large", data))
	return data
}

// A way of reading takes no more requests than its bytes need.
func TestRequestsOfReads(t *testing.T) {
	b := open(t, blobtest.S3(t))
	data := large(t, b)
	require.NoError(t, store.WriteFile(t.Context(), b, "small", data[:100_000]))
	for _, test := range []struct {
		name     string
		object   string
		requests int64
		read     func(t *testing.T, r store.Reader)
	}{
		{"open", "large", 1, func(*testing.T, store.Reader) {}},
		{"a small object", "small", 1, func(t *testing.T, r store.Reader) { expect(t, data[:100_000], r, 0, 100_000) }},
		{"the footer", "large", 2, func(t *testing.T, r store.Reader) {
			expect(t, data, r, len(data)-8, 8)
			expect(t, data, r, len(data)-200_000, 190_000)
		}},
		{"all at once", "large", 7, func(t *testing.T, r store.Reader) { expect(t, data, r, 0, len(data)) }},
		{"a large range", "large", 2, func(t *testing.T, r store.Reader) { expect(t, data, r, 5<<20, 3<<20) }},
		{"neighbours", "large", 4, func(t *testing.T, r store.Reader) {
			for at := 5 << 20; at < 6<<20; at += 10_000 {
				expect(t, data, r, at, 10_000)
			}
		}},
		{"from front to back", "large", 8, func(t *testing.T, r store.Reader) {
			got, err := io.ReadAll(r)
			require.NoError(t, err)
			assert.True(t, bytes.Equal(data, got))
		}},
	} {
		before := b.Counts().Requests["get"]
		r, err := b.Open(t.Context(), test.object)
		require.NoError(t, err)
		test.read(t, r)
		assert.LessOrEqual(t, b.Counts().Requests["get"]-before, test.requests, test.name)
		require.NoError(t, r.Close())
		_, err = r.ReadAt(make([]byte, 1), 0)
		assert.ErrorIs(t, err, fs.ErrClosed)
	}
}

func expect(t *testing.T, data []byte, r store.Reader, off, n int) {
	t.Helper()
	got := make([]byte, n)
	_, err := r.ReadAt(got, int64(off))
	require.NoError(t, err)
	require.True(t, bytes.Equal(data[off:off+n], got), "%d bytes at %d", n, off)
}

// Reads of one reader at the same time, of any length and place, give the object's bytes, also where answers break off.
func TestReadsAtOnce(t *testing.T) {
	root := blobtest.S3(t)
	data := large(t, open(t, root))
	b := open(t, blobtest.Faulty(t, root, blobtest.Faults{Seed: 1, CutDown: 0.1}))
	r, err := b.Open(t.Context(), "large")
	require.NoError(t, err)
	defer r.Close()
	var wg sync.WaitGroup
	for i := range 4 {
		random := rand.New(rand.NewPCG(uint64(i), 1))
		wg.Go(func() {
			for range 40 {
				off := random.IntN(len(data))
				n := min(random.IntN(1<<(1+random.IntN(22))), len(data)-off)
				got := make([]byte, n)
				_, err := r.ReadAt(got, int64(off))
				assert.NoError(t, err)
				assert.True(t, bytes.Equal(data[off:off+n], got), "%d bytes at %d", n, off)
			}
		})
	}
	wg.Wait()
}

// A reader whose context has ended says so.
func TestReadAfterContext(t *testing.T) {
	b := open(t, blobtest.S3(t))
	large(t, b)
	ctx, cancel := context.WithCancel(t.Context())
	r, err := b.Open(ctx, "large")
	require.NoError(t, err)
	defer r.Close()
	cancel()
	_, err = r.ReadAt(make([]byte, 10), 10<<20)
	require.ErrorIs(t, err, context.Canceled)
}
