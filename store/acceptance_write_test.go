package store_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/pingmill/pingmill/store"
)

func testCommit(t *testing.T, b store.Bucket) {
	for _, size := range []int{0, 1, 100_000} {
		name := fmt.Sprintf("a/b/size-%d", size)
		put(t, b, name, strings.Repeat("x", size))
		if got := get(t, b, name); len(got) != size {
			t.Errorf("%s: read %d bytes", name, len(got))
		}
	}
	w := create(t, b, "parts")
	for _, part := range []string{"one ", "", "two"} {
		if n, err := io.WriteString(w, part); n != len(part) || err != nil {
			t.Fatalf("write %q: %d, %v", part, n, err)
		}
	}
	check(t, w.Commit())
	if got := get(t, b, "parts"); got != "one two" {
		t.Errorf("got %q", got)
	}
}

func testUncommitted(t *testing.T, b store.Bucket) {
	unfinished := create(t, b, "d/unfinished")
	defer unfinished.Abort()
	write(t, unfinished, "half")
	aborted := create(t, b, "d/aborted")
	write(t, aborted, "half")
	check(t, aborted.Abort())
	wantNames(t, b, "")
	for _, name := range []string{"d/unfinished", "d/aborted"} {
		if _, err := b.Open(ctx, name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("open %s: %v", name, err)
		}
	}
}

func testWriterStates(t *testing.T, b store.Bucket) {
	w := create(t, b, "a")
	write(t, w, "kept")
	check(t, w.Commit())
	check(t, w.Abort())
	if got := get(t, b, "a"); got != "kept" {
		t.Errorf("after Abort: %q", got)
	}
	if err := w.Commit(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("second Commit: %v", err)
	}
	if _, err := w.Write([]byte("more")); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Write after Commit: %v", err)
	}
	w = create(t, b, "b")
	check(t, w.Abort())
	check(t, w.Abort())
	if err := w.Commit(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Commit after Abort: %v", err)
	}
	wantNames(t, b, "", "a")
}

func testReplace(t *testing.T, b store.Bucket) {
	put(t, b, "a/x", "first")
	r := open(t, b, "a/x")
	defer r.Close()
	w := create(t, b, "a/x")
	write(t, w, "second, longer")
	if got := get(t, b, "a/x"); got != "first" {
		t.Errorf("before Commit: %q", got)
	}
	check(t, w.Commit())
	if got := get(t, b, "a/x"); got != "second, longer" {
		t.Errorf("after Commit: %q", got)
	}
	if got := readAll(t, r); got != "first" {
		t.Errorf("the open reader sees %q", got)
	}
}
