package archive

import (
	"context"
	"iter"

	"github.com/pingmill/pingmill/ping"
)

// Place returns the day and document type under which Append would keep a ping,
// and its document id, nil without one; ok is false for a ping that it would reject.
func Place(m *ping.Meta) (day ping.Day, docType ping.DocType, document []byte, ok bool) {
	r := record{meta: *m}
	pingKind.clean(&r)
	d, why := fit(&r.meta)
	return ping.Day(d), ping.DocType(docTypeOf(&r.meta)), r.meta.Text(ping.DocumentID), why == ""
}

// Documents yields the document ids of the day's files that take returns true for,
// in no order, and nothing else is decoded. Each is valid until the next step; an
// error ends the sequence.
func (d *Day) Documents(ctx context.Context, take func(file string) bool) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		pool := newGroupPool(pingKind)
		pool.headless, pool.idsOnly = true, true
		for _, f := range d.files {
			if take != nil && !take(f.Name) {
				continue
			}
			if goOn, err := d.documents(ctx, f, pool, yield); err != nil {
				yield(nil, err)
				return
			} else if !goOn {
				return
			}
		}
	}
}

func (d *Day) documents(ctx context.Context, f *dayFile, pool *groupPool, yield func([]byte, error) bool) (goOn bool, err error) {
	f = &dayFile{LoadFile: f.LoadFile} // it is read once, and not kept
	groups, err := f.load(ctx, d.bucket, pingKind)
	if err != nil {
		return false, err
	}
	for i := range groups {
		r := pool.get()
		goOn, err := r.documents(ctx, d, f, &groups[i], yield)
		r.end()
		pool.put(r)
		if err != nil {
			return false, f.unreadable(err)
		}
		if !goOn {
			return false, nil
		}
	}
	return true, nil
}

func (r *groupReader) documents(ctx context.Context, d *Day, f *dayFile, g *group, yield func([]byte, error) bool) (goOn bool, err error) {
	if err := r.begin(ctx, d.bucket, f, g); err != nil {
		return false, err
	}
	for range g.rows {
		id, err := r.columns[ping.DocumentID].text()
		if err != nil {
			return false, err
		}
		if id != nil && !yield(id, nil) {
			return false, nil
		}
	}
	return true, nil
}
