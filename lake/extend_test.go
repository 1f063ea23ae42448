package lake

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/pingmill/pingmill/store"
)

// extend adds one file to the partition.
func extend(b store.Bucket, name, content string, growing bool) error {
	table := Open(b, daily)
	g, err := table.Begin(ctx, day, name)
	if err != nil {
		return err
	}
	w, err := g.Create(ctx, g.FileName("", 0, 0))
	if err != nil {
		return err
	}
	defer w.Abort()
	if _, err := fmt.Fprint(w, content); err != nil {
		return err
	}
	f, err := w.Finish()
	if err != nil {
		return err
	}
	f.Rows, f.Growing = 1, growing
	base, err := table.Partition(ctx, day)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return g.Extend(ctx, Manifest{Files: []File{f}}, base)
}

// A partition is extended: growing files are replaced, all others stay, and a
// run takes it for none of its own.
func TestExtend(t *testing.T) {
	for _, back := range backends {
		t.Run(back.name, func(t *testing.T) {
			b := faulty(back.open(t), back.without)
			check(t, extend(b, "aaaa", "one", true))
			wantExactly(t, b, daily, "one")
			check(t, extend(b, "bbbb", "one two", false))
			wantExactly(t, b, daily, "one two")
			check(t, extend(b, "cccc", "three", true))
			wantExactly(t, b, daily, "one two", "three")
			check(t, run(b, daily, "dddd", part0(0, 100)))
			wantExactly(t, b, daily, "dddd 0")
			check(t, extend(b, "eeee", "four", true))
			wantExactly(t, b, daily, "dddd 0", "four")
			m, err := Open(b, daily).Partition(ctx, day)
			check(t, err)
			if m.Covers(part0(0, 100)) {
				t.Error("an extended partition covers what a run makes")
			}
		})
	}
}
