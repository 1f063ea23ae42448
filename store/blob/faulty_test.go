package blob_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/blob"
	"github.com/pingmill/pingmill/store/blob/blobtest"
)

// faults are those that tries again get over.
var faults = map[string]blobtest.Faults{
	"503":           {Refuse: 0.3},
	"500":           {Break: 0.2},
	"cut uploads":   {CutUp: 0.2},
	"cut downloads": {CutDown: 0.2},
	"lost answers":  {Lose: 0.2},
	"timeouts":      {Hang: 0.05, HangDone: 0.05},
	"some of all": {Refuse: 0.05, Break: 0.05, CutUp: 0.05, CutDown: 0.05, Lose: 0.05, Hang: 0.02, HangDone: 0.02,
		Delay: 20 * time.Millisecond},
}

// Through each fault everything is done, once: what was written is there, what was counted is right.
func TestFaults(t *testing.T) {
	root := blobtest.S3(t)
	for name, f := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen atomic.Int64
			f.Seed, f.Seen = 1, func(_, _, _ string) { seen.Add(1) }
			prefix := strings.ReplaceAll(name, " ", "-")
			joined, err := blob.Join(root, prefix)
			require.NoError(t, err)
			b, err := blob.Open(t.Context(), blobtest.Faulty(t, joined, f), blob.Options{Stall: 300 * time.Millisecond})
			require.NoError(t, err)
			writeAndRead(t, b)
			counter(t, b, 3, 4)
			assert.NotZero(t, seen.Load())
			assert.NotZero(t, b.Counts().Retries)
		})
	}
}

// The other providers' clients get over faults as well.
func TestFaultsElsewhere(t *testing.T) {
	for name, start := range map[string]func(testing.TB) string{"GCS": blobtest.GCS, "Azure": blobtest.Azure} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := blobtest.Faults{Seed: 1, Refuse: 0.05, Break: 0.05, CutUp: 0.05, CutDown: 0.05, Lose: 0.05}
			b, err := blob.Open(t.Context(), blobtest.Faulty(t, start(t), f), blob.Options{Stall: time.Second})
			require.NoError(t, err)
			writeAndRead(t, b)
			counter(t, b, 3, 4)
			assert.NotZero(t, b.Counts().Retries)
		})
	}
}

// Answers to writes that break off are asked for again, also where the provider's client does not see that.
func TestCutAnswers(t *testing.T) {
	for name, start := range map[string]func(testing.TB) string{"S3": blobtest.S3, "GCS": blobtest.GCS, "Azure": blobtest.Azure} {
		t.Run(name, func(t *testing.T) {
			b, err := blob.Open(t.Context(), blobtest.Faulty(t, start(t), blobtest.Faults{Seed: 1, CutDown: 0.3}), blob.Options{Attempts: 20})
			require.NoError(t, err)
			for i := range 20 {
				require.NoError(t, store.WriteFile(t.Context(), b, fmt.Sprintf("a/%d", i), []byte("a")))
			}
			counter(t, b, 3, 4)
			assert.NotZero(t, b.Counts().Retries)
		})
	}
}

func writeAndRead(t *testing.T, b *blob.Bucket) {
	t.Helper()
	ctx := t.Context()
	var names []string
	for i, size := range []int{0, 1, 1000, 300_000, 10 << 20} {
		data := make([]byte, size)
		rand.NewChaCha8([32]byte{byte(i)}).Read(data)
		name := fmt.Sprintf("a/%d", i)
		require.NoError(t, store.WriteFile(ctx, b, name, data))
		got, err := store.ReadFile(ctx, b, name)
		require.NoError(t, err)
		require.True(t, bytes.Equal(data, got), name)
		require.NoError(t, b.Copy(ctx, name, "b/"+name))
		names = append(names, name)
	}
	for e, err := range b.List(ctx, "b/") {
		require.NoError(t, err)
		require.Equal(t, "b/"+names[0], e.Name)
		names = names[1:]
	}
	require.Empty(t, names)
	require.NoError(t, store.DeleteTree(ctx, b, "b"))
	for e, err := range b.List(ctx, "b/") {
		t.Errorf("%s, %v", e.Name, err)
	}
}

// counter adds to a number in an object, each of some writers a number of times: none is lost, none counts twice.
func counter(t *testing.T, b store.Bucket, writers, times int) {
	t.Helper()
	ctx, name := context.Background(), "counter"
	require.NoError(t, b.CompareAndSwap(ctx, name, nil, []byte("0")))
	var wg sync.WaitGroup
	var uncertain atomic.Int64
	for range writers {
		wg.Go(func() {
			for done := 0; done < times; {
				old, err := store.ReadFile(ctx, b, name)
				if !assert.NoError(t, err) {
					return
				}
				var n int
				fmt.Sscan(string(old), &n)
				switch err = b.CompareAndSwap(ctx, name, old, fmt.Append(nil, n+1)); {
				case err == nil:
					done++
				case errors.Is(err, blob.ErrUncertain):
					uncertain.Add(1)
				default:
					assert.ErrorIs(t, err, store.ErrChanged)
				}
			}
		})
	}
	wg.Wait()
	got, err := store.ReadFile(ctx, b, name)
	require.NoError(t, err)
	var n int
	fmt.Sscan(string(got), &n)
	assert.GreaterOrEqual(t, n, writers*times, "additions are lost")
	assert.LessOrEqual(t, n, writers*times+int(uncertain.Load()), "additions count twice")
}

// Old servers list what is not there any more, and not what is: names are found nevertheless.
func TestStaleListings(t *testing.T) {
	b := open(t, blobtest.Faulty(t, blobtest.S3(t), blobtest.Faults{Stale: time.Hour}))
	ctx := t.Context()
	require.NoError(t, store.WriteFile(ctx, b, "a/deleted", nil))
	require.NoError(t, b.Delete(ctx, "a/deleted"))
	require.NoError(t, store.WriteFile(ctx, b, "a/new", []byte("new")))
	require.Equal(t, []string{"a/deleted"}, names(t, b.List(ctx, "")))
	got, err := store.ReadFile(ctx, b, "a/new")
	require.NoError(t, err)
	require.Equal(t, "new", string(got))
}

// TestNoVersion: an object without version is an error of everything that reads it, and not one that changes all the time.
func TestNoVersion(t *testing.T) {
	clean := blobtest.S3(t)
	ctx := t.Context()
	for _, name := range []string{"restored/empty", "restored/some"} {
		require.NoError(t, store.WriteFile(ctx, open(t, clean), name, []byte(strings.TrimPrefix(name, "restored/empty"))))
	}
	b := open(t, blobtest.Faulty(t, clean, blobtest.Faults{NoVersion: "/restored/"}))
	check := func(err error) {
		t.Helper()
		require.ErrorContains(t, err, "no version (ETag)")
		require.NotErrorIs(t, err, store.ErrChanged)
	}
	_, err := store.ReadFile(ctx, b, "restored/some")
	check(err)
	_, err = b.Identify(ctx, "restored/empty")
	check(err)
	_, err = b.ReadRange(ctx, "restored/some", make([]byte, 1), 0, "")
	check(err)
	check(b.CompareAndSwap(ctx, "restored/some", []byte("restored/some"), []byte("new")))
	check(b.CompareAndSwap(ctx, "restored/empty", []byte{}, []byte("new")))
	require.NoError(t, store.WriteFile(ctx, b, "other", []byte("x")))
	got, err := store.ReadFile(ctx, b, "other")
	require.NoError(t, err)
	require.Equal(t, "x", string(got))
}
