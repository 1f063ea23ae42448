package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/store"
)

func (t *trial) listings(ctx context.Context) error {
	shows := func(name string) (is bool, err error) {
		for e, err := range t.bucket.List(ctx, "listing/") {
			if err != nil {
				return false, err
			}
			is = is || e.Name == name
		}
		return is, nil
	}
	for i := range 20 {
		name := fmt.Sprintf("listing/%02d", i)
		for _, there := range []bool{true, false} {
			err := t.bucket.Delete(ctx, name)
			if there {
				err = store.WriteFile(ctx, t.bucket, name, []byte("x"))
			}
			if err != nil {
				return err
			}
			is, err := shows(name)
			if err != nil {
				return err
			}
			if is != there {
				return wrong("a listing is an old one: an object that was just written or removed is there: %t", is)
			}
		}
	}
	return nil
}

func (t *trial) pages(ctx context.Context) error {
	var want []string
	for i := range many {
		want = append(want, fmt.Sprintf("pages/%c/%04d", 'a'+i%3, i))
	}
	err := each(ctx, many, func(ctx context.Context, i int) error { return store.WriteFile(ctx, t.bucket, want[i], []byte("x")) })
	if err != nil {
		return err
	}
	slices.Sort(want)
	var got, children []string
	for e, err := range t.bucket.List(ctx, "pages/") {
		if err != nil {
			return err
		}
		got = append(got, e.Name)
	}
	for e, err := range t.bucket.Children(ctx, "pages") {
		if err != nil {
			return err
		}
		children = append(children, e.Name)
	}
	if !slices.Equal(got, want) {
		return wrong("%d objects are listed of %d, or in another order", len(got), len(want))
	}
	if all := strings.Join(children, " "); all != "pages/a/ pages/b/ pages/c/" {
		return wrong("the folders are listed as %q", all)
	}
	return nil
}

func (t *trial) parts(ctx context.Context) error {
	data := make([]byte, large)
	r := rand.NewChaCha8([32]byte{1})
	_, _ = r.Read(data) // it cannot fail
	if err := store.WriteFile(ctx, t.bucket, "parts/whole", data); err != nil {
		return err
	}
	got, err := store.ReadFile(ctx, t.bucket, "parts/whole")
	if err != nil {
		return err
	}
	if !bytes.Equal(got, data) {
		return wrong("an upload in parts has other bytes")
	}
	w, err := t.bucket.Create(ctx, "parts/left")
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return errors.Join(err, w.Abort())
	}
	if err := w.Abort(); err != nil {
		return err
	}
	if _, err := t.bucket.Identify(ctx, "parts/left"); !errors.Is(err, fs.ErrNotExist) {
		return wrong("an upload that was given up: %v", err)
	}
	return t.bucket.Tidy(ctx, "parts", t.now())
}

func (t *trial) replaced(ctx context.Context) error {
	p := make([]byte, 10)
	if err := store.WriteFile(ctx, t.bucket, "replaced", bytes.Repeat([]byte("a"), 100)); err != nil {
		return err
	}
	version, err := t.bucket.ReadRange(ctx, "replaced", p, 0, "")
	if err == nil {
		err = store.WriteFile(ctx, t.bucket, "replaced", bytes.Repeat([]byte("b"), 100))
	}
	if err != nil {
		return err
	}
	if _, err := t.bucket.ReadRange(ctx, "replaced", p, 50, version); !errors.Is(err, store.ErrChanged) && !errors.Is(err, fs.ErrNotExist) {
		return wrong("a range of the former version of an object: %q, %v", p, err)
	}
	return nil
}
