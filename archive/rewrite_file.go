package archive

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/pingmill/pingmill/archive/rowfile"
)

// write replaces the files of the day that have rows to be dropped, each by one file. It copies the row groups without such
// rows as they are.
func (r *rewriter) write(ctx context.Context, w *Writer, d *Day) (changed bool, err error) {
	f := &fileRewriter{rewriter: r, writer: w, pools: map[rowfile.Columns]*rowfile.Pool{}}
	for _, old := range d.files {
		// A new one, so that a day of many files does not stay in memory.
		hit, err := f.file(ctx, newDayFile(old.LoadFile))
		if err != nil {
			return false, err
		}
		changed = changed || hit
	}
	return changed, nil
}

// fileRewriter rewrites the files of a partition, one after the other.
type fileRewriter struct {
	*rewriter

	writer *Writer
	pools  map[rowfile.Columns]*rowfile.Pool
	groups *rowfile.Groups // of the present file
}

// rowsOfGroup yields columns of the rows of a row group.
type rowsOfGroup func(c rowfile.Columns) iter.Seq2[*rowfile.Record, error]

func (f *fileRewriter) pool(c rowfile.Columns) *rowfile.Pool {
	if f.pools[c] == nil {
		f.pools[c] = rowfile.NewPool(f.part.kind, c)
	}
	return f.pools[c]
}

// file replaces a file if it has rows to be dropped.
func (f *fileRewriter) file(ctx context.Context, old *dayFile) (hit bool, err error) {
	if f.groups, err = old.rows.OpenGroups(ctx, f.bucket, f.part.kind); err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.groups.Close()) }()
	touched := make([]bool, f.groups.Len())
	for i := range touched {
		touched[i], err = f.hit(func(c rowfile.Columns) iter.Seq2[*rowfile.Record, error] { return f.groups.Rows(ctx, f.pool(c), i) })
		if err != nil {
			return false, err
		}
	}
	if !slices.Contains(touched, true) {
		return false, nil
	}
	f.writer.Replace(old.Name)
	f.writer.rewrote = append(f.writer.rewrote, old.LoadFile)
	return true, f.again(&old.LoadFile, touched)
}

// again writes the present file without the dropped rows, unless none is left.
func (f *fileRewriter) again(old *LoadFile, touched []bool) error {
	w := f.writer
	out, err := w.stage.bucket.Create(w.ctx, w.stage.file(len(w.files)+1))
	if err != nil {
		return err
	}
	defer out.Abort()
	done, err := f.groups.Rewrite(w.ctx, out, rowfile.Rewriting{
		Pool: f.pool(rowfile.StoredBodies), Compact: old.Compact, Memory: &w.memory, Touched: touched, Drop: f.drops,
	})
	if err != nil || done.Rows == 0 {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	made := *old
	made.Name, made.Siblings, made.For = "", 0, nil // Close sets them
	made.Rows, made.Raw = done.Rows, old.Raw-done.Dropped
	made.Bytes, made.SHA256, made.Footer = done.Bytes, done.SHA256, &done.Footer
	w.files = append(w.files, made)
	return nil
}
