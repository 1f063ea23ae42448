package store_test

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

func TestStopAfter(t *testing.T) {
	inner, err := store.OpenLocal(t.TempDir())
	require.NoError(t, err)
	// Create, Write and Commit are three operations.
	for n, visible := range []bool{false, false, false, true, true} {
		f := storetest.NewFaults(inner)
		f.StopAfter(n)
		err := store.WriteFile(ctx, f, "a", []byte("data"))
		if visible != (err == nil) || !visible && !errors.Is(err, storetest.ErrStopped) {
			t.Errorf("stopped after %d: %v", n, err)
		}
		if _, err := inner.Open(ctx, "a"); visible != (err == nil) {
			t.Errorf("stopped after %d: open: %v", n, err)
		}
		if !visible {
			testDead(t, f)
		}
		require.NoError(t, inner.Delete(ctx, "a"))
	}
}

func testDead(t *testing.T, f *storetest.Faults) {
	if !f.Stopped() {
		t.Error("not stopped")
	}
	if _, err := f.Open(ctx, "a"); !errors.Is(err, storetest.ErrStopped) {
		t.Errorf("open: %v", err)
	}
	for _, op := range []func() error{
		func() error { return f.Delete(ctx, "a") },
		func() error { return store.Rename(ctx, f, "a", "b") },
		func() error { return store.Exchange(ctx, f, "a", "b") },
		func() error { return store.LinkAll(ctx, f, "a", "b", []string{"x"}) },
		func() error { return store.DeleteTree(ctx, f, "a") },
	} {
		if err := op(); !errors.Is(err, storetest.ErrStopped) {
			t.Error(err)
		}
	}
	for _, err := range f.List(ctx, "") {
		if !errors.Is(err, storetest.ErrStopped) {
			t.Errorf("list: %v", err)
		}
	}
}

func TestFailAt(t *testing.T) {
	f := storetest.NewFaults(store.NewMemory())
	for n := 1; n <= 3; n++ {
		f.FailAt(n, syscall.EIO)
		if err := store.WriteFile(ctx, f, "a", []byte("data")); !errors.Is(err, syscall.EIO) {
			t.Errorf("operation %d: %v", n, err)
		}
		storetest.WantNames(t, f, "")
	}
	storetest.Put(t, f, "a", "data")
	if f.Ops() != 1+2+3+3 {
		t.Errorf("%d operations", f.Ops())
	}
}

// A write that failed must not be committed, even if the writer's user
// overlooked the error.
func TestFullAfter(t *testing.T) {
	f := storetest.NewFaults(store.NewMemory())
	f.FullAfter(10)
	storetest.Put(t, f, "a", "12345678")
	w := storetest.Create(t, f, "b")
	if n, err := w.Write([]byte("1234")); n != 2 || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("write: %d, %v", n, err)
	}
	if err := w.Commit(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("commit: %v", err)
	}
	if _, err := f.Open(ctx, "b"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("open: %v", err)
	}
}

func TestWithout(t *testing.T) {
	inner, err := store.OpenLocal(t.TempDir())
	require.NoError(t, err)
	f := storetest.NewFaults(inner)
	if !store.HasDirs(f) || store.HasDirs(storetest.NewFaults(store.NewMemory())) {
		t.Error("HasDirs differs from the bucket inside")
	}
	storetest.Put(t, f, "a/x", strings.Repeat("x", 10))
	storetest.Put(t, f, "b/x", "y")
	f.Without("exchange")
	f.Without("link")
	exchange := func() error { return store.Exchange(ctx, f, "a", "b") }
	link := func() error { return store.LinkAll(ctx, f, "a", "b", []string{"x"}) }
	rename := func() error { return store.Rename(ctx, f, "a", "c") }
	for op, do := range map[string]func() error{"exchange": exchange, "link": link} {
		if err := do(); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s: %v", op, err)
		}
	}
	f.Without("rename")
	if store.HasDirs(f) {
		t.Error("HasDirs although that was taken away")
	}
	for op, do := range map[string]func() error{"exchange": exchange, "link": link, "rename": rename} {
		if err := do(); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s, without directories: %v", op, err)
		}
	}
	storetest.WantNames(t, f, "", "a/x", "b/x")
}
