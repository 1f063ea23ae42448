package storetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pingmill/pingmill/store"
)

// Accept is the acceptance test that every Bucket passes; open returns a new empty one at every call.
func Accept(t *testing.T, open func(t *testing.T) store.Bucket) {
	tests := []struct {
		name string
		run  func(*testing.T, store.Bucket)
	}{
		{"commit makes visible", testCommit},
		{"uncommitted is invisible", testUncommitted},
		{"writer states", testWriterStates},
		{"replace", testReplace},
		{"large objects", testLarge},
		{"reader", testReader},
		{"missing", testMissing},
		{"delete", testDelete},
		{"list", testList},
		{"list stops", testListStops},
		{"children", testChildren},
		{"names", testNames},
		{"object and directory of one name", testClash},
		{"ended context", testContext},
		{"last commit wins", testLastCommit},
		{"concurrent use", testConcurrent},
		{"copy", testCopy},
		{"link all", testLinkAll},
		{"create in", testCreateIn},
		{"delete tree", testDeleteTree},
		{"rename", testRename},
		{"exchange", testExchange},
		{"compare and swap", testCompareAndSwap},
		{"identity", testIdentity},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
	}
}

func testReader(t *testing.T, b store.Bucket) {
	Put(t, b, "a", "0123456789")
	r := open(t, b, "a")
	if r.Size() != 10 {
		t.Errorf("size %d", r.Size())
	}
	buf := make([]byte, 4)
	if n, err := r.ReadAt(buf, 3); n != 4 || err != nil || string(buf) != "3456" {
		t.Errorf("ReadAt: %d, %v, %q", n, err, buf)
	}
	if n, err := r.ReadAt(buf, 8); n != 2 || err != io.EOF {
		t.Errorf("ReadAt over the end: %d, %v", n, err)
	}
	if pos, err := r.Seek(-3, io.SeekEnd); pos != 7 || err != nil {
		t.Errorf("Seek: %d, %v", pos, err)
	}
	if rest := readAll(t, r); rest != "789" {
		t.Errorf("after Seek: %q", rest)
	}
	check(t, r.Close())
}

func testMissing(t *testing.T, b store.Bucket) {
	Put(t, b, "a/b", "")
	for _, name := range []string{"x", "a/x", "a", "a/b/c", "x/y/z"} {
		if _, err := b.Open(ctx, name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("open %s: %v", name, err)
		}
		if err := b.Delete(ctx, name); err != nil {
			t.Errorf("delete %s: %v", name, err)
		}
	}
	WantNames(t, b, "", "a/b")
	WantNames(t, b, "nothing/here/")
	WantNames(t, b, "a/b/")
}

func testDelete(t *testing.T, b store.Bucket) {
	Put(t, b, "a/b/c", "kept for readers")
	Put(t, b, "a/d", "")
	r := open(t, b, "a/b/c")
	defer r.Close()
	check(t, b.Delete(ctx, "a/b/c"))
	check(t, b.Delete(ctx, "a/b/c"))
	WantNames(t, b, "", "a/d")
	if got := readAll(t, r); got != "kept for readers" {
		t.Errorf("the open reader sees %q", got)
	}
	Put(t, b, "a/b", "a directory before")
	WantNames(t, b, "", "a/b", "a/d")
}

// No object has the name of a directory; but object storage has no directories, and may not mind.
func testClash(t *testing.T, b store.Bucket) {
	Put(t, b, "a/b", "")
	want := []string{"a/b"}
	for _, name := range []string{"a", "a/b/c"} {
		w, err := b.Create(ctx, name)
		if err == nil {
			err = w.Commit()
		}
		if err == nil {
			want = append(want, name)
		}
	}
	if store.HasDirs(b) && len(want) > 1 {
		t.Errorf("%q could be made beside a/b", want[1:])
	}
	slices.Sort(want)
	WantNames(t, b, "", want...)
}

func testContext(t *testing.T, b store.Bucket) {
	Put(t, b, "a", "old")
	ended, cancel := context.WithCancel(ctx)
	w, err := b.Create(ended, "a")
	check(t, err)
	write(t, w, "new")
	cancel()
	if err := w.Commit(); !errors.Is(err, context.Canceled) {
		t.Errorf("commit: %v", err)
	}
	if _, err := b.Create(ended, "b"); !errors.Is(err, context.Canceled) {
		t.Errorf("create: %v", err)
	}
	if _, err := b.Open(ended, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("open: %v", err)
	}
	if err := b.Delete(ended, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("delete: %v", err)
	}
	for _, err := range b.List(ended, "") {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("list: %v", err)
		}
	}
	if got := get(t, b, "a"); got != "old" {
		t.Errorf("got %q", got)
	}
}

func testLastCommit(t *testing.T, b store.Bucket) {
	one, two := Create(t, b, "a"), Create(t, b, "a")
	write(t, one, "one")
	write(t, two, "two")
	check(t, two.Commit())
	check(t, one.Commit())
	if got := get(t, b, "a"); got != "one" {
		t.Errorf("got %q", got)
	}
	WantNames(t, b, "", "a")
}

// testConcurrent has writers replace, delete and list while readers check that
// what they read is whole.
func testConcurrent(t *testing.T, b store.Bucket) {
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for i := range 20 {
				name := fmt.Sprintf("d%d/e/object", (worker+i)%3)
				letter := string(rune('a' + worker))
				Put(t, b, name, strings.Repeat(letter, 5000))
				checkUniform(t, b, name)
				if i%5 == worker%5 {
					check(t, b.Delete(ctx, name))
				}
				for _, err := range b.List(ctx, "d") {
					check(t, err)
				}
			}
		})
	}
	group.Wait()
	names := []string{"d0/e/object", "d1/e/object", "d2/e/object"}
	for _, name := range names {
		Put(t, b, name, "end")
	}
	WantNames(t, b, "", names...)
}

func checkUniform(t *testing.T, b store.Bucket, name string) {
	data, err := store.ReadFile(ctx, b, name)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil || len(data) != 5000 || strings.Trim(string(data), string(data[:1])) != "" {
		t.Errorf("read %s: %d bytes, %v", name, len(data), err)
	}
}
