package storetest

import (
	"errors"
	"testing"

	"github.com/pingmill/pingmill/store"
)

func testLink(t *testing.T, b store.Bucket) {
	put(t, b, "a/x", "one")
	put(t, b, "b/y", "two")
	check(t, store.Link(ctx, b, "a/x", "c/d/x"))
	check(t, store.Link(ctx, b, "a/x", "b/y"))
	check(t, store.Link(ctx, b, "a/x", "b/y")) // they are one file by now
	put(t, b, "a/x", "three")
	if one, two := get(t, b, "c/d/x"), get(t, b, "b/y"); one != "one" || two != "one" {
		t.Errorf("got %q and %q", one, two)
	}
	if err := store.Link(ctx, b, "a/missing", "z"); err == nil {
		t.Error("linked a missing object")
	}
	if err := store.Link(ctx, b, "a", "z"); err == nil {
		t.Error("linked a directory")
	}
	wantNames(t, b, "", "a/x", "b/y", "c/d/x")
}

func testDeleteTree(t *testing.T, b store.Bucket) {
	for _, name := range []string{"a", "d/e/x", "d/e/f/y", "d/e2/z", "d/g"} {
		put(t, b, name, "")
	}
	abandoned := create(t, b, "d/e/unfinished")
	check(t, store.DeleteTree(ctx, b, "d/e"))
	check(t, store.DeleteTree(ctx, b, "d/e"))
	check(t, store.DeleteTree(ctx, b, "a")) // an object, not a directory
	check(t, abandoned.Abort())
	wantNames(t, b, "", "a", "d/e2/z", "d/g")
	if err := store.DeleteTree(ctx, b, "d/../a"); err == nil {
		t.Error("no error for a bad name")
	}
}

func testRename(t *testing.T, b store.Bucket) {
	put(t, b, "a/x", "x")
	put(t, b, "a/d/y", "y")
	put(t, b, "b/z", "z")
	if err := store.Rename(ctx, b, "a/x", "b/z"); errors.Is(err, errors.ErrUnsupported) {
		wantNames(t, b, "", "a/d/y", "a/x", "b/z")
		return
	} else if err != nil {
		t.Fatal(err)
	}
	if got := get(t, b, "b/z"); got != "x" {
		t.Errorf("b/z is %q", got)
	}
	check(t, store.Rename(ctx, b, "a/d", "c/e/f"))
	wantNames(t, b, "", "b/z", "c/e/f/y")
	for _, bad := range [][2]string{{"missing", "m"}, {"b/z", "../z"}, {"/b", "n"}} {
		if err := store.Rename(ctx, b, bad[0], bad[1]); err == nil {
			t.Errorf("rename %q: no error", bad)
		}
	}
	wantNames(t, b, "", "b/z", "c/e/f/y")
}

func testExchange(t *testing.T, b store.Bucket) {
	put(t, b, "a/x", "1")
	put(t, b, "a/d/y", "2")
	put(t, b, "b/c/z", "3")
	err := store.Exchange(ctx, b, "a", "b/c")
	if errors.Is(err, errors.ErrUnsupported) {
		wantNames(t, b, "", "a/d/y", "a/x", "b/c/z")
		return
	}
	check(t, err)
	wantNames(t, b, "", "a/z", "b/c/d/y", "b/c/x")
	for _, bad := range [][2]string{{"a", "missing"}, {"a", ".."}, {"", "a"}} {
		if err := store.Exchange(ctx, b, bad[0], bad[1]); err == nil {
			t.Errorf("exchange %q: no error", bad)
		}
	}
}
