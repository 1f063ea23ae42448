package archive

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// CompactDay rewrites the pings of a day and document type in the smallest form: few files, in which documents
// are compressed together. It does nothing if the day has that form. It compares the rows of the new files with
// the old ones before it replaces these; the generation of the day does not change. It uses only Owner and
// BufferBytes of the options. Like RewriteDay it can be killed at any moment.
func CompactDay(ctx context.Context, b store.Bucket, day ping.Day, docType ping.DocType, o RewriteOptions) (Rewritten, error) {
	d, err := OpenDay(ctx, b, day, docType)
	if err != nil {
		return Rewritten{}, err
	}
	if d.Compact() {
		return Rewritten{Before: d.Generation(), After: d.Generation()}, nil
	}
	o = RewriteOptions{Load: RewriteName(day, docType, "compact."+d.Generation()), Owner: o.Owner, BufferBytes: o.BufferBytes}
	r := &rewriter{bucket: b, o: o, part: partition{day, docType, rowfile.Pings}, rows: rowfile.NewSum()}
	return r.run(ctx)
}

// Compact reports whether the day has its smallest form.
func (d *Day) Compact() bool {
	return !slices.ContainsFunc(d.files, func(f *dayFile) bool { return !f.Compact })
}

// requests returns the number of deletion requests that all loads of the day's files knew.
func (d *Day) requests(ctx context.Context) (int, error) {
	least := math.MaxInt
	for _, f := range d.files {
		load, _ := naming.LoadOf(f.Name)
		l, ok, err := Loaded(ctx, d.bucket, load)
		if err != nil || !ok {
			return 0, err
		}
		least = min(least, l.Requests)
	}
	return least, nil
}

// compact replaces all files of the day.
func (r *rewriter) compact(ctx context.Context, w *Writer, d *Day) (changed bool, err error) {
	for _, f := range d.files {
		w.Replace(f.Name)
		w.rewrote = append(w.rewrote, f.LoadFile)
	}
	w.replaceFiles = standing(w.rewrote)
	if w.opts.Requests, err = d.requests(ctx); err != nil {
		return false, err
	}
	day, docType := []byte(r.part.day), []byte(r.part.docType)
	for row, err := range d.records(ctx, rowfile.Pings, 0, rowfile.NoSample, rowfile.AllColumns) {
		if err != nil {
			return false, err
		}
		r.rows.Add(row)
		w.record = *row
		if err := w.add(rowfile.CompactPings, day, docType); err != nil {
			return false, err
		}
	}
	return true, nil
}

// prove reads the written files and compares their rows with the old ones'.
func (r *rewriter) prove(ctx context.Context, w *Writer) error {
	files := make([]*rowfile.File, len(w.files))
	for i, f := range w.files {
		files[i] = &rowfile.File{Name: w.stage.file(i + 1), Footer: f.Footer}
	}
	sum, err := rowfile.SumRows(ctx, w.stage.bucket, files)
	if err == nil && sum.String() != r.rows.String() {
		err = errors.New("the compact files have other rows")
	}
	return err
}

// standing returns the names and sizes by which files count in a generation: those for which compact ones stand, where
// none of these is missing.
func standing(files []LoadFile) (all []Replaced) {
	siblings := map[string]int{}
	for _, f := range files {
		load, _ := naming.LoadOf(f.Name)
		siblings[load]++
	}
	for _, f := range files {
		load, _ := naming.LoadOf(f.Name)
		if f.Compact && siblings[load] == f.Siblings {
			all = append(all, f.For...)
		} else {
			all = append(all, Replaced{f.Name, f.Bytes})
		}
	}
	slices.SortFunc(all, func(x, y Replaced) int { return strings.Compare(x.Name, y.Name) })
	return all
}
