package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/pingmill/pingmill/store"
)

// testSwap checks Swap where the bucket has it.
func testSwap(t *testing.T, b store.Bucket) {
	ctx := context.Background()
	const name = "leases/a"
	if err := store.Swap(ctx, b, name, nil, []byte("one")); errors.Is(err, errors.ErrUnsupported) {
		return
	} else if err != nil {
		t.Fatal(err)
	}
	for _, old := range [][]byte{nil, {}, []byte("two")} {
		if err := store.Swap(ctx, b, name, old, []byte("x")); !errors.Is(err, store.ErrChanged) {
			t.Errorf("swap of %q: %v", old, err)
		}
	}
	if err := store.Swap(ctx, b, name, []byte("one"), []byte("0")); err != nil {
		t.Error(err)
	}
	countBySwap(t, b, name)
	if err := store.Swap(ctx, b, name, []byte("40"), nil); err != nil {
		t.Error(err)
	}
	if err := store.Swap(ctx, b, name, nil, []byte("new")); err != nil {
		t.Error(err)
	}
	var names []string
	for e, err := range b.List(ctx, "") {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, e.Name)
	}
	if len(names) != 1 || names[0] != name {
		t.Errorf("the bucket has %q", names)
	}
}

// countBySwap lets four goroutines add ten each to a number.
func countBySwap(t *testing.T, b store.Bucket, name string) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for done := 0; done < 10; {
				old, err := store.ReadFile(context.Background(), b, name)
				if err != nil {
					t.Error(err)
					return
				}
				var n int
				fmt.Sscan(string(old), &n)
				err = store.Swap(context.Background(), b, name, old, fmt.Append(nil, n+1))
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
