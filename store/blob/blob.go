// Package blob stores objects in object storage: Amazon S3 and services with its protocol, Google Cloud
// Storage, Azure Blob Storage. Each is a store.Bucket, used through gocloud.dev/blob; for what that lacks,
// mainly conditional requests, the package calls the provider's own client.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	cloud "gocloud.dev/blob"

	"github.com/pingmill/pingmill/store"
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
	cloud   *cloud.Bucket
	prefix  string // of all keys: empty, or with a slash at its end
	web     *web
}

// A service holds the differences between providers.
type service interface {
	// open opens the bucket with a client that sends its requests by web.
	open(ctx context.Context, r root, web *web) (*cloud.Bucket, error)
	// version returns the version of the object of a reader or attributes of gocloud.
	version(as func(any) bool) string
	// reading makes a read fail unless the object has this version.
	reading(version string) *cloud.ReaderOptions
	// writing makes a write fail unless the object has this version; "" means no object.
	writing(o *cloud.WriterOptions, version string)
	// uploads sets what all writes have.
	uploads(o *cloud.WriterOptions)
	// delete removes an object, if it has this version; "" is any.
	delete(ctx context.Context, key, version string) error
	// copy copies an object within the bucket.
	copy(ctx context.Context, from, to string) error
	// tidy removes unfinished uploads that began before a time.
	tidy(ctx context.Context, prefix string, before time.Time) error
	// failure returns the provider's error code and the HTTP status; "" and 0 if the server has not responded.
	failure(err error) (code string, status int)
}

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
	if b.cloud, err = b.service.open(ctx, r, b.web); err != nil {
		return nil, b.explain(ctx, "open", "", err)
	}
	if _, _, err := b.cloud.ListPage(ctx, cloud.FirstPageToken, 1, &cloud.ListOptions{Prefix: b.prefix}); err != nil {
		return nil, b.explain(ctx, "open", "", err)
	}
	return b, nil
}

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
	return b.explain(ctx, "copy", from, b.service.copy(ctx, b.prefix+from, b.prefix+to))
}

// Identify implements store.Bucket. The version is the provider's, an ETag or a generation.
func (b *Bucket) Identify(ctx context.Context, name string) (store.Identity, error) {
	if err := b.start(ctx, "identify", name); err != nil {
		return store.Identity{}, err
	}
	a, err := b.cloud.Attributes(ctx, b.prefix+name)
	if err != nil {
		return store.Identity{}, b.explain(ctx, "identify", name, err)
	}
	version := b.service.version(a.As)
	return store.Identity{Size: a.Size, Content: version, State: version, Changed: a.ModTime}, nil
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
