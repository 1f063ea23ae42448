package lake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// rewriter rewrites the files of a partition, one after the other.
type rewriter struct {
	g         *Generation
	r         Rewrite
	published string          // generation of the files
	dir       string          // their folder
	taken     map[string]bool // names of its files and of the new ones
	last      string          // name of the previous file
	unchanged []File
	made      []File
	done      Rewritten
	hit       []bool // memory of hits
}

func newRewriter(ctx context.Context, g *Generation, r Rewrite, base *Manifest) *rewriter {
	w := &rewriter{g: g, r: r, published: base.Generation, dir: g.table.filesDir(ctx, base), taken: map[string]bool{}}
	for _, f := range base.Files {
		w.taken[f.Name] = true
	}
	return w
}

// file keeps a file unchanged, or rewrites it.
func (w *rewriter) file(ctx context.Context, f File) (err error) {
	r, err := w.g.table.bucket.Open(ctx, path.Join(w.dir, f.Name))
	if missing(err) { // the retained file was removed
		r, err = w.g.table.bucket.Open(ctx, w.g.table.Path(w.g.day, f.Name))
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	file, err := OpenFile(r)
	if err != nil {
		return w.g.table.Blame(ctx, w.g.day, f, err)
	}
	hits, err := w.count(ctx, file, w.r.Found)
	if err != nil {
		return w.g.table.Blame(ctx, w.g.day, f, err)
	}
	if hits.all == 0 {
		w.unchanged, w.last = append(w.unchanged, f), f.Name
		return nil
	}
	if w.r.Name == w.published {
		return errPublished
	}
	w.done.Files++
	w.done.Rows += hits.all
	if hits.all == file.Rows() {
		return nil
	}
	return w.again(ctx, file, f, hits)
}

// holds reports whether a file has rows to remove. It returns true for an unreadable file.
func (w *rewriter) holds(ctx context.Context, name string) bool {
	r, err := w.g.table.bucket.Open(ctx, name)
	if err != nil {
		return true
	}
	defer r.Close()
	file, err := OpenFile(r)
	if err != nil {
		return true
	}
	hits, err := w.count(ctx, file, nil)
	return err != nil || hits.all > 0
}

// keys returns the columns of the file that select the rows to remove.
func (w *rewriter) keys(file *FileReader) (all []schema.Column, err error) {
	for _, c := range file.Columns() {
		if !slices.ContainsFunc(w.r.Keys, func(k Key) bool { return k.Column == c.Name }) {
			continue
		}
		if !c.Type.HasText() {
			return nil, fmt.Errorf("column %s is %s, not text", c.Name, c.Type)
		}
		all = append(all, c)
	}
	return all, nil
}

// removals counts the rows of a file to remove.
type removals struct {
	all     int64
	byGroup map[int]int64 // row groups that have some
}

// count counts the rows to remove. It reads only the key columns. found gets the texts of each of these rows.
func (w *rewriter) count(ctx context.Context, file *FileReader, found func(texts [][]byte)) (n removals, err error) {
	keys, err := w.keys(file)
	if err != nil || len(keys) == 0 {
		return n, err
	}
	n.byGroup = map[int]int64{}
	b := column.NewBatch(keys)
	err = each(ctx, file, b, readRows, func() error {
		for row, hit := range w.hits(b) {
			if !hit {
				continue
			}
			n.all++
			n.byGroup[file.group-1]++
			if found != nil {
				found(w.texts(b, row))
			}
		}
		return nil
	})
	return n, err
}

// hits reports for each row of a batch whether it is to be removed.
func (w *rewriter) hits(b *column.Batch) []bool {
	w.hit = append(w.hit[:0], make([]bool, b.Rows)...)
	for i := range b.Leaves {
		l := &b.Leaves[i]
		for _, k := range w.r.Keys {
			if l.Kind == schema.String && b.Columns[l.Column].Name == k.Column {
				mark(w.hit, l, k.Drop)
			}
		}
	}
	return w.hit
}

// texts returns the texts by which a row is to be removed.
func (w *rewriter) texts(b *column.Batch, row int) (all [][]byte) {
	for i := range b.Leaves {
		l := &b.Leaves[i]
		for _, k := range w.r.Keys {
			if l.Kind == schema.String && b.Columns[l.Column].Name == k.Column {
				from := column.Position{}.After(l, row)
				for _, text := range l.Bytes[from.Value:from.After(l, 1).Value] {
					if k.Drop(text) {
						all = append(all, text)
					}
				}
			}
		}
	}
	return all
}

// mark sets the rows of a leaf of texts with one to drop.
func mark(rows []bool, l *column.Leaf, drop func([]byte) bool) {
	if len(l.Bytes) == 0 {
		return
	}
	at := column.Position{}
	for row := range rows {
		next := at.After(l, 1)
		rows[row] = rows[row] || slices.ContainsFunc(l.Bytes[at.Value:next.Value], drop)
		at = next
	}
}

// again rewrites a file without the removed rows.
func (w *rewriter) again(ctx context.Context, file *FileReader, f File, hits removals) error {
	w.last = w.name(f)
	sink, err := w.g.Create(ctx, w.last)
	if err != nil {
		return err
	}
	defer sink.Abort()
	rows, err := w.copy(ctx, sink, file, hits)
	var unread *readError
	if errors.As(err, &unread) {
		return w.g.table.Blame(ctx, w.g.day, f, unread.error)
	}
	if err != nil {
		return err
	}
	made, err := sink.Finish()
	if err != nil {
		return err
	}
	made.Rows, made.Lo, made.Hi, made.OpenFor, made.Samples = rows, f.Lo, f.Hi, f.OpenFor, f.Samples
	w.made = append(w.made, made)
	return nil
}

// name returns an unused name for the file that replaces f. It sorts after the name of the previous file.
func (w *rewriter) name(f File) string {
	lo, n := f.Lo, 0
	if _, err := fmt.Sscanf(path.Base(f.Name), "part-%d-%d-", &lo, &n); err != nil {
		lo, n = f.Lo, 0
	}
	sub := path.Dir(f.Name)
	for ; ; n++ {
		name := w.g.FileName(sub, lo, n)
		if f.IsLive() {
			name = w.g.LiveName(n)
		}
		if !w.taken[name] && (name > w.last || path.Dir(w.last) != sub) {
			w.taken[name] = true
			return name
		}
	}
}

// copy writes the rows that remain. It copies the row groups that keep all rows.
func (w *rewriter) copy(ctx context.Context, to io.Writer, file *FileReader, hits removals) (rows int64, err error) {
	out, err := NewFileWriter(to, file.Columns(), w.r.Options)
	if err != nil {
		return 0, err
	}
	copier, err := newGroupCopier(file)
	if err != nil {
		return 0, err
	}
	b := column.NewBatch(file.Columns())
	if err := file.SelectBatch(b, w.r.Options.withDefaults().RowGroupRows); err != nil {
		return 0, err
	}
	for group, left := range file.Groups() {
		if err := context.Cause(ctx); err != nil {
			return 0, err
		}
		if hits.byGroup[group] == 0 {
			copied, err := copier.copy(out, group)
			if err != nil {
				return 0, err
			}
			if copied {
				continue
			}
		}
		if err := w.filter(out, b, file, group, left); err != nil {
			return 0, err
		}
	}
	out.Describe(file.Metadata())
	info, err := out.Close()
	return info.Rows, err
}

// filter writes the rows of a row group that remain.
func (w *rewriter) filter(out *FileWriter, b *column.Batch, file *FileReader, group, left int) error {
	for file.Seek(group); left > 0; {
		if err := file.Next(b); err != nil {
			return &readError{err}
		}
		left -= b.Rows
		hits := w.hits(b)
		b.Retain(func(row int) bool { return !hits[row] })
		if err := out.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// readError wraps an error of reading a file, as opposed to writing or processing.
type readError struct{ error }

func (e *readError) Unwrap() error { return e.error }

// each reads the columns of b from the whole file, up to step rows at a time.
func each(ctx context.Context, file *FileReader, b *column.Batch, step int, next func() error) error {
	if err := file.SelectBatch(b, step); err != nil {
		return err
	}
	for {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if err := file.Next(b); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return &readError{err}
		}
		if err := next(); err != nil {
			return err
		}
	}
}
