package blob

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"github.com/pingmill/pingmill/store"
)

// ErrUncertain means a request got no response, and another process has written before or after it.
var ErrUncertain = errors.New("the server's answer was lost, and the object has changed since: look at it again")

// CompareAndSwap implements store.Bucket by a conditional write: it compares the bytes here, and the server
// writes only if the object still has the version that was read. A mark distinguishes a write of this process
// whose response was lost from a write of another one.
func (b *Bucket) CompareAndSwap(ctx context.Context, name string, old, new []byte) error {
	if err := b.start(ctx, "compare and swap", name); err != nil {
		return err
	}
	s := swap{bucket: b, name: name, mark: rand.Text()}
	s.ctx, s.trail = trailed(ctx)
	err := s.try(old, new)
	if !errors.Is(err, store.ErrChanged) {
		b.changes.Wrote(name)
	}
	if errors.Is(err, store.ErrChanged) || errors.Is(err, ErrUncertain) {
		return fmt.Errorf("compare and swap %s: %w", b.path(name), err)
	}
	return b.explain(ctx, "compare and swap", name, err)
}

// A swap is one CompareAndSwap.
type swap struct {
	bucket     *Bucket
	ctx        context.Context
	name, mark string
	trail      *trail // of its writes
}

func (s *swap) try(old, new []byte) error {
	if version, ok := s.bucket.swapped.version(s.name, old); ok {
		err := s.write(version, new)
		if !s.bucket.conflict(err) {
			return err
		}
		if s.trail.lost() {
			return s.changed(new)
		}
		// Another version may have the same bytes.
	}
	version := ""
	if old != nil || new == nil {
		now, v, err := s.bucket.content(s.ctx, s.name)
		switch {
		case err != nil:
			return err
		case (now == nil) != (old == nil) || !bytes.Equal(now, old):
			return s.changed(new)
		case now == nil:
			return nil
		}
		version = v
	}
	err := s.write(version, new)
	if s.bucket.conflict(err) {
		return s.changed(new)
	}
	return err
}

// write replaces the object if it has a version.
func (s *swap) write(version string, new []byte) error {
	if new == nil {
		s.bucket.swapped.keep(s.name, nil, "")
		return s.bucket.service.delete(s.ctx, s.bucket.prefix+s.name, version)
	}
	made, err := s.bucket.service.put(s.ctx, s.bucket.prefix+s.name, new, s.mark, &condition{version})
	if err != nil {
		made = ""
	}
	s.bucket.swapped.keep(s.name, new, made)
	return err
}

// swapped remembers the versions of objects that this process has swapped: as long as it is the only one that does, a swap is
// one request.
type swapped struct {
	mu       sync.Mutex
	versions map[string]version
}

// version is the content of an object, with its version.
type version struct {
	data []byte
	name string
}

// mostSwapped limits the remembered versions. Few objects are swapped again and again: leases, the feed of changes.
const mostSwapped = 64

// version returns the version of an object with this content, if it is known.
func (k *swapped) version(name string, data []byte) (string, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	v, ok := k.versions[name]
	return v.name, ok && data != nil && bytes.Equal(v.data, data)
}

// keep remembers the version of an object; none if it is "".
func (k *swapped) keep(name string, data []byte, is string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if delete(k.versions, name); is == "" || len(data) > window {
		return
	}
	if k.versions == nil || len(k.versions) >= mostSwapped {
		k.versions = map[string]version{}
	}
	k.versions[name] = version{bytes.Clone(data), is}
}

// changed judges that the object is not as it was expected: a request without an answer may have changed it.
func (s *swap) changed(new []byte) error {
	if !s.trail.lost() {
		return store.ErrChanged
	}
	o, err := s.bucket.service.head(s.ctx, s.bucket.prefix+s.name)
	absent := s.bucket.missing(err)
	switch {
	case err != nil && !absent:
		return err
	case absent && new == nil, !absent && o.mark == s.mark:
		return nil
	}
	return ErrUncertain
}

// conflict reports whether the server rejected the request because the object has another version, or does not
// exist.
func (b *Bucket) conflict(err error) bool {
	_, status := b.service.failure(err)
	return status == 412 || b.missing(err)
}

// content returns a small object whole with its version; nil if there is none.
func (b *Bucket) content(ctx context.Context, name string) ([]byte, string, error) {
	in, err := b.Open(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	defer in.Close()
	r := in.(*reader)
	data := make([]byte, r.size)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, "", err
	}
	if r.version == "" { // of an empty object
		o, err := b.service.head(ctx, b.prefix+name)
		switch {
		case err != nil:
			return nil, "", err
		case o.size != 0:
			return nil, "", store.ErrChanged
		case o.version == "":
			return nil, "", errUnversioned
		}
		r.version = o.version
	}
	return data, r.version, nil
}
