package rowfile

import (
	"context"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// Documents passes the document ids of a file of pings to yield, in the order of the file, until it returns
// false. The pool must be for DocumentIDs.
func (f *File) Documents(ctx context.Context, b store.Bucket, p *Pool, yield func(id []byte) bool) (goOn bool, err error) {
	groups, err := f.load(ctx, b, p.kind)
	if err != nil {
		return false, err
	}
	source, err := b.Open(ctx, f.Name)
	if err != nil {
		return false, f.failed(err)
	}
	defer source.Close()
	r := p.get()
	defer p.put(r)
	for i := range groups {
		if err := ctx.Err(); err != nil {
			return false, f.failed(err)
		}
		goOn, err := r.documents(source, f, &groups[i], yield)
		r.end()
		if err != nil {
			return false, f.failed(err)
		}
		if !goOn {
			return false, nil
		}
	}
	return true, nil
}

func (r *groupReader) documents(source store.Reader, f *File, g *group, yield func(id []byte) bool) (goOn bool, err error) {
	if err := r.begin(source, f, g); err != nil {
		return false, err
	}
	for range g.rows {
		id, err := r.values[ping.DocumentID].text()
		if err != nil {
			return false, err
		}
		if id != nil && !yield(id) {
			return false, nil
		}
	}
	return true, nil
}
