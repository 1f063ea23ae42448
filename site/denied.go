package site

import (
	"context"
	"iter"

	"github.com/pingmill/pingmill/store"
)

// denied is a bucket that this user may not read: that is the error of all its methods.
type denied struct{ err error }

func (d denied) Create(context.Context, string) (store.Writer, error) { return nil, d.err }

func (d denied) Open(context.Context, string) (store.Reader, error) { return nil, d.err }

func (d denied) List(context.Context, string) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) { yield(store.Entry{}, d.err) }
}

func (d denied) Delete(context.Context, string) error { return d.err }

func (d denied) CompareAndSwap(context.Context, string, []byte, []byte) error { return d.err }

func (d denied) Identify(context.Context, string) (store.Identity, error) {
	return store.Identity{}, d.err
}
