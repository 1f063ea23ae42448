package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// RewriteOptions defines which rows of a partition are removed, and how. The functions must decide the same for
// the same row each time, must not change it and must not retain it. A nil function removes nothing.
type RewriteOptions struct {
	// Load is the name of the load that replaces the files with such rows. It belongs to one partition and one
	// occasion: if it exists nothing is rewritten. RewriteName and RewriteErrorsName build such names; for a
	// few loads any other name that begins with "re-" works, too.
	Load string

	// Requests is recorded with the load. See Options.Requests.
	Requests int

	// BufferBytes bounds the memory of waiting rows. See Options.BufferBytes.
	BufferBytes int64

	// Owner is the common owner of all processes that replace files. See Options.Owner and Writer.Replace.
	Owner string

	// Drop decides by the metadata of a ping whether to remove it.
	Drop func(m *ping.Meta) bool

	// DropBody decides by the document of a ping without a client id, or with an empty one, or of another namespace
	// than telemetry, that Drop does not remove. Other documents are not read for the decision.
	DropBody func(m *ping.Meta, body []byte) bool

	// DropRejected decides by a rejected submission and its body.
	DropRejected func(r *Rejected) bool

	// Dropped and DroppedRejected, if not nil, get each removed row once. The document is nil if Drop decided.
	Dropped         func(m *ping.Meta, document []byte)
	DroppedRejected func(r *Rejected)

	// Committing, if not nil, is called before the commit, when all removed rows are known. An error stops it.
	Committing func(ctx context.Context) error
}

// Rewritten is the result of rewriting a partition of the archive.
type Rewritten struct {
	Load  string // "" when nothing was to be removed: no load was made
	Rows  int64  // removed
	Files int    // replaced

	// Before and After are the generations (see Day.Generation) of the current partition without the load and
	// with it; both include what other loads added meanwhile. They are equal if there is no load, and "" for a
	// partition without files.
	Before, After string
}

// RewriteDay removes the pings of a day and document type that the options select. Files without such pings do
// not change. One load replaces the others; it has the remaining rows in the same order, unchanged in every
// column and every byte of the document. When it returns without an error the replaced files are deleted.
//
// It may be killed at any moment and called again with the same options: readers find the complete state before
// or after. An error that matches ErrReplaced or fs.ErrNotExist means that another load has replaced files
// meanwhile, which no load of the same owner can do: call it again.
func RewriteDay(ctx context.Context, b store.Bucket, day ping.Day, docType ping.DocType, o RewriteOptions) (Rewritten, error) {
	if !naming.ValidDay([]byte(day)) {
		return Rewritten{}, fmt.Errorf("rewrite archive day %q: not a day", day)
	}
	r := &rewriter{bucket: b, o: o, part: partition{day, docType, rowfile.Pings}, drops: o.dropsPing, hit: o.hitsPings}
	return r.run(ctx)
}

// RewriteErrors works like RewriteDay, for the rejected submissions of a day; "" stands for those of no known
// day.
func RewriteErrors(ctx context.Context, b store.Bucket, day ping.Day, o RewriteOptions) (Rewritten, error) {
	if day != "" && !naming.ValidDay([]byte(day)) {
		return Rewritten{}, fmt.Errorf("rewrite archive errors of %q: not a day", day)
	}
	r := &rewriter{bucket: b, o: o, part: partition{day: day, kind: rowfile.Rejected}, drops: o.dropsRejected, hit: o.hitsRejected}
	return r.run(ctx)
}

// rewriter rewrites one partition.
type rewriter struct {
	bucket store.Bucket
	o      RewriteOptions
	part   partition
	drops  func(r *rowfile.Record) (bool, error) // a row with its body
	hit    func(rows rowsOfGroup) (bool, error)  // a row of a row group is dropped
	rows   *rowfile.Sum                          // not nil: the day is compacted, and it is of the old rows
}

func (r *rewriter) run(ctx context.Context) (out Rewritten, err error) {
	defer func() {
		if err != nil {
			out, err = Rewritten{}, fmt.Errorf("rewrite archive day %s: %w", r.part.dir(), err)
		}
	}()
	if err := naming.CheckLoad(r.o.Load); err != nil {
		return out, err
	}
	if !strings.HasPrefix(r.o.Load, naming.Replacing) {
		return out, fmt.Errorf("bad load name %q: a load that replaces files needs one that begins with %q", r.o.Load, naming.Replacing)
	}
	// First of all, since it finishes what a killed one has left.
	o := Options{BufferBytes: r.o.BufferBytes, Owner: r.o.Owner, Requests: r.o.Requests}
	var w *Writer
	if r.rows != nil {
		o.Confirm = func(ctx context.Context) (func(), error) { return func() {}, r.prove(ctx, w) }
	}
	if w, err = NewWriter(ctx, r.bucket, o); err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, w.Abort()) }()
	l, done, err := Loaded(ctx, r.bucket, r.o.Load)
	if err != nil {
		return out, err
	}
	if done {
		return r.account(ctx, l)
	}
	d, err := open(ctx, r.bucket, r.part)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	write := r.write
	if r.rows != nil {
		write = r.compact
	}
	changed, err := write(ctx, w, d)
	if err != nil {
		return out, err
	}
	if !changed {
		g := d.Generation()
		return Rewritten{Before: g, After: g}, nil
	}
	if r.o.Committing != nil {
		if err := r.o.Committing(ctx); err != nil {
			return out, err
		}
	}
	return r.commit(ctx, w)
}

// commit ends the load.
func (r *rewriter) commit(ctx context.Context, w *Writer) (Rewritten, error) {
	if _, err := w.Close(ctx, r.o.Load); err != nil {
		return Rewritten{}, err
	}
	l, ok, err := Loaded(ctx, r.bucket, r.o.Load)
	if err == nil && !ok {
		err = fmt.Errorf("load %s: %w", r.o.Load, fs.ErrNotExist)
	}
	if err != nil {
		return Rewritten{}, err
	}
	return r.account(ctx, l)
}
