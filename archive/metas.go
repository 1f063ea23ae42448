package archive

import (
	"context"
	"iter"

	"github.com/pingmill/pingmill/ping"
)

// SampleMetas is Metas for the pings of samples lo to hi only.
func (d *Day) SampleMetas(ctx context.Context, lo, hi int) iter.Seq2[*ping.Meta, error] {
	return func(yield func(*ping.Meta, error) bool) {
		for r, err := range d.records(ctx, pingKind, lo, hi, false) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(&r.meta, nil) {
				return
			}
		}
	}
}
