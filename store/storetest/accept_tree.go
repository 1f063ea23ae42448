package storetest

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"testing"

	"github.com/pingmill/pingmill/store"
)

func testCopy(t *testing.T, b store.Bucket) {
	Put(t, b, "a/x", "one")
	Put(t, b, "b/y", "two")
	check(t, store.Copy(ctx, b, "a/x", "c/d/x"))
	check(t, store.Copy(ctx, b, "a/x", "b/y"))
	Put(t, b, "a/x", "three")
	if one, two := get(t, b, "c/d/x"), get(t, b, "b/y"); one != "one" || two != "one" {
		t.Errorf("got %q and %q", one, two)
	}
	if err := store.Copy(ctx, b, "a/missing", "z"); err == nil {
		t.Error("copied a missing object")
	}
	if err := store.Copy(ctx, b, "a", "z"); err == nil {
		t.Error("copied a directory")
	}
	WantNames(t, b, "", "a/x", "b/y", "c/d/x")
}

func testLinkAll(t *testing.T, b store.Bucket) {
	Put(t, b, "a/x", "one")
	Put(t, b, "a/d/e/y", "two")
	Put(t, b, "c/d/e/y", "replaced")
	err := store.LinkAll(ctx, b, "a", "c", []string{"x", "d/e/y"})
	if errors.Is(err, errors.ErrUnsupported) {
		WantNames(t, b, "", "a/d/e/y", "a/x", "c/d/e/y")
		return
	}
	check(t, err)
	check(t, store.LinkAll(ctx, b, "a", "c", []string{"d/e/y"})) // they are one file by now
	Put(t, b, "a/x", "three")
	if x, y := get(t, b, "c/x"), get(t, b, "c/d/e/y"); x != "one" || y != "two" {
		t.Errorf("got %q and %q", x, y)
	}
	for _, bad := range [][3]string{{"a", "missing", "x"}, {"a", "c", "missing"}, {"a", "c", "../x"}, {"missing", "c", "x"}} {
		err := store.LinkAll(ctx, b, bad[0], bad[1], []string{bad[2]})
		if err == nil || bad[1] == "missing" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("link %q: %v", bad, err)
		}
	}
	WantNames(t, b, "", "a/d/e/y", "a/x", "c/d/e/y", "c/x")
}

func testCreateIn(t *testing.T, b store.Bucket) {
	check(t, store.MakeDir(ctx, b, "a/b"))
	check(t, store.MakeDir(ctx, b, "a/b"))
	check(t, store.WriteFileIn(ctx, b, "a/b", "x", []byte("one")))
	check(t, store.WriteFileIn(ctx, b, "a/b", "c/d/y", []byte("two")))
	check(t, store.CopyIn(ctx, b, "a/b/x", "a/b", "e/z"))
	WantNames(t, b, "", "a/b/c/d/y", "a/b/e/z", "a/b/x")
	for _, bad := range []string{"../x", "/x", ""} {
		if err := store.WriteFileIn(ctx, b, "a/b", bad, nil); err == nil {
			t.Errorf("created %q", bad)
		}
	}
	if !store.HasDirs(b) { // it has no directories
		return
	}
	late, err := store.CreateIn(ctx, b, "a/b", "c/late")
	check(t, err)
	makeBesideDeletes(t, b)
	check(t, store.DeleteTree(ctx, b, "a/b"))
	if err := late.Commit(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("commit to a directory that is gone: %v", err)
	}
	if err := store.WriteFileIn(ctx, b, "a/b", "c/x", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("create in a directory that is gone: %v", err)
	}
	WantNames(t, b, "")
}

// makeBesideDeletes makes directories while others go, and with them the parents
// that are empty then.
func makeBesideDeletes(t *testing.T, b store.Bucket) {
	t.Helper()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 50 {
				dir := fmt.Sprintf("p/q/r/%d", i)
				check(t, store.MakeDir(ctx, b, dir))
				check(t, store.WriteFileIn(ctx, b, dir, "x", nil))
				check(t, store.DeleteTree(ctx, b, dir))
			}
		})
	}
	wg.Wait()
}

func testDeleteTree(t *testing.T, b store.Bucket) {
	for _, name := range []string{"a", "d/e/x", "d/e/f/y", "d/e2/z", "d/g"} {
		Put(t, b, name, "")
	}
	abandoned := Create(t, b, "d/e/unfinished")
	check(t, store.DeleteTree(ctx, b, "d/e"))
	check(t, store.DeleteTree(ctx, b, "d/e"))
	check(t, store.DeleteTree(ctx, b, "a")) // an object, not a directory
	check(t, abandoned.Abort())
	WantNames(t, b, "", "a", "d/e2/z", "d/g")
	if err := store.DeleteTree(ctx, b, "d/../a"); err == nil {
		t.Error("no error for a bad name")
	}
}

func testRename(t *testing.T, b store.Bucket) {
	Put(t, b, "a/x", "x")
	Put(t, b, "a/d/y", "y")
	Put(t, b, "b/z", "z")
	if err := store.Rename(ctx, b, "a/x", "b/z"); errors.Is(err, errors.ErrUnsupported) {
		WantNames(t, b, "", "a/d/y", "a/x", "b/z")
		return
	} else if err != nil {
		t.Fatal(err)
	}
	if got := get(t, b, "b/z"); got != "x" {
		t.Errorf("b/z is %q", got)
	}
	check(t, store.Rename(ctx, b, "a/d", "c/e/f"))
	WantNames(t, b, "", "b/z", "c/e/f/y")
	for _, bad := range [][2]string{{"missing", "m"}, {"b/z", "../z"}, {"/b", "n"}} {
		if err := store.Rename(ctx, b, bad[0], bad[1]); err == nil {
			t.Errorf("rename %q: no error", bad)
		}
	}
	WantNames(t, b, "", "b/z", "c/e/f/y")
}

func testExchange(t *testing.T, b store.Bucket) {
	Put(t, b, "a/x", "1")
	Put(t, b, "a/d/y", "2")
	Put(t, b, "b/c/z", "3")
	err := store.Exchange(ctx, b, "a", "b/c")
	if errors.Is(err, errors.ErrUnsupported) {
		WantNames(t, b, "", "a/d/y", "a/x", "b/c/z")
		return
	}
	check(t, err)
	WantNames(t, b, "", "a/z", "b/c/d/y", "b/c/x")
	for _, bad := range [][2]string{{"a", "missing"}, {"a", ".."}, {"", "a"}} {
		if err := store.Exchange(ctx, b, bad[0], bad[1]); err == nil {
			t.Errorf("exchange %q: no error", bad)
		}
	}
}

func testIdentity(t *testing.T, b store.Bucket) {
	Put(t, b, "a/x", "one")
	one, err := b.Identify(ctx, "a/x")
	if errors.Is(err, errors.ErrUnsupported) {
		return
	}
	check(t, err)
	Put(t, b, "a/x", "two")
	two, err := b.Identify(ctx, "a/x")
	check(t, err)
	if one.Size != 3 || two.Size != 3 || one.Content == two.Content || one.State == two.State {
		t.Errorf("an object and its replacement are %+v and %+v", one, two)
	}
	for _, name := range []string{"a", "a/y", "a/x/y"} {
		if _, err := b.Identify(ctx, name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("identify %s: %v", name, err)
		}
	}
}
