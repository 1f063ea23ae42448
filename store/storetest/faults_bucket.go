package storetest

import (
	"context"
	"iter"

	"github.com/pingmill/pingmill/store"
)

// Create implements store.Bucket.
func (f *Faults) Create(ctx context.Context, name string) (store.Writer, error) {
	if err := f.change("create", name); err != nil {
		return nil, err
	}
	w, err := f.inner.Create(ctx, name)
	return f.writer(w, name, err)
}

func (f *Faults) writer(w store.Writer, name string, err error) (store.Writer, error) {
	if err != nil {
		return nil, err
	}
	return &faultyWriter{Writer: w, faults: f, name: name}, nil
}

// Open implements store.Bucket.
func (f *Faults) Open(ctx context.Context, name string) (store.Reader, error) {
	if err := f.read("open", name); err != nil {
		return nil, err
	}
	return f.inner.Open(ctx, name)
}

// List implements store.Bucket.
func (f *Faults) List(ctx context.Context, prefix string) iter.Seq2[store.Entry, error] {
	return f.list("list", prefix, f.inner.List(ctx, prefix))
}

func (f *Faults) list(op, name string, entries iter.Seq2[store.Entry, error]) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		if err := f.read(op, name); err != nil {
			yield(store.Entry{}, err)
			return
		}
		entries(func(e store.Entry, err error) bool { return err == nil && f.unlisted(e.Name) || yield(e, err) })
	}
}

// Delete implements store.Bucket.
func (f *Faults) Delete(ctx context.Context, name string) error {
	if err := f.change("delete", name); err != nil {
		return err
	}
	return f.answer("delete", name, f.inner.Delete(ctx, name))
}

// CompareAndSwap implements store.Bucket.
func (f *Faults) CompareAndSwap(ctx context.Context, name string, old, new []byte) error {
	if err := f.change("compare and swap", name); err != nil {
		return err
	}
	f.swapping.Lock()
	defer f.swapping.Unlock()
	err := f.inner.CompareAndSwap(ctx, name, old, new)
	if err == nil {
		f.written(name)
	}
	return f.answer("compare and swap", name, err)
}

// Identify implements store.Bucket.
func (f *Faults) Identify(ctx context.Context, name string) (store.Identity, error) {
	if err := f.read("identify", name); err != nil {
		return store.Identity{}, err
	}
	return f.inner.Identify(ctx, name)
}
