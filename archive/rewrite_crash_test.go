package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// rewriteCase is an archive of two loads and what is removed from it.
type rewriteCase struct {
	part partition
	o    RewriteOptions
	all  []sample
}

func rewriteCases() map[string]rewriteCase {
	r := rand.New(rand.NewPCG(53, 53))
	all := randomSamples(r, 120, 10_000)
	clients(r, all, 5)
	some := forget("client-1")
	some.BufferBytes = 200 << 10
	every := RewriteOptions{Load: RewriteName("20180601", "main", "d1"), Owner: "replay", Drop: func(*ping.Meta) bool { return true }}
	rejected := RewriteOptions{Load: RewriteErrorsName("20180601", "d1"), Owner: "replay",
		DropRejected: func(r *Rejected) bool { return r.Message == "y2" }}
	return map[string]rewriteCase{
		"some": {mainDay, some, all}, "all": {mainDay, every, all},
		"rejected": {partition{day: "20180601", kind: rowfile.Rejected}, rejected, nil},
	}
}

func (c *rewriteCase) fill(t *testing.T, b store.Bucket) {
	t.Helper()
	load(t, b, "load-1", Options{BufferBytes: 400 << 10}, c.all)
	load(t, b, "load-2", Options{}, c.all)
	rejectLoad(t, b, "x")
	rejectLoad(t, b, "y")
}

func (c *rewriteCase) rewrite(b store.Bucket) (Rewritten, error) {
	if c.part.kind == rowfile.Rejected {
		return RewriteErrors(ctx, b, c.part.day, c.o)
	}
	return RewriteDay(ctx, b, c.part.day, c.part.docType, c.o)
}

// TestRewriteCrash kills a rewriting at every operation. Readers find the state
// before or the one after; calling it again ends as if nothing had happened.
func TestRewriteCrash(t *testing.T) {
	for name, c := range rewriteCases() {
		t.Run(name, func(t *testing.T) {
			reference := store.NewMemory()
			c.fill(t, reference)
			before := rowsOf(t, reference, c.part, nil)
			want, err := c.rewrite(reference)
			if err != nil || want.Rows == 0 {
				t.Fatalf("%+v, %v", want, err)
			}
			after, end := rowsOf(t, reference, c.part, nil), contents(t, reference)
			check := func(t *testing.T, without string) {
				seen := map[bool]bool{}
				for n := 0; ; n++ {
					b := crashBucket(t)
					c.fill(t, b)
					f := storetest.NewFaults(b)
					f.Without(without)
					f.StopAfter(n)
					got, err := c.rewrite(f)
					rows := rowsOf(t, b, c.part, nil)
					done := slices.Equal(rows, after)
					if !done && !slices.Equal(rows, before) {
						t.Fatalf("stopped after %d operations: %d rows", n, len(rows))
					}
					seen[done] = true
					if err == nil && (!done || got != want) {
						t.Fatalf("stopped after %d operations: %+v without an error", n, got)
					}
					if err == nil && !f.Stopped() {
						break
					}
					if got, err := c.rewrite(b); err != nil || got != want {
						t.Fatalf("stopped after %d operations, then: %+v, %v", n, got, err)
					}
					if got := contents(t, b); !slices.Equal(got, end) {
						t.Fatalf("stopped after %d operations, then:\n%s\ninstead of\n%s", n, strings.Join(got, "\n"), strings.Join(end, "\n"))
					}
				}
				if len(seen) != 2 {
					t.Errorf("seen: %v", seen)
				}
			}
			t.Run("copying memory", func(t *testing.T) { check(t, "rename") })
			t.Run("memory", func(t *testing.T) { check(t, "") })
			if name == "some" {
				t.Run("local", func(t *testing.T) { check(t, "") })
			}
		})
	}
}

// TestRewriteFailures lets single operations of a rewriting fail. One that ends
// without an error has deleted what it has replaced.
func TestRewriteFailures(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range rewriteCases() {
		t.Run(name, func(t *testing.T) {
			reference := store.NewMemory()
			c.fill(t, reference)
			want, err := c.rewrite(reference)
			require.NoError(t, err)
			end := contents(t, reference)
			for n := 1; ; n++ {
				b := store.NewMemory()
				c.fill(t, b)
				f := storetest.NewFaults(b)
				f.FailAt(n, broken)
				got, err := c.rewrite(f)
				if err == nil && got != want || err != nil && (!errors.Is(err, broken) || got != Rewritten{}) {
					t.Fatalf("operation %d failed: %+v, %v", n, got, err)
				}
				if l, ok, lerr := Loaded(ctx, b, c.o.Load); err == nil && (!ok || lerr != nil || there(t, b, l.Replaces)) {
					t.Fatalf("operation %d failed: the replaced files are there", n)
				}
				if got, err := c.rewrite(b); err != nil || got != want {
					t.Fatalf("operation %d failed, then: %+v, %v", n, got, err)
				}
				if got := contents(t, b); !slices.Equal(got, end) {
					t.Fatalf("operation %d failed, then %s", n, got)
				}
				if f.Ops() < n {
					break
				}
			}
		})
	}
}

// there reports whether any of the objects exists.
func there(t *testing.T, b store.Bucket, names []string) bool {
	t.Helper()
	for _, name := range names {
		if _, err := sizeOf(ctx, b, name); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// TestRewriteLoadBetween lets another load come between a killed rewriting and
// the next call: it is in both generations.
func TestRewriteLoadBetween(t *testing.T) {
	c := rewriteCases()["some"]
	for n := 0; ; n++ {
		b := store.NewMemory()
		c.fill(t, b)
		f := storetest.NewFaults(b)
		f.StopAfter(n)
		if _, err := c.rewrite(f); err == nil {
			break
		}
		load(t, b, "load-3", Options{}, c.all[:1])
		load(t, b, "load-4", Options{}, c.all)
		full := store.NewMemory()
		c.fill(t, full)
		load(t, full, "load-3", Options{}, c.all[:1])
		load(t, full, "load-4", Options{}, c.all)
		got, err := c.rewrite(b)
		if err != nil || got.Before != generationIn(t, full, c.part) || got.After != generationIn(t, b, c.part) || got.Before == got.After {
			t.Fatalf("stopped after %d operations: %+v, %v", n, got, err)
		}
	}
}

// TestRewriteOvertaken lets another owner replace the same files meanwhile. The
// call fails, and the next one does its work.
func TestRewriteOvertaken(t *testing.T) {
	c := rewriteCases()["rejected"]
	total := 4
	for n := range 2 * total {
		b := store.NewMemory()
		c.fill(t, b)
		o, calls := c.o, 0
		o.DropRejected = func(r *Rejected) bool {
			if calls++; calls == n {
				assert.NoError(t, replaceDay(b, "other", "re-0"))
			}
			return r.Message == "y2"
		}
		_, err := RewriteErrors(ctx, b, c.part.day, o)
		if n > 0 && n <= calls && !errors.Is(err, ErrReplaced) && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("overtaken at row %d: %v", n, err)
		}
		if _, err := c.rewrite(b); err != nil {
			t.Errorf("overtaken at row %d, then: %v", n, err)
		}
		for _, r := range rejectedOf(t, b, c.part.day) {
			if r.Message == "y2" {
				t.Errorf("overtaken at row %d: it is still there", n)
			}
		}
		if c := fmt.Sprint(contents(t, b)); strings.Contains(c, naming.Staging) {
			t.Errorf("overtaken at row %d: left is %s", n, c)
		}
	}
}

func TestRewriteRefuses(t *testing.T) {
	b := store.NewMemory()
	c := rewriteCases()["some"]
	c.fill(t, b)
	if _, err := c.rewrite(b); err != nil {
		t.Fatal(err)
	}
	all := RewriteOptions{Load: "re-all", Drop: func(*ping.Meta) bool { return true }}
	if _, err := RewriteDay(ctx, b, "20180602", "main", all); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, copyFile(b, "re-copy", 0))
	for _, k := range []struct {
		day  ping.Day
		load string
		want string
	}{
		{"tomorrow", "re-1", "not a day"},
		{"20180601", "", "bad load name"},
		{"20180601", "re-/", "bad load name"},
		{"20180601", "d1", `needs one that begins with "re-"`},
		{"20180602", "re-d1", "load re-d1 is of another partition: that of pings/"},
		{"20180601", "re-all", "load re-all is of another partition: that of pings/"},
		{"20180601", "re-copy", "is there, and no rewriting"},
		{"20180601", RewriteName("20180602", "main", "d1"), "is for files of pings/v1/submission_date_obj=20180602/"},
		{"20180601", RewriteErrorsName("20180601", "d1"), "is for files of errors/v1/submission_date_obj=20180601/"},
	} {
		before := contents(t, b)
		o := RewriteOptions{Load: k.load, Drop: func(*ping.Meta) bool { return true }}
		if got, err := RewriteDay(ctx, b, k.day, "main", o); err == nil || !strings.Contains(err.Error(), k.want) || got != (Rewritten{}) {
			t.Errorf("pings of %s, load %s: %+v, %v", k.day, k.load, got, err)
		}
		o.Load, o.DropRejected = strings.Replace(k.load, "errors", "pings", 1), func(*Rejected) bool { return true }
		if _, err := RewriteErrors(ctx, b, k.day, o); err == nil {
			t.Errorf("rejected submissions of %s, load %s: no error", k.day, k.load)
		}
		if after := contents(t, b); !slices.Equal(before, after) {
			t.Errorf("%s, load %s: the archive changed", k.day, k.load)
		}
	}
}
