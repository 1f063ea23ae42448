package lake

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/pingmill/pingmill/store"
)

// extend adds one file to the partition.
func extend(b store.Bucket, name, content, open, edge string) error {
	table := opened(b, daily)
	g, err := table.Begin(ctx, day, name)
	if err != nil {
		return err
	}
	f, err := addFile(g, Part{}, []byte(content))
	if err != nil {
		return err
	}
	f.OpenFor = open
	base, err := table.Partition(ctx, day)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return g.Extend(ctx, Manifest{Files: []File{f}}, base, edge)
}

// A partition is extended: open files are replaced, all others stay, and a
// run takes it for none of its own.
func TestExtend(t *testing.T) {
	for _, back := range backends {
		t.Run(back.name, func(t *testing.T) {
			b := faulty(back.open(t), back.without)
			check(t, extend(b, "aaaa", "one", "e1", "e1"))
			wantExactly(t, b, daily, "one")
			check(t, extend(b, "bbbb", "one two", "", "e1"))
			wantExactly(t, b, daily, "one two")
			check(t, extend(b, "cccc", "three", "e1", "e1"))
			wantExactly(t, b, daily, "one two", "three")
			check(t, extend(b, "dddd", "five", "e2", "e2")) // another edge
			wantExactly(t, b, daily, "five", "one two", "three")
			check(t, extend(b, "eeee", "three four", "e1", "e1"))
			wantExactly(t, b, daily, "five", "one two", "three four")
			check(t, run(b, daily, "ffff", part0(0, 100)))
			wantExactly(t, b, daily, "ffff 0")
			check(t, extend(b, "abcd", "six", "e1", "e1"))
			wantExactly(t, b, daily, "ffff 0", "six")
			m := published(t, b, daily)
			if m.Covers(part0(0, 100)) {
				t.Error("an extended partition covers what a run makes")
			}
		})
	}
}
