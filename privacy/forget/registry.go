package forget

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pingmill/pingmill/store"
)

// Registry is the requests in a bucket. It may be used by several goroutines and
// processes; Finish by one at a time.
type Registry struct {
	bucket store.Bucket
	hashes store.Bucket // nil: see MirroredIn

	mu       sync.Mutex
	listing  []store.Entry // that set is of
	polled   []store.Entry // the last listing of a poll: set is not older
	set      *Set
	requests []*Request
}

// Open returns the registry in a bucket, which only the service may read.
func Open(b store.Bucket) *Registry { return &Registry{bucket: b} }

// Set returns the clients that are forgotten now. It reads the changes since the last call.
func (r *Registry) Set(ctx context.Context) (*Set, error) {
	s, _, err := r.read(ctx)
	return s, err
}

// State returns a text that changes whenever requests are made or finished; "" before the first reading, and for a user without the
// right to read requests.
func (r *Registry) State() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.set == nil {
		return ""
	}
	_, pending := r.set.Len()
	return fmt.Sprintf("%d requests, rows of %d clients pending", r.set.Requests(), pending)
}

// Pending returns the requests whose rows may still exist, by name.
func (r *Registry) Pending(ctx context.Context) ([]*Request, error) {
	_, q, err := r.read(ctx)
	return q, err
}

// PendingClients returns the ids of clients whose rows may still exist, as given and in lower case, for queries to
// leave out.
func (r *Registry) PendingClients(ctx context.Context) ([]string, error) {
	requests, err := r.Pending(ctx)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, q := range requests {
		for _, id := range q.Clients {
			ids = append(ids, id, strings.ToLower(id), strings.ToUpper(id))
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(ids))), nil
}

func (r *Registry) read(ctx context.Context) (*Set, []*Request, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	set, requests, err := r.refresh(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("read deletion requests: %w", err)
	}
	return set, requests, nil
}

// refresh reads until the listing before and after is the same: a request that is
// finished meanwhile must be seen as one or the other.
func (r *Registry) refresh(ctx context.Context) (*Set, []*Request, error) {
	if store.IsPolling(ctx) {
		polled, err := r.list(ctx)
		if err != nil || r.set != nil && slices.Equal(polled, r.polled) {
			return r.set, r.requests, err
		}
		set, requests, err := r.refresh(store.Present(ctx))
		if err == nil {
			r.polled = polled
		}
		return set, requests, err
	}
	listing, err := r.list(ctx)
	if err != nil {
		return nil, nil, err
	}
	for r.set == nil || !slices.Equal(listing, r.listing) {
		set, requests, err := r.readAll(ctx, listing)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
		again, listErr := r.list(ctx)
		if listErr != nil {
			return nil, nil, listErr
		}
		if slices.Equal(listing, again) {
			if err != nil {
				return nil, nil, err
			}
			r.listing, r.set, r.requests = listing, set, requests
		}
		listing = again
	}
	return r.set, r.requests, nil
}

// list lists the objects that decide the set. None of the same name and size has
// other clients: requests never change, and the removed become more.
func (r *Registry) list(ctx context.Context) (all []store.Entry, err error) {
	for _, prefix := range []string{removedName, requestsDir} {
		for e, err := range r.bucket.List(ctx, prefix) {
			if err != nil {
				return nil, err
			}
			all = append(all, e)
		}
	}
	return all, nil
}

func (r *Registry) readAll(ctx context.Context, listing []store.Entry) (*Set, []*Request, error) {
	removed, _, err := r.removed(ctx)
	if err != nil {
		return nil, nil, err
	}
	known := map[string]*Request{}
	for _, q := range r.requests {
		known[q.Name] = q
	}
	var requests []*Request
	for _, e := range listing {
		file, isRequest := strings.CutPrefix(e.Name, requestsDir)
		name, whole := strings.CutSuffix(file, requestEnd)
		if !isRequest || !whole || slices.Contains(removed.names, name) {
			continue
		}
		q := known[name]
		if q == nil {
			if q, err = r.request(ctx, e.Name, name); err != nil {
				return nil, nil, err
			}
		}
		requests = append(requests, q)
	}
	return newSet(removed.clients, removed.counted, requests), requests, nil
}

func (r *Registry) request(ctx context.Context, object, name string) (*Request, error) {
	data, err := store.ReadFile(ctx, r.bucket, object)
	if err != nil {
		return nil, err
	}
	q, err := parseRequest(name, data)
	if err != nil {
		return nil, r.damaged(object, err, ", and make the request again: pingmill delete")
	}
	return q, nil
}

// removed returns the clients whose rows are removed, and the bytes of the object; nil if there is none.
func (r *Registry) removed(ctx context.Context) (*removed, []byte, error) {
	data, err := store.ReadFile(ctx, r.bucket, removedName)
	if errors.Is(err, fs.ErrNotExist) {
		return &removed{}, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	names, err := decodeRemoved(data)
	if err != nil {
		return nil, nil, r.damaged(removedName, err, "")
	}
	return names, data, nil
}

// Finish records that the rows of the clients of requests are removed. Of the ids
// only hashes stay. Done again after a crash it changes nothing.
func (r *Registry) Finish(ctx context.Context, requests []*Request, at time.Time) error {
	if err := r.finish(ctx, requests, at.UTC().Truncate(time.Second)); err != nil {
		return fmt.Errorf("finish deletion requests: %w", err)
	}
	return nil
}

func (r *Registry) finish(ctx context.Context, requests []*Request, at time.Time) error {
	removed, stored, err := r.removed(ctx)
	if err != nil {
		return err
	}
	before := removed.names
	removed.names = nil
	for _, q := range requests {
		removed.names = append(removed.names, q.Name)
		if slices.Contains(before, q.Name) {
			continue
		}
		removed.counted++
		for _, id := range q.Clients {
			removed.clients = append(removed.clients, Client{
				Hash: HashOf([]byte(id)), Requested: q.Time.UTC().Truncate(time.Second), Removed: at,
			})
		}
	}
	removed.clients = distinct(removed.clients)
	// Names that are in it already go first: a request is always one or the other.
	if err := r.delete(ctx, before); err != nil {
		return err
	}
	// A server that was held up must not take the clients of later requests out again.
	if err := r.bucket.CompareAndSwap(ctx, removedName, stored, removed.encode()); err != nil {
		return err
	}
	return r.delete(ctx, removed.names)
}

func (r *Registry) delete(ctx context.Context, names []string) error {
	for _, n := range names {
		if err := r.bucket.Delete(ctx, requestsDir+n+requestEnd); err != nil {
			return err
		}
		if r.hashes == nil {
			continue
		}
		if err := r.hashes.Delete(ctx, hashesDir+n); err != nil {
			return err
		}
	}
	return nil
}
