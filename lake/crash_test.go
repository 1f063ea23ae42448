package lake

import (
	"errors"
	"io/fs"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

// story is a partition's history up to a run that crashes: what is published
// before it, the run, and what it leads to.
type story struct {
	name          string
	prepare, last func(b store.Bucket, t *schema.Table) error
	before, after []string
}

var stories = []story{
	{
		"first", func(store.Bucket, *schema.Table) error { return nil },
		func(b store.Bucket, t *schema.Table) error {
			return run(b, t, "bbbb", part0(0, 49), part0(50, 99))
		},
		nil, []string{"bbbb 0", "bbbb 50"},
	},
	{
		"replace", func(b store.Bucket, t *schema.Table) error {
			return run(b, t, "aaaa", part0(0, 49), part0(50, 99))
		},
		func(b store.Bucket, t *schema.Table) error { return run(b, t, "bbbb", part0(0, 99)) },
		[]string{"aaaa 0", "aaaa 50"}, []string{"bbbb 0"},
	},
	{
		"replace a part", func(b store.Bucket, t *schema.Table) error {
			return run(b, t, "aaaa", part0(0, 49), part0(50, 99))
		},
		func(b store.Bucket, t *schema.Table) error { return run(b, t, "bbbb", part0(0, 49)) },
		[]string{"aaaa 0", "aaaa 50"}, []string{"aaaa 50", "bbbb 0"},
	},
	{
		"replace by the same", func(b store.Bucket, t *schema.Table) error {
			return run(b, t, "bbbb", part0(0, 49), part0(50, 99))
		},
		func(b store.Bucket, t *schema.Table) error { return run(b, t, "bbbb", part0(0, 49), part0(50, 99)) },
		[]string{"bbbb 0", "bbbb 50"}, []string{"bbbb 0", "bbbb 50"},
	},
	{
		"expire", func(b store.Bucket, t *schema.Table) error {
			return run(b, t, "aaaa", part0(0, 49), part0(50, 99))
		},
		func(b store.Bucket, t *schema.Table) error { return opened(b, t).Expire(ctx, day) },
		[]string{"aaaa 0", "aaaa 50"}, nil,
	},
	{
		"rewrite", func(b store.Bucket, t *schema.Table) error { return putClients(b, t, "aaaa", clientFiles()) },
		func(b store.Bucket, t *schema.Table) error {
			_, err := opened(b, t).Rewrite(ctx, day, forget("bbbb", "b", "c"))
			return err
		},
		contentsOf(clientFiles()), without(),
	},
	{
		"compact", func(b store.Bucket, t *schema.Table) error { return putWithoutCompact(b, t, "aaaa", clientFiles()) },
		func(b store.Bucket, t *schema.Table) error { return opened(b, t).Compact(ctx, day) },
		contentsOf(clientFiles()), contentsOf(clientFiles()),
	},
	{
		"rewrite the manifest", func(b store.Bucket, t *schema.Table) error { return putClients(b, t, "aaaa", clientFiles()) },
		func(b store.Bucket, t *schema.Table) error {
			r := forget("bbbb", "nobody")
			r.Change = func(m *Manifest) bool {
				changed := m.Inputs[0].Generation != "i2"
				m.Inputs[0].Generation = "i2"
				return changed
			}
			_, err := opened(b, t).Rewrite(ctx, day, r)
			return err
		},
		contentsOf(clientFiles()), contentsOf(clientFiles()),
	},
}

// The process is killed after each of its operations in turn. Then readers see the partition before or after, whole,
// and so do they after Recover; then the same run, or another one, does its work as if nothing had happened, or Tidy
// leaves only the partition.
func TestCrashes(t *testing.T) {
	for _, back := range backends {
		for _, s := range stories {
			t.Run(back.name+" "+s.name, func(t *testing.T) {
				t.Parallel()
				for n := 0; ; n++ {
					b := faulty(back.open(t), back.without)
					check(t, s.prepare(b, sampled))
					b.StopAfter(n)
					err := s.last(b, sampled)
					if err != nil && !errors.Is(err, storetest.ErrStopped) {
						t.Fatalf("stopped after %d: %v", n, err)
					}
					stopped := b.Stopped()
					b.Revive()
					testAfterCrash(t, b, s, n, slices.Contains(back.without, "exchange"))
					if !stopped {
						if err != nil || n < 3 {
							t.Fatalf("not stopped after %d operations: %v", n, err)
						}
						return
					}
				}
			})
		}
	}
}

func testAfterCrash(t *testing.T, b store.Bucket, s story, n int, gap bool) {
	table := opened(b, sampled)
	seen := visible(t, b)
	// Without an exchange there may be a moment with nothing, until recovery.
	if !oneOf(seen, s) && !(gap && seen == nil) {
		t.Errorf("stopped after %d: readers see %q", n, seen)
	}
	check(t, table.Recover(ctx, day))
	if seen := visible(t, b); !oneOf(seen, s) {
		t.Errorf("stopped after %d: after recovery readers see %q", n, seen)
	}
	switch n % 3 {
	case 0:
		check(t, s.last(b, sampled))
		if s.after != nil {
			wantExactly(t, b, sampled, s.after...)
		}
	case 1:
		testTidy(t, b, n)
	case 2:
		check(t, run(b, sampled, "dddd", part0(0, 99)))
		wantExactly(t, b, sampled, "dddd 0")
	}
	if t.Failed() {
		t.FailNow()
	}
}

// testTidy leaves the partition as it is, and nothing beside it.
func testTidy(t *testing.T, b store.Bucket, n int) {
	table := opened(b, sampled)
	before := visible(t, b)
	check(t, table.Tidy(ctx, day))
	if left, err := table.Unfinished(ctx, day); left || err != nil {
		t.Errorf("stopped after %d: after tidying something is unfinished: %v", n, err)
	}
	if seen := visible(t, b); !slices.Equal(seen, before) {
		t.Errorf("stopped after %d: tidied from %q to %q", n, before, seen)
	}
	if before != nil {
		wantExactly(t, b, sampled, before...)
	}
	check(t, store.Tidy(ctx, b, "", time.Time{}))
	for e := range b.List(ctx, stagingRoot) {
		t.Errorf("stopped after %d: left over: %s", n, e.Name)
	}
}

func oneOf(seen []string, s story) bool {
	return slices.Equal(seen, s.before) || slices.Equal(seen, s.after)
}

// visible returns the partition's content for readers, or nil.
func visible(t *testing.T, b store.Bucket) []string {
	m, err := opened(b, sampled).Partition(ctx, day)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	require.NoError(t, err)
	all, err := opened(b, sampled).Partitions(ctx)
	if err != nil || len(all) != 1 || all[0].Generation != m.Generation {
		t.Errorf("partitions: %v, %v", all, err)
	}
	return contents(t, b, m, sampled)
}

// An operation that fails without killing the process leaves things as whole. So does one whose answer is lost: what
// was published is taken for published.
func TestFailures(t *testing.T) {
	for i := range 2 * len(backends) {
		back, lost, name := backends[i/2], i%2 == 1, ""
		if lost {
			if name = " lost"; store.HasDirs(back.open(t)) {
				continue // its answers come from a system call
			}
		}
		for _, s := range stories {
			t.Run(back.name+" "+s.name+name, func(t *testing.T) {
				t.Parallel()
				for n := 1; ; n++ {
					b := faulty(back.open(t), back.without)
					check(t, s.prepare(b, sampled))
					before := b.Ops()
					if b.FailAt(n, syscall.EIO); lost {
						b.LoseAt(n, syscall.EIO)
					}
					err := s.last(b, sampled)
					if b.Ops()-before < n {
						check(t, err)
						return
					}
					if err == nil && !lost {
						t.Errorf("operation %d failed without an error", n)
					}
					if seen := visible(t, b); err == nil && !slices.Equal(seen, s.after) {
						t.Errorf("lost the answer of %d: readers see %q", n, seen)
					}
					testAfterCrash(t, b, s, n, slices.Contains(back.without, "exchange"))
				}
			})
		}
	}
}
