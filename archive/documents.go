package archive

import (
	"context"
	"iter"

	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
)

// Place returns the day and document type under which Append would store a ping, and its document id, nil
// without one; ok is false for a ping that Append would reject.
func Place(m *ping.Meta) (day ping.Day, docType ping.DocType, document []byte, ok bool) {
	r := rowfile.Record{Meta: *m}
	rowfile.Pings.Clean(&r)
	d, why := fit(&r.Meta)
	return ping.Day(d), ping.DocType(docTypeOf(&r.Meta)), r.Meta.Text(ping.DocumentID), why == ""
}

// Documents yields the document ids of the day's files for which take returns true, in no order. It decodes
// nothing else. Each id is valid until the next step; an error ends the sequence.
func (d *Day) Documents(ctx context.Context, take func(file string) bool) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		pool := rowfile.NewPool(rowfile.PackedPings, rowfile.DocumentIDs)
		for _, f := range d.files {
			if take != nil && !take(f.Name) {
				continue
			}
			one := newDayFile(f.LoadFile) // what is known of it is not kept: it is read once
			goOn, err := one.rows.Documents(ctx, d.bucket, pool, func(id []byte) bool { return yield(id, nil) })
			if err != nil {
				yield(nil, err)
			}
			if err != nil || !goOn {
				return
			}
		}
	}
}
