package archive

import (
	"context"
	"fmt"
	"iter"

	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// LoadRows yields the rows of a data file of a load: rejected submissions, or pings with only Meta set, and
// Body if bodies is true. Each row is valid until the next step; an error ends the sequence. The error for a
// missing file matches fs.ErrNotExist.
func LoadRows(ctx context.Context, b store.Bucket, f LoadFile, bodies bool) iter.Seq2[*Rejected, error] {
	return func(yield func(*Rejected, error) bool) {
		kind := rowfile.Pings
		if f.Kind == rowfile.Rejected.Name() {
			kind = rowfile.Rejected
		} else if f.Kind != kind.Name() {
			yield(nil, fmt.Errorf("read %s: no kind of file is called %.40q", f.Name, f.Kind))
			return
		}
		d := &Day{bucket: b, files: []*dayFile{newDayFile(f)}}
		columns := withBodies(bodies)
		for r, err := range d.records(ctx, kind, 0, rowfile.NoSample, columns) {
			var out *Rejected
			switch {
			case err != nil:
			case kind == rowfile.Rejected:
				out, err = rejectedFrom(r)
			default:
				out = &Rejected{Meta: r.Meta, Body: r.Body}
			}
			if !yield(out, err) || err != nil {
				return
			}
		}
	}
}

// withBodies returns all of the rows, or all but their bodies.
func withBodies(bodies bool) rowfile.Columns {
	if bodies {
		return rowfile.AllColumns
	}
	return rowfile.WithoutBody
}

// IsPings reports whether the file holds pings rather than rejected submissions.
func (f *LoadFile) IsPings() bool { return f.Kind == rowfile.Pings.Name() }

// Arrival returns the arrival time of a submission in nanoseconds since the epoch; ok is false if it is
// unknown.
func (e *Rejected) Arrival() (ns int64, ok bool) { return e.Meta.Int(ping.Timestamp) }
