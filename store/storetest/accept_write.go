package storetest

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
		Put(t, b, name, strings.Repeat("x", size))
		if got := get(t, b, name); len(got) != size {
			t.Errorf("%s: read %d bytes", name, len(got))
		}
	}
	w := Create(t, b, "parts")
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
	unfinished := Create(t, b, "d/unfinished")
	defer unfinished.Abort()
	write(t, unfinished, "half")
	aborted := Create(t, b, "d/aborted")
	write(t, aborted, "half")
	check(t, aborted.Abort())
	WantNames(t, b, "")
	for _, name := range []string{"d/unfinished", "d/aborted"} {
		if _, err := b.Open(ctx, name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("open %s: %v", name, err)
		}
	}
}

func testWriterStates(t *testing.T, b store.Bucket) {
	w := Create(t, b, "a")
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
	w = Create(t, b, "b")
	check(t, w.Abort())
	check(t, w.Abort())
	if err := w.Commit(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Commit after Abort: %v", err)
	}
	WantNames(t, b, "", "a")
}

func testReplace(t *testing.T, b store.Bucket) {
	Put(t, b, "a/x", "first")
	r := open(t, b, "a/x")
	defer r.Close()
	w := Create(t, b, "a/x")
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

// testLarge has an object that object storage takes in parts.
func testLarge(t *testing.T, b store.Bucket) {
	const size = 10 << 20
	line := strings.Repeat("0123456789abcde\n", 1<<12) // 64 KiB
	fill := func(w io.Writer, size int) {
		for n := 0; n < size; n += len(line) {
			write(t, w, line)
		}
	}
	aborted := Create(t, b, "a/aborted")
	fill(aborted, size)
	check(t, aborted.Abort())
	WantNames(t, b, "")
	w := Create(t, b, "a/large")
	fill(w, size)
	check(t, w.Commit())
	r := open(t, b, "a/large")
	defer r.Close()
	if r.Size() != size {
		t.Fatalf("it has %d bytes", r.Size())
	}
	for _, at := range []int{0, 1, size / 2, size - len(line)} {
		got := make([]byte, len(line))
		if _, err := r.ReadAt(got, int64(at)); err != nil || string(got[16-at%16:][:16]) != line[:16] {
			t.Errorf("at %d: %v", at, err)
		}
	}
	if all := readAll(t, r); len(all) != size || all[size-len(line):] != line || all[:len(line)] != line {
		t.Errorf("read %d bytes", len(all))
	}
	replaceLarge(t, b, r, line)
}

// replaceLarge checks that a reader sees the content at its opening, or an error about its removal.
func replaceLarge(t *testing.T, b store.Bucket, r store.Reader, line string) {
	t.Helper()
	Put(t, b, "a/large", strings.Repeat(strings.ToUpper(line), 160))
	got := make([]byte, len(line))
	_, err := r.ReadAt(got, 3<<20)
	if err == nil && string(got) != line || err != nil && !errors.Is(err, store.ErrChanged) {
		t.Errorf("replaced under a reader: %v, %q", err, got[:16])
	}
	check(t, b.Delete(ctx, "a/large"))
	_, err = r.ReadAt(got, 5<<20)
	if err == nil && string(got) != line || err != nil && !errors.Is(err, store.ErrChanged) {
		t.Errorf("deleted under a reader: %v, %q", err, got[:16])
	}
}
