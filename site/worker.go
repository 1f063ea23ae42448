package site

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/blob"
)

// Places returns the roots of the installation in a form that other processes can use: URLs and absolute paths.
func (s *Site) Places() (Roots, error) {
	r := s.places
	for _, p := range r.parts() {
		if blob.IsURL(*p.root) {
			continue
		}
		abs, err := filepath.Abs(*p.root)
		if err != nil {
			return r, fmt.Errorf("%s root: %w", p.name, err)
		}
		*p.root = abs
	}
	return r, nil
}

// CheckPlaces returns an error if a root depends on the process, that is, if it is neither a URL nor an
// absolute path.
func (r Roots) CheckPlaces() error {
	for _, p := range r.parts() {
		if !blob.IsURL(*p.root) && !filepath.IsAbs(*p.root) {
			return fmt.Errorf("%s root %q is neither a URL nor a path from the root of the file system", p.name, *p.root)
		}
		if _, err := placeOf(*p.root); err != nil {
			return fmt.Errorf("%s root: %w", p.name, err)
		}
	}
	return nil
}

// Differ returns the name of a root that is set in both and differs, or "".
func (r Roots) Differ(other Roots) string {
	others := other.parts()
	for i, p := range r.parts() {
		if o := *others[i].root; *p.root != "" && o != "" && *p.root != o {
			return fmt.Sprintf("%s root %s, not %s", p.name, shown(*p.root), shown(o))
		}
	}
	return ""
}

// OpenRoot opens the bucket of one root for reading. The caller closes it if it is an io.Closer.
func OpenRoot(ctx context.Context, root string) (store.Bucket, error) {
	p := place{root: root}
	err := p.open(ctx, true)
	return p.bucket, err
}

// OpenData opens the data of an installation by its places alone, to run tasks: it has no ledger, no locks and
// no folder on this machine, and creates nothing before a task writes.
func OpenData(ctx context.Context, r Roots, set *schema.Set) (d *Data, closing func() error, err error) {
	s := &Site{Data: Data{Set: *set, Roots: map[schema.Root]store.Bucket{}}}
	if err := r.CheckPlaces(); err != nil {
		return nil, nil, err
	}
	if !blob.IsURL(r.Archive) {
		if _, err := os.Stat(r.Archive); err != nil {
			return nil, nil, fmt.Errorf("archive root: %w: it must be a bucket, or a folder that all machines have", err)
		}
	}
	buckets := map[string]store.Bucket{}
	for _, p := range r.parts() { // deletion requests are none of their business
		at := place{name: p.name, root: *p.root, private: p.name == schema.RestrictedRoot.Folder()}
		if err := at.open(ctx, true); err != nil {
			return nil, nil, errors.Join(err, s.Close())
		}
		if c, ok := at.bucket.(io.Closer); ok {
			s.closers = append(s.closers, c)
		}
		buckets[p.name] = at.bucket
	}
	s.Archive = buckets[archiveFolder]
	for _, root := range []schema.Root{schema.StorageRoot, schema.PipelineRoot, schema.RestrictedRoot} {
		s.Roots[root] = buckets[root.Folder()]
	}
	return &s.Data, s.Close, nil
}
