package rowfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/pingmill/pingmill/lake/parquet"
	"github.com/pingmill/pingmill/store"
)

// Groups reads a file row group by row group, and writes it again without some rows. One goroutine at a time may use it.
type Groups struct {
	file   *File
	source store.Reader
	all    []group
}

// OpenGroups opens a file of a kind. Pings stands for all files of pings.
func (f *File) OpenGroups(ctx context.Context, b store.Bucket, k *Kind) (*Groups, error) {
	all, err := f.load(ctx, b, readAs(k))
	if err != nil {
		return nil, err
	}
	source, err := b.Open(ctx, f.Name)
	if err != nil {
		return nil, f.failed(err)
	}
	return &Groups{f, source, all}, nil
}

// readAs returns the kind as which files of a kind are read.
func readAs(k *Kind) *Kind {
	if k == Pings {
		return PackedPings
	}
	return k
}

// Close closes the file.
func (g *Groups) Close() error { return g.source.Close() }

// Len returns the number of row groups.
func (g *Groups) Len() int { return len(g.all) }

// Rows yields the rows of a row group in their order. Each is valid until the next step; an error ends the sequence.
func (g *Groups) Rows(ctx context.Context, p *Pool, group int) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		r := p.get()
		defer p.put(r)
		defer r.end()
		err := r.begin(g.source, g.file, &g.all[group])
		var row Record
		for err == nil && r.left > 0 {
			if err = ctx.Err(); err != nil {
				break
			}
			if err = r.read(&row); err == nil && !yield(&row, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, g.file.failed(err))
		}
	}
}

// Rewriting says how a file is written again.
type Rewriting struct {
	Pool    *Pool // of StoredBodies
	Compact bool  // the file has the smallest form, and keeps it
	Memory  *Memory
	Touched []bool // the row groups that may have rows to drop
	Drop    func(r *Record) (bool, error)
}

// Rewritten is the result of Groups.Rewrite.
type Rewritten struct {
	Written

	Rows    int64 // that are left; if 0, what was written is no file
	Dropped int64 // bytes of the bodies of the dropped rows, uncompressed
	Copied  int   // row groups
}

// Rewrite writes the file without the rows that are to be dropped. It copies the untouched row groups without decompressing
// them, once their checksums are compared. Row groups of files of earlier versions have none, and are written like touched ones.
func (g *Groups) Rewrite(ctx context.Context, w io.Writer, o Rewriting) (out Rewritten, err error) {
	kind := g.file.kind
	if o.Compact && kind == Pings {
		kind = CompactPings
	} else if o.Compact && kind == Pings.wide {
		kind = CompactPings.wide
	}
	source, err := parquet.OpenSource(g.source, g.source.Size())
	if err != nil && !errors.Is(err, parquet.ErrNotCopied) {
		return out, g.file.failed(err)
	}
	fw := NewWriter(kind)
	out.Written, err = measured(w, func(w io.Writer) (uint32, error) {
		f, err := fw.begin(w)
		if err != nil {
			return 0, err
		}
		for i := range g.all {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			copied, err := g.copy(source, f, i, o.Touched[i])
			if err != nil {
				return 0, err
			}
			if copied {
				out.Rows += int64(g.all[i].rows)
				out.Copied++
				continue
			}
			if err := g.filter(ctx, fw, f, i, &o, &out); err != nil {
				return 0, err
			}
		}
		_, err = f.Close()
		return f.FooterSum(), err
	})
	if err != nil {
		return out, fmt.Errorf("rewrite %s: %w", g.file.Name, err)
	}
	return out, nil
}

// copy copies a row group that is not touched. It returns false if the rows have to be read.
func (g *Groups) copy(s *parquet.Source, f *parquet.Writer, group int, touched bool) (bool, error) {
	if s == nil || touched {
		return false, nil
	}
	err := s.Read(group)
	if errors.Is(err, parquet.ErrNotCopied) {
		return false, nil
	}
	if err != nil {
		return false, g.file.failed(err)
	}
	return true, f.CopyGroup(s)
}

// filter writes the rows of a row group that are not dropped.
func (g *Groups) filter(ctx context.Context, fw *Writer, f *parquet.Writer, group int, o *Rewriting, out *Rewritten) error {
	b := NewBuffer(fw.kind, o.Memory)
	defer b.Release()
	for row, err := range g.Rows(ctx, o.Pool, group) {
		if err != nil {
			return err
		}
		drop, err := o.Drop(row)
		if err != nil {
			return g.file.failed(err)
		}
		if drop {
			out.Dropped += row.size(fw.kind)
			continue
		}
		b.Add(row, false)
	}
	out.Rows += int64(b.Rows())
	return fw.groups(f, b)
}
