package archive

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// TestReplaceCrash kills a replacing load at every operation. Readers see the
// state before or the one after, whole; the next writer of any owner deletes
// what was replaced, and doing it again ends as if nothing had happened.
func TestReplaceCrash(t *testing.T) {
	reference := store.NewMemory()
	rejectLoad(t, reference, "x")
	require.NoError(t, replaceDay(reference, "replay", "re-1"))
	want := contents(t, reference)
	storetest.Each(t, func(t *testing.T, _ store.Bucket) {
		seen := map[string]bool{}
		for n := 0; ; n++ {
			b := crashBucket(t)
			rejectLoad(t, b, "x")
			f := storetest.NewFaults(b)
			f.StopAfter(n)
			err := replaceDay(f, "replay", "re-1")
			got := state(t, b)
			if got != stateBefore && got != stateAfter {
				t.Fatalf("stopped after %d operations: %s", n, got)
			}
			seen[got] = true
			if err == nil && !f.Stopped() {
				break
			}
			w, err := NewWriter(ctx, b, Options{Owner: "other"})
			require.NoError(t, err)
			require.NoError(t, w.Abort())
			old := slices.ContainsFunc(contents(t, b), func(c string) bool { return strings.Contains(c, "20180601/x-") })
			if old != (got == stateBefore) {
				t.Fatalf("stopped after %d operations: the replaced file is there: %t", n, old)
			}
			if err := replaceDay(b, "replay", "re-1"); err != nil {
				t.Fatalf("stopped after %d operations, then: %v", n, err)
			}
			if got := contents(t, b); !slices.Equal(got, want) {
				t.Fatalf("stopped after %d operations, then:\n%s\ninstead of\n%s", n, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
		if len(seen) != 2 {
			t.Errorf("seen: %v", seen)
		}
	})
}

func crashBucket(t *testing.T) store.Bucket {
	if strings.HasSuffix(t.Name(), "memory") {
		return store.NewMemory()
	}
	b, err := store.OpenLocal(t.TempDir())
	require.NoError(t, err)
	return b
}

// TestReplaceFailures lets single operations of a replacing load fail.
func TestReplaceFailures(t *testing.T) {
	broken := errors.New("broken")
	for n := 1; ; n++ {
		b := store.NewMemory()
		rejectLoad(t, b, "x")
		f := storetest.NewFaults(b)
		f.FailAt(n, broken)
		err := replaceDay(f, "replay", "re-1")
		want := stateAfter
		if err != nil {
			want = stateBefore
		}
		if got := state(t, b); got != want {
			t.Fatalf("operation %d failed with %v: %s", n, err, got)
		}
		if err := replaceDay(b, "replay", "re-1"); err != nil {
			t.Fatalf("operation %d failed, then: %v", n, err)
		}
		if got := state(t, b); got != stateAfter {
			t.Fatalf("operation %d failed, then %s", n, got)
		}
		if f.Ops() < n {
			break
		}
	}
}

// TestReplaceOvertaken stops a load just before its commit and lets another
// replace the same file.
func TestReplaceOvertaken(t *testing.T) {
	for n := 0; ; n++ {
		b := store.NewMemory()
		rejectLoad(t, b, "x")
		f := storetest.NewFaults(b)
		f.StopAfter(n)
		if err := replaceDay(f, "replay", "re-1"); err == nil {
			break
		}
		if state(t, b) == stateAfter {
			continue
		}
		require.NoError(t, replaceDay(b, "other", "re-2"))
		w, err := NewWriter(ctx, b, Options{Owner: "replay"})
		if err != nil {
			t.Fatalf("stopped after %d operations: %v", n, err)
		}
		require.NoError(t, w.Abort())
		if got := state(t, b); got != stateAfter {
			t.Fatalf("stopped after %d operations: %s", n, got)
		}
		for _, c := range contents(t, b) {
			if strings.Contains(c, "re-1") || strings.Contains(c, naming.Staging) {
				t.Fatalf("stopped after %d operations: still there: %s", n, c)
			}
		}
	}
}
