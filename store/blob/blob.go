// Package blob stores objects in object storage: Amazon S3 and services with its protocol, Google Cloud
// Storage, Azure Blob Storage. Each is a store.Bucket over a few kinds of requests of its provider.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/changes"
)

// Options holds settings that are not in the URL.
type Options struct {
	Stall time.Duration // a request without any progress for this time is cancelled and retried; 0: 30 s
	// Attempts is the largest number of attempts of a request, with pauses that grow from 0.1 to 5 s; 0: 8.
	Attempts int
}

// Bucket is a store.Bucket in object storage.
type Bucket struct {
	root    root
	service service
	prefix  string // of all keys: empty, or with a slash at its end
	web     *web
	changes *changes.Part
	swapped swapped
}

// A service holds the differences between providers.
type service interface {
	// open makes the client of a bucket, which sends its requests by web.
	open(ctx context.Context, r root, web *web) error
	// list returns a page of the names that begin with a prefix. If there is a delimiter, names that go on after the
	// next one are one entry. The token of the first page is "".
	list(ctx context.Context, prefix, delimiter, token string, most int) (page, error)
	// head describes an object.
	head(ctx context.Context, key string) (object, error)
	// get reads a range of an object, if it has this version; "" is any. The caller closes the body.
	get(ctx context.Context, key, version string, off, length int64) (io.ReadCloser, object, error)
	// put writes a small object and returns its version, "" if the server does not say it. The write fails unless the condition
	// holds.
	put(ctx context.Context, key string, data []byte, mark string, only *condition) (version string, err error)
	// upload writes a large object in parts of partSize, partsAtOnce at a time if the service can.
	upload(ctx context.Context, key string, in io.Reader, mark string) error
	// delete removes an object, if it has this version; "" is any.
	delete(ctx context.Context, key, version string) error
	// copy copies an object within the bucket.
	copy(ctx context.Context, from, to string) error
	// tidy removes unfinished uploads that began before a time.
	tidy(ctx context.Context, prefix string, before time.Time) error
	// failure returns the provider's error code and the HTTP status; "" and 0 if the server has not responded.
	failure(err error) (code string, status int)
}

// object describes an object. Its mark equals the write's.
type object struct {
	size          int64
	version, mark string
	changed       time.Time
}

// errUnversioned means that the server names no version of an object, without which no write can be conditional and a reader
// may get parts of two objects. Some servers keep versions beside the files of a folder, and a copy of it can lack them.
var errUnversioned = errors.New("the server names no version (ETag) of the object, so it cannot be replaced safely: upload it again, or " +
	"restore the server's folder with extended attributes")

// versioned returns an error if the object has no version.
func (o *object) versioned() error {
	if o.version == "" {
		return errUnversioned
	}
	return nil
}

// condition is a version that an object must have; "" means no object.
type condition struct{ version string }

// page is a part of a list: entries in the order of their names, and the token of the next page; "" if there is none.
type page struct {
	entries []entry
	next    string
}

// entry is an object, or a folder whose name ends with the delimiter.
type entry struct {
	name   string
	size   int64
	folder bool
}

// sortEntries sorts objects and folders, which services list one after the other.
func sortEntries(all []entry) {
	slices.SortFunc(all, func(x, y entry) int { return strings.Compare(x.name, y.name) })
}

// byteRange returns the header of a range of an object. It has one byte at least: no header has none.
func byteRange(off, length int64) string {
	return fmt.Sprintf("bytes=%d-%d", off, off+max(1, length)-1)
}

// wholeSize returns the size of an object from the headers of a range of it.
func wholeSize(length int64, contentRange string) int64 {
	if _, total, ok := strings.Cut(contentRange, "/"); ok {
		if n, err := strconv.ParseInt(total, 10, 64); err == nil {
			return n
		}
	}
	return length
}

// objectType is the content type of all objects.
const objectType = "application/octet-stream"

var services = map[string]func() service{
	"s3":     func() service { return &s3Service{} },
	"gs":     func() service { return &gcsService{} },
	"azblob": func() service { return &azureService{} },
}

// Open opens the bucket of a URL and lists it once, so that errors in the URL, the network or the credentials
// are reported at once.
func Open(ctx context.Context, url string, o Options) (*Bucket, error) {
	r, err := parse(url)
	if err != nil {
		return nil, err
	}
	b := &Bucket{root: r, service: services[r.scheme](), web: newWeb(o)}
	if r.prefix != "" {
		b.prefix = r.prefix + "/"
	}
	if err := b.service.open(ctx, r, b.web); err != nil {
		return nil, b.explain(ctx, "open", "", err)
	}
	if _, err := b.service.list(ctx, b.prefix, "", "", 1); err != nil {
		return nil, b.explain(ctx, "open", "", err)
	}
	return b, nil
}

// Watch has the changes of this bucket recorded, and polls answered by them. It is called before other methods.
func (b *Bucket) Watch(changes *changes.Part) { b.changes = changes }

// URL returns the bucket's URL, without settings and without a trailing slash: for messages and for the DDL of
// other engines.
func (b *Bucket) URL() string { return b.root.String() }

// Counts returns the requests so far.
func (b *Bucket) Counts() Counts { return b.web.counter.counts() }

// start checks the name of an object and the context, before a request.
func (b *Bucket) start(ctx context.Context, op, name string) error {
	if err := store.CheckName(name); err != nil {
		return err
	}
	return b.ended(ctx, op, name)
}

func (b *Bucket) ended(ctx context.Context, op, name string) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s %s: %w", op, b.path(name), context.Cause(ctx))
	}
	return nil
}

func (b *Bucket) path(name string) string {
	if name == "" {
		return b.URL()
	}
	return b.URL() + "/" + name
}

// Delete implements store.Bucket.
func (b *Bucket) Delete(ctx context.Context, name string) error {
	if err := b.start(ctx, "delete", name); err != nil {
		return err
	}
	err := b.explain(ctx, "delete", name, b.service.delete(ctx, b.prefix+name, ""))
	b.changes.Wrote(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Copy implements store.Copier.
func (b *Bucket) Copy(ctx context.Context, from, to string) error {
	if err := b.start(ctx, "copy", from); err != nil {
		return err
	}
	if err := store.CheckName(to); err != nil {
		return err
	}
	defer b.changes.Wrote(to)
	return b.explain(ctx, "copy", from, b.service.copy(ctx, b.prefix+from, b.prefix+to))
}

// Identify implements store.Bucket. The version is the provider's, an ETag or a generation.
func (b *Bucket) Identify(ctx context.Context, name string) (store.Identity, error) {
	if err := b.start(ctx, "identify", name); err != nil {
		return store.Identity{}, err
	}
	poll := b.changes.Poll(ctx, "identify", name)
	if id, ok := poll.Identity(); ok {
		return id, nil
	}
	o, err := b.service.head(ctx, b.prefix+name)
	if err == nil {
		err = o.versioned()
	}
	if err != nil {
		return store.Identity{}, b.explain(ctx, "identify", name, err)
	}
	id := store.Identity{Size: o.size, Content: o.version, State: o.version, Changed: o.changed}
	poll.KeepIdentity(id)
	return id, nil
}

// Tidy implements store.Tidier: it removes unfinished uploads.
func (b *Bucket) Tidy(ctx context.Context, dir string, before time.Time) error {
	prefix := b.prefix
	if dir != "" {
		if err := store.CheckName(dir); err != nil {
			return err
		}
		prefix += dir + "/"
	}
	return b.explain(ctx, "tidy", dir, b.service.tidy(ctx, prefix, before))
}

// missing reports whether an error of the provider means that there is no such object.
func (b *Bucket) missing(err error) bool {
	code, status := b.service.failure(err)
	return status == 404 && !noBucket[code]
}
