package lake

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"github.com/pingmill/pingmill/store/storetest"
)

// What a killed run was making stays through Recover and goes with Tidy, which
// leaves the partition and other days alone.
func TestTidy(t *testing.T) {
	for _, back := range backends {
		t.Run(back.name, func(t *testing.T) {
			b := faulty(back.open(t), back.without)
			table := opened(b, sampled)
			check(t, run(b, sampled, "aaaa", part0(0, 99)))
			want := func(unfinished bool) {
				t.Helper()
				if got, err := table.Unfinished(ctx, day); got != unfinished || err != nil {
					t.Errorf("unfinished: %v, %v", got, err)
				}
			}
			want(false)
			g, err := table.Begin(ctx, day, "bbbb")
			check(t, err)
			_, err = makePart(g, part0(0, 49))
			check(t, err)
			want(true)
			all, err := table.Partitions(ctx)
			check(t, err)
			if latest, err := table.Latest(ctx); len(all) != 1 || all[0].Generation != "aaaa" || latest != day || err != nil {
				t.Errorf("what is in the making counts: %v, latest %s, %v", all, latest, err)
			}
			check(t, table.Recover(ctx, day))
			check(t, table.Recover(ctx))
			want(true)
			check(t, table.Tidy(ctx, "20180302"))
			want(true)
			check(t, table.Tidy(ctx, day))
			want(false)
			check(t, table.Tidy(ctx, day))
			wantExactly(t, b, sampled, "aaaa 0")
		})
	}
}

// A day that was never published, or whose staging has only what an interrupted write left.
func TestTidyWithoutPartition(t *testing.T) {
	for _, back := range backends {
		t.Run(back.name, func(t *testing.T) {
			b := faulty(back.open(t), back.without)
			table := opened(b, sampled)
			check(t, table.Tidy(ctx, day))
			g, err := table.Begin(ctx, day, "aaaa")
			check(t, err)
			w, err := g.Create(ctx, g.FileName("sample_id=0", 0, 0))
			check(t, err)
			b.StopAfter(0)
			if err := w.Commit(); !errors.Is(err, storetest.ErrStopped) {
				t.Error(err)
			}
			b.Revive()
			if latest, err := table.Latest(ctx); latest != "" || err != nil {
				t.Errorf("latest %s, %v", latest, err)
			}
			check(t, table.Tidy(ctx, day))
			if left, err := table.Unfinished(ctx, day); left || err != nil {
				t.Errorf("unfinished: %v, %v", left, err)
			}
			if _, err := table.Partition(ctx, day); !errors.Is(err, fs.ErrNotExist) {
				t.Error(err)
			}
		})
	}
}

func TestTidyFails(t *testing.T) {
	for _, back := range backends {
		t.Run(back.name, func(t *testing.T) {
			b := faulty(back.open(t), back.without)
			table := opened(b, sampled)
			g, err := table.Begin(ctx, day, "aaaa")
			check(t, err)
			_, err = makePart(g, part0(0, 49))
			check(t, err)
			b.FailAt(1, syscall.EIO)
			if err := table.Tidy(ctx, day); !errors.Is(err, syscall.EIO) {
				t.Errorf("a failing disk: %v", err)
			}
			b.StopAfter(0)
			_ = b.Delete(ctx, "x") // the operation that is not done any more
			for _, err := range []error{
				table.Tidy(ctx, day), table.Recover(ctx, day), second(table.Unfinished(ctx, day)),
			} {
				if back.name == "memory" && err == nil {
					continue // it has nothing to recover
				}
				if !errors.Is(err, storetest.ErrStopped) {
					t.Errorf("a dead disk: %v", err)
				}
			}
		})
	}
}

func second[T any](_ T, err error) error { return err }
