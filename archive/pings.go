package archive

import (
	"context"
	"fmt"
	"iter"

	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
)

// Ping is a ping of the archive.
type Ping struct {
	Meta ping.Meta
	Body []byte // JSON

	// Prepared holds the prepared rows of all tables of the file, if they are read instead of the body. Place is the index of
	// the wanted table.
	Prepared []byte
	Place    int
}

// Pings yields the pings of samples lo to hi in the order of (sample, timestamp, document id), absent ones
// last, and equal ones by the names of their files. Sample 100 stands for pings without a sample of 0 to 99. A
// ping and all its memory is valid until the next step. For each open file it uses the memory of one page,
// about 1 MiB, and one row group's metadata; only files with rows near the current place are open. An error
// ends the sequence.
func (d *Day) Pings(ctx context.Context, lo, hi int) iter.Seq2[*Ping, error] {
	return func(yield func(*Ping, error) bool) {
		var p Ping
		for r, err := range d.records(ctx, rowfile.Pings, lo, hi, rowfile.AllColumns) {
			if err != nil {
				yield(nil, err)
				return
			}
			p.Meta, p.Body = r.Meta, r.Body
			if !yield(&p, nil) {
				return
			}
		}
	}
}

// Metas yields the metadata of all pings in the order of Pings, without reading documents. Each is valid until
// the next step; an error ends the sequence.
func (d *Day) Metas(ctx context.Context) iter.Seq2[*ping.Meta, error] {
	return d.SampleMetas(ctx, 0, rowfile.NoSample)
}

// SampleMetas works like Metas, for the pings of samples lo to hi.
func (d *Day) SampleMetas(ctx context.Context, lo, hi int) iter.Seq2[*ping.Meta, error] {
	return func(yield func(*ping.Meta, error) bool) {
		for r, err := range d.records(ctx, rowfile.Pings, lo, hi, rowfile.WithoutBody) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(&r.Meta, nil) {
				return
			}
		}
	}
}

// records merges the rows of all files.
func (d *Day) records(ctx context.Context, k *rowfile.Kind, lo, hi int, columns rowfile.Columns) iter.Seq2[*rowfile.Record, error] {
	return func(yield func(*rowfile.Record, error) bool) {
		if lo < 0 || hi > rowfile.NoSample || lo > hi {
			yield(nil, fmt.Errorf("read archive samples %d to %d: the range is 0 to %d", lo, hi, rowfile.NoSample))
			return
		}
		files := make([]*rowfile.File, len(d.files))
		for i, f := range d.files {
			files[i] = f.rows
		}
		d.pools.Merge(ctx, d.bucket, files, k, columns, lo, hi)(yield)
	}
}
