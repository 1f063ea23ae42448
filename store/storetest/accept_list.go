package storetest

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/pingmill/pingmill/store"
)

// listed is in byte order, which is not the order of a walk by file name:
// '-' and '.' sort before '/', '0' after it.
var listed = []string{
	"a-b/x", "a.b", "a/b-c", "a/b/1", "a/b/2/x", "a/b0", "a/c", "a0",
	"b=20171001/_manifest.json", "b=20171001/sample_id=10/part", "b=20171001/sample_id=9/part", "é",
}

func fill(t *testing.T, b store.Bucket) {
	for i := range listed { // not in the order of the names
		name := listed[(i*7+3)%len(listed)]
		Put(t, b, name, name)
	}
}

func testList(t *testing.T, b store.Bucket) {
	WantNames(t, b, "")
	fill(t, b)
	for _, prefix := range []string{"", "a", "a/", "a/b", "a/b/", "a/b/2/x", "b=2", "b=20171001/sample_id=1", "c", "a/b/9/", "é"} {
		var want []string
		for _, name := range listed {
			if strings.HasPrefix(name, prefix) {
				want = append(want, name)
			}
		}
		WantNames(t, b, prefix, want...)
	}
	for e, err := range b.List(ctx, "") {
		check(t, err)
		if e.Size != int64(len(e.Name)) {
			t.Errorf("%s: size %d", e.Name, e.Size)
		}
	}
}

func testListStops(t *testing.T, b store.Bucket) {
	fill(t, b)
	for stop := range listed {
		var got []string
		for e := range b.List(ctx, "") {
			got = append(got, e.Name)
			if len(got) > stop {
				break
			}
		}
		if !slices.Equal(got, listed[:stop+1]) {
			t.Errorf("stopped after %d: %q", stop+1, got)
		}
	}
}

func testChildren(t *testing.T, b store.Bucket) {
	fill(t, b)
	for dir, want := range map[string][]string{
		"":    {"a-b/", "a.b", "a/", "a0", "b=20171001/", "é"},
		"a":   {"a/b-c", "a/b/", "a/b0", "a/c"},
		"a/b": {"a/b/1", "a/b/2/"},
		"x":   nil, "a0": nil, "a/b/1": nil,
	} {
		var got []string
		for e, err := range store.Children(ctx, b, dir) {
			check(t, err)
			got = append(got, e.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("children of %q: got %q, want %q", dir, got, want)
		}
	}
}

func testNames(t *testing.T, b store.Bucket) {
	long := strings.Repeat("n", 200)
	deep := strings.Repeat("d/", 511) + "ab"
	for _, name := range []string{"a", "ä b+c=d,e:f%25", "_a/_b", "a..b", "0", long, deep} {
		Put(t, b, name, name)
		if got := get(t, b, name); got != name {
			t.Errorf("%.20q: got %.20q", name, got)
		}
		check(t, b.Delete(ctx, name))
	}
	for _, name := range []string{"", "/", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/./b", ".a", "a/.b",
		"a\\b", "a\x00b", "a\nb", "a\xffb", long + "n", deep + "c"} {
		testBadName(t, b, name)
	}
}

func testBadName(t *testing.T, b store.Bucket, name string) {
	if _, err := b.Create(ctx, name); err == nil {
		t.Errorf("create %.20q: no error", name)
	}
	if _, err := b.Open(ctx, name); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("open %.20q: %v", name, err)
	}
	if err := b.Delete(ctx, name); err == nil {
		t.Errorf("delete %.20q: no error", name)
	}
	if name == "" || name == "a/" { // good prefixes
		return
	}
	failed := false
	for _, err := range b.List(ctx, name) {
		failed = err != nil
	}
	if !failed {
		t.Errorf("list %.20q: no error", name)
	}
}
