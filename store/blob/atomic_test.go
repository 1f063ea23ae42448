package blob_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/blob"
	"github.com/pingmill/pingmill/store/blob/blobtest"
)

// Conditional writes of each server are atomic: processes with eight goroutines each add to one number, and take turns in making and
// removing one object.
func TestConditionsAreAtomic(t *testing.T) {
	servers := map[string]func(testing.TB) string{"S3": blobtest.S3, "GCS": blobtest.GCS, "Azure": blobtest.Azure}
	for name, start := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const processes = 2
			root := start(t)
			b := open(t, root)
			require.NoError(t, b.CompareAndSwap(t.Context(), "counter", nil, []byte("0")))
			var wg sync.WaitGroup
			for range processes {
				wg.Go(func() {
					cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestAddInProcess$", "-test.count", "1")
					cmd.Env = append(os.Environ(), "PINGMILL_TEST_ROOT="+root)
					out, err := cmd.CombinedOutput()
					assert.NoError(t, err, string(out))
				})
			}
			wg.Wait()
			got, err := store.ReadFile(t.Context(), b, "counter")
			require.NoError(t, err)
			assert.Equal(t, fmt.Sprint(processes*adders*additions), string(got))
		})
	}
}

const adders, additions = 8, 3

// TestAddInProcess is one of the processes.
func TestAddInProcess(t *testing.T) {
	root := os.Getenv("PINGMILL_TEST_ROOT")
	if root == "" {
		t.Skip("only as a process of TestConditionsAreAtomic")
	}
	b := open(t, root)
	var wg sync.WaitGroup
	for i := range adders {
		wg.Go(func() { add(t, b, additions) })
		wg.Go(func() { take(t, b, fmt.Sprint(os.Getpid(), "-", i)) })
	}
	wg.Wait()
}

// add adds one a number of times.
func add(t *testing.T, b *blob.Bucket, times int) {
	ctx := context.Background()
	for done := 0; done < times; {
		old, err := store.ReadFile(ctx, b, "counter")
		if !assert.NoError(t, err) {
			return
		}
		var n int
		fmt.Sscan(string(old), &n)
		err = b.CompareAndSwap(ctx, "counter", old, fmt.Append(nil, n+1))
		if err == nil {
			done++
		} else if !assert.ErrorIs(t, err, store.ErrChanged) {
			return
		}
	}
}

// take makes an object that nobody else may have then, and removes it;.
func take(t *testing.T, b *blob.Bucket, who string) {
	ctx := context.Background()
	for done := 0; done < additions; {
		err := b.CompareAndSwap(ctx, "taken", nil, []byte(who))
		if errors.Is(err, store.ErrChanged) {
			continue
		}
		if !assert.NoError(t, err) {
			return
		}
		got, err := store.ReadFile(ctx, b, "taken")
		if assert.NoError(t, err) && assert.Equal(t, who, string(got)) && assert.NoError(t, b.CompareAndSwap(ctx, "taken", []byte(who), nil)) {
			done++
		}
	}
}
