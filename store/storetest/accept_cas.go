package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
)

func testCompareAndSwap(t *testing.T, b store.Bucket) {
	const name = "leases/a"
	require.NoError(t, b.CompareAndSwap(ctx, name, nil, []byte("one")))
	for _, old := range [][]byte{nil, {}, []byte("two")} {
		if err := b.CompareAndSwap(ctx, name, old, []byte("x")); !errors.Is(err, store.ErrChanged) {
			t.Errorf("swap of %q: %v", old, err)
		}
	}
	assert.NoError(t, b.CompareAndSwap(ctx, name, []byte("one"), []byte("0")))
	countConcurrently(t, b, name)
	assert.NoError(t, b.CompareAndSwap(ctx, name, []byte("40"), nil))
	assert.NoError(t, b.CompareAndSwap(ctx, name, nil, []byte("new")))
	WantNames(t, b, "", name)
}

// countConcurrently lets four goroutines add ten each to a number.
func countConcurrently(t *testing.T, b store.Bucket, name string) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for done := 0; done < 10; {
				old, err := store.ReadFile(ctx, b, name)
				if err != nil {
					t.Error(err)
					return
				}
				var n int
				fmt.Sscan(string(old), &n)
				err = b.CompareAndSwap(ctx, name, old, fmt.Append(nil, n+1))
				switch {
				case err == nil:
					done++
				case !errors.Is(err, store.ErrChanged):
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}
