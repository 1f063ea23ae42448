package site

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/blob"
	"github.com/pingmill/pingmill/store/changes"
)

// Option changes how Open and Read open an installation.
type Option func(*options)

type options struct {
	roots   Roots
	reading bool
}

// At sets the places of an installation whose data is not, or not completely, in its data folder.
func At(r Roots) Option { return func(o *options) { o.roots = r } }

// reading opens the installation without creating or changing anything.
func reading(o *options) { o.reading = true }

// place is the location of a bucket of an installation.
type place struct {
	name    string // name in its mark, "" without a mark
	root    string
	private bool // on a local disk only its owner can read it; elsewhere policies decide that
	bucket  store.Bucket
}

// openBuckets opens all that the roots name.
func (s *Site) openBuckets(ctx context.Context, o *options) error {
	if !o.reading {
		if err := os.MkdirAll(s.Dir, 0o755); err != nil {
			return fmt.Errorf("make the data folder: %w", err)
		}
	}
	at := o.roots.in(s.Dir)
	requests, err := join(at.Archive, naming.Forget)
	if err != nil {
		return err
	}
	hashes, err := join(at.Archive, "forgotten")
	if err != nil {
		return err
	}
	places := []place{}
	for i, p := range at.parts() {
		places = append(places, place{name: p.name, root: *p.root, private: i == int(schema.RestrictedRoot)+1})
	}
	places = append(places, place{root: hashes}, place{root: requests, private: true})
	// Folders in this order: a private one that came first would make those that it is in private, too.
	for i := range places {
		if !blob.IsURL(places[i].root) {
			if err := places[i].open(ctx, o.reading); err != nil {
				return err
			}
		}
	}
	opening, ctx := errgroup.WithContext(ctx)
	for i := range places {
		if blob.IsURL(places[i].root) {
			opening.Go(func() error { return places[i].open(ctx, o.reading) })
		}
	}
	err = opening.Wait()
	for _, p := range places {
		if c, ok := p.bucket.(io.Closer); ok {
			s.closers = append(s.closers, c)
		}
	}
	if err != nil {
		return err
	}
	s.watch(places, o)
	s.Archive = places[0].bucket
	for i, root := range []schema.Root{schema.StorageRoot, schema.PipelineRoot, schema.RestrictedRoot} {
		s.Roots[root] = places[1+i].bucket
	}
	s.Forgotten = forget.Open(places[5].bucket).MirroredIn(places[4].bucket)
	return nil
}

// watch joins the buckets to the feed of the installation's changes, which is in the archive if that is in object storage.
func (s *Site) watch(places []place, o *options) {
	archive, ok := places[0].bucket.(*blob.Bucket)
	if !ok {
		return
	}
	feed := changes.New(archive, naming.Changes, changes.Options{})
	for i, p := range places {
		if b, ok := p.bucket.(*blob.Bucket); ok {
			b.Watch(feed.Part(strconv.Itoa(i)))
		}
	}
	s.AtClose(feed.Close)
	if !o.reading {
		feed.Opened()
	}
}

// open opens the bucket. What a reader has no rights to is found when it is read.
func (p *place) open(ctx context.Context, reading bool) (err error) {
	if !blob.IsURL(p.root) {
		p.bucket, err = p.folder(reading)
		return err
	}
	b, err := blob.Open(ctx, p.root, blob.Options{})
	if err == nil {
		p.bucket = b
		if p.name != "" {
			err = checkMark(ctx, b, p.name, !reading)
		}
	}
	if reading && errors.Is(err, fs.ErrPermission) {
		p.bucket, err = denied{err}, nil
	}
	if err != nil && p.name != "" {
		err = fmt.Errorf("%s root: %w", p.name, err)
	}
	return err
}

func (p *place) folder(reading bool) (store.Bucket, error) {
	var opts []store.Option
	if p.private {
		opts = append(opts, store.Private())
	}
	if reading {
		opts = append(opts, store.AsIs())
	}
	return store.OpenLocal(p.root, opts...)
}
