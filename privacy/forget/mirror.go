package forget

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/pingmill/pingmill/store"
)

// Only the service may read the requests, which have the ids of clients. For
// other users' queries, which must leave the same rows out, there are the hashes
// of the ids of each request in a bucket that all may read.
const (
	hashesDir = "hashes/v1/"
	// mirroredName exists once the hashes of all requests are there.
	mirroredName = "mirrored"
)

// MirroredIn makes the registry keep hashes of the pending clients in a bucket.
func (r *Registry) MirroredIn(hashes store.Bucket) *Registry {
	r.hashes = hashes
	return r
}

// Mirror completes the hashes, as after an update of the program.
func (r *Registry) Mirror(ctx context.Context) error {
	if err := r.mirror(ctx); err != nil {
		return fmt.Errorf("keep hashes of deletion requests: %w", err)
	}
	return nil
}

func (r *Registry) mirror(ctx context.Context) error {
	requests, err := r.Pending(ctx)
	if err != nil {
		return err
	}
	for _, q := range requests {
		_, err := store.ReadFile(ctx, r.hashes, hashesDir+q.Name)
		if errors.Is(err, fs.ErrNotExist) {
			err = r.writeHashes(ctx, q)
		}
		if err != nil {
			return err
		}
	}
	_, err = store.ReadFile(ctx, r.hashes, mirroredName)
	if errors.Is(err, fs.ErrNotExist) {
		err = store.WriteFile(ctx, r.hashes, mirroredName, []byte("hashes of all clients that are to be forgotten are in hashes/\n"))
	}
	return err
}

// writeHashes writes a line for each client of a request.
func (r *Registry) writeHashes(ctx context.Context, q *Request) error {
	if r.hashes == nil {
		return nil
	}
	var b bytes.Buffer
	for _, id := range q.Clients {
		h := HashOf([]byte(id))
		b.WriteString(hex.EncodeToString(h[:]) + "\n")
	}
	return store.WriteFile(ctx, r.hashes, hashesDir+q.Name, b.Bytes())
}

// Hidden reports whether rows with a client id have to be left out; nil where
// none have. The case of letters does not matter. It also works for a user without access to the requests.
func (r *Registry) Hidden(ctx context.Context) (func(id string) bool, error) {
	ids, err := r.PendingClients(ctx)
	switch {
	case errors.Is(err, fs.ErrPermission) && r.hashes != nil:
		hashes, err := r.mirrored(ctx, err)
		if err != nil || len(hashes) == 0 {
			return nil, err
		}
		return Finder(hashes), nil
	case err != nil || len(ids) == 0:
		return nil, err
	}
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[strings.ToLower(id)] = true
	}
	return func(id string) bool { return set[strings.ToLower(id)] }, nil
}

// HiddenHashes returns the hashes of the clients whose rows are left out, for readers without the right to see ids.
func (r *Registry) HiddenHashes(ctx context.Context) ([]Hash, error) {
	ids, err := r.PendingClients(ctx)
	if errors.Is(err, fs.ErrPermission) && r.hashes != nil {
		return r.mirrored(ctx, err)
	}
	hashes := make([]Hash, len(ids))
	for i, id := range ids {
		hashes[i] = HashOf([]byte(id))
	}
	return hashes, err
}

// mirrored returns the hashes that all may read, if they are there.
func (r *Registry) mirrored(ctx context.Context, denied error) (all []Hash, err error) {
	if _, err := store.ReadFile(ctx, r.hashes, mirroredName); err != nil {
		return nil, denied
	}
	for e, err := range r.hashes.List(ctx, hashesDir) {
		if err == nil {
			all, err = r.addHashes(ctx, e.Name, all)
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue // its rows were removed meanwhile
		}
		if err != nil {
			return nil, fmt.Errorf("read hashes of deletion requests: %w", err)
		}
	}
	return all, nil
}

func (r *Registry) addHashes(ctx context.Context, name string, to []Hash) ([]Hash, error) {
	data, err := store.ReadFile(ctx, r.hashes, name)
	if err != nil {
		return to, err
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		var h Hash
		if n, err := hex.Decode(h[:], []byte(strings.TrimSpace(lines.Text()))); err != nil || n != len(h) {
			return to, fmt.Errorf("%s is damaged", name)
		}
		to = append(to, h)
	}
	return to, nil
}
