package main

import (
	"context"
	"iter"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/store"
)

// slowBucket is a bucket whose every request takes a time between 0 and twice the mean,
// as one of a provider does, and which counts them.
type slowBucket struct {
	store.Bucket
	mean time.Duration

	mu       sync.Mutex
	random   *rand.Rand
	requests map[string]int
	turns    int // commits that have begun their turn and not ended it
	inTurn   int // requests meanwhile, if there is one server only
}

func newSlowBucket(mean time.Duration, seed uint64) *slowBucket {
	return &slowBucket{Bucket: store.NewMemory(), mean: mean, random: rand.New(rand.NewPCG(seed, 1)), requests: map[string]int{}}
}

func (b *slowBucket) request(kind string) {
	b.mu.Lock()
	b.requests[kind]++
	if b.turns > 0 {
		b.inTurn++
	}
	var pause time.Duration
	if b.mean > 0 {
		pause = time.Duration(b.random.Int64N(2 * int64(b.mean)))
	}
	b.mu.Unlock()
	time.Sleep(pause)
}

func (b *slowBucket) total() (n int) {
	for _, k := range b.requests {
		n += k
	}
	return n
}

func (b *slowBucket) Create(ctx context.Context, name string) (store.Writer, error) {
	w, err := b.Bucket.Create(ctx, name)
	return &slowWriter{w, b}, err
}

type slowWriter struct {
	store.Writer
	b *slowBucket
}

func (w *slowWriter) Commit() error {
	w.b.request("put")
	return w.Writer.Commit()
}

func (b *slowBucket) Open(ctx context.Context, name string) (store.Reader, error) {
	b.request("get")
	return b.Bucket.Open(ctx, name)
}

func (b *slowBucket) List(ctx context.Context, prefix string) iter.Seq2[store.Entry, error] {
	b.request("list")
	return b.Bucket.List(ctx, prefix)
}

func (b *slowBucket) Delete(ctx context.Context, name string) error {
	b.request("delete")
	return b.Bucket.Delete(ctx, name)
}

func (b *slowBucket) Identify(ctx context.Context, name string) (store.Identity, error) {
	b.request("head")
	return b.Bucket.Identify(ctx, name)
}

// Copy is one request, on the server.
func (b *slowBucket) Copy(ctx context.Context, from, to string) error {
	b.request("copy")
	return store.Copy(ctx, b.Bucket, from, to)
}

func (b *slowBucket) CompareAndSwap(ctx context.Context, name string, old, new []byte) error {
	b.request("get")
	b.request("put")
	err := b.Bucket.CompareAndSwap(ctx, name, old, new)
	if strings.HasPrefix(name, naming.Commits+"/") && err == nil {
		b.mu.Lock()
		if b.turns++; b.turns == 2 {
			b.turns = 0
		}
		b.mu.Unlock()
	}
	return err
}
