package blob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gocloud.dev/blob/driver"
	"gocloud.dev/gcerrors"
)

// gcsBucket implements driver.Bucket with the JSON API of Cloud Storage.
type gcsBucket struct {
	web    *web
	client *http.Client
	host   string // scheme, name and port
	name   string
	kms    string
}

// gcsGeneration is the number of a version of an object. Readers and attributes have it for their As methods.
type gcsGeneration int64

// gcsObject is an object as the API describes it.
type gcsObject struct {
	Name        string            `json:"name,omitempty"`
	ContentType string            `json:"contentType,omitempty"`
	CRC32C      string            `json:"crc32c,omitempty"`
	Metadata    map[string]string `json:"metadata,omitempty"`
	Generation  string            `json:"generation,omitempty"`
	Size        string            `json:"size,omitempty"`
	Updated     time.Time         `json:"updated,omitzero"`
}

func (o *gcsObject) number(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64) // the API writes numbers as texts; 0 if there is none
	return n
}

// objects is the URL of the bucket's objects.
func (b *gcsBucket) objects() string {
	return b.host + "/storage/v1/b/" + url.PathEscape(b.name) + "/o"
}

func (b *gcsBucket) object(key string) string { return b.objects() + "/" + url.PathEscape(key) }

// Attributes implements driver.Bucket.
func (b *gcsBucket) Attributes(ctx context.Context, key string) (*driver.Attributes, error) {
	var o gcsObject
	if err := b.answer(ctx, gcsCall{method: http.MethodGet, url: b.object(key)}, &o); err != nil {
		return nil, err
	}
	return &driver.Attributes{
		ContentType: o.ContentType, Metadata: o.Metadata, ModTime: o.Updated, Size: o.number(o.Size),
		AsFunc: generationOf(o.number(o.Generation)),
	}, nil
}

// generationOf is the As method of what has a generation.
func generationOf(n int64) func(any) bool {
	return func(i any) bool {
		p, ok := i.(*gcsGeneration)
		if ok {
			*p = gcsGeneration(n)
		}
		return ok
	}
}

// gcsPage is the number of entries of a page of a list.
const gcsPage = 1000

// ListPaged implements driver.Bucket. A page of the API has the objects first, then the folders: both are sorted.
func (b *gcsBucket) ListPaged(ctx context.Context, o *driver.ListOptions) (*driver.ListPage, error) {
	query := url.Values{
		"maxResults": {strconv.Itoa(cmp.Or(o.PageSize, gcsPage))}, "prefix": {o.Prefix}, "delimiter": {o.Delimiter},
		"fields": {"items(name,size,updated),prefixes,nextPageToken"},
	}
	if len(o.PageToken) > 0 {
		query.Set("pageToken", string(o.PageToken))
	}
	var page struct {
		Items         []gcsObject
		Prefixes      []string
		NextPageToken string
	}
	err := b.answer(ctx, gcsCall{method: http.MethodGet, url: b.objects(), query: query}, &page)
	var answer *gcsError
	if errors.As(err, &answer) && answer.status == http.StatusNotFound {
		answer.code = "NoSuchBucket"
	}
	if err != nil {
		return nil, err
	}
	list := &driver.ListPage{NextPageToken: []byte(page.NextPageToken)}
	for _, item := range page.Items {
		list.Objects = append(list.Objects, &driver.ListObject{Key: item.Name, Size: item.number(item.Size), ModTime: item.Updated})
	}
	for _, prefix := range page.Prefixes {
		list.Objects = append(list.Objects, &driver.ListObject{Key: prefix, IsDir: true})
	}
	slices.SortFunc(list.Objects, func(x, y *driver.ListObject) int { return strings.Compare(x.Key, y.Key) })
	return list, nil
}

// Copy implements driver.Bucket. A large copy takes several requests.
func (b *gcsBucket) Copy(ctx context.Context, to, from string, _ *driver.CopyOptions) error {
	query := url.Values{}
	if b.kms != "" {
		query.Set("destinationKmsKeyName", b.kms)
	}
	target := b.object(from) + "/rewriteTo/b/" + url.PathEscape(b.name) + "/o/" + url.PathEscape(to)
	for {
		var answer struct {
			Done         bool
			RewriteToken string
		}
		if err := b.answer(ctx, gcsCall{method: http.MethodPost, url: target, query: query}, &answer); err != nil {
			return err
		}
		if answer.Done {
			return nil
		}
		query.Set("rewriteToken", answer.RewriteToken)
	}
}

// Delete implements driver.Bucket.
func (b *gcsBucket) Delete(ctx context.Context, key string, _ *driver.DeleteOptions) error {
	return b.remove(ctx, key, "")
}

// remove deletes an object if it has a version; "" is any.
func (b *gcsBucket) remove(ctx context.Context, key, version string) error {
	query := url.Values{}
	if version != "" {
		query.Set("ifGenerationMatch", version)
	}
	return b.answer(ctx, gcsCall{method: http.MethodDelete, url: b.object(key), query: query}, nil)
}

// gcsReader is the content of an object, or a range of it.
type gcsReader struct {
	io.ReadCloser
	attributes driver.ReaderAttributes
	as         func(any) bool
}

// Attributes implements driver.Reader.
func (r *gcsReader) Attributes() *driver.ReaderAttributes { return &r.attributes }

// As implements driver.Reader.
func (r *gcsReader) As(i any) bool { return r.as(i) }

// NewRangeReader implements driver.Bucket.
func (b *gcsBucket) NewRangeReader(ctx context.Context, key string, offset, length int64, o *driver.ReaderOptions) (driver.Reader, error) {
	c := gcsCall{method: http.MethodGet, url: b.object(key), query: url.Values{"alt": {"media"}}}
	if o != nil && o.BeforeRead != nil {
		if err := o.BeforeRead(queryOf(c.query)); err != nil {
			return nil, err
		}
	}
	switch {
	case length > 0:
		c.header = map[string]string{"Range": fmt.Sprintf("bytes=%d-%d", offset, offset+length-1)}
	case offset > 0:
		c.header = map[string]string{"Range": fmt.Sprintf("bytes=%d-", offset)}
	}
	resp, err := b.do(ctx, c)
	if err != nil {
		return nil, err
	}
	size := resp.ContentLength
	if _, total, ok := strings.Cut(resp.Header.Get("Content-Range"), "/"); ok {
		if size, err = strconv.ParseInt(total, 10, 64); err != nil {
			resp.Body.Close()
			return nil, fmt.Errorf("the response does not have the object's size: %w", err)
		}
	}
	generation, _ := strconv.ParseInt(resp.Header.Get("X-Goog-Generation"), 10, 64) // 0 if it is absent
	return &gcsReader{resp.Body, driver.ReaderAttributes{ContentType: resp.Header.Get("Content-Type"), Size: size}, generationOf(generation)}, nil
}

// queryOf lets a hook of gocloud change the query of a request.
func queryOf(query url.Values) func(any) bool {
	return func(i any) bool {
		p, ok := i.(*url.Values)
		if ok {
			*p = query
		}
		return ok
	}
}

// ErrorCode implements driver.Bucket.
func (b *gcsBucket) ErrorCode(err error) gcerrors.ErrorCode {
	var answer *gcsError
	if !errors.As(err, &answer) {
		return gcerrors.Unknown
	}
	switch answer.status {
	case http.StatusNotFound:
		return gcerrors.NotFound
	case http.StatusPreconditionFailed:
		return gcerrors.FailedPrecondition
	case http.StatusForbidden, http.StatusUnauthorized:
		return gcerrors.PermissionDenied
	case http.StatusTooManyRequests:
		return gcerrors.ResourceExhausted
	}
	return gcerrors.Unknown
}

// As implements driver.Bucket.
func (b *gcsBucket) As(any) bool { return false }

// ErrorAs implements driver.Bucket.
func (b *gcsBucket) ErrorAs(err error, i any) bool { return errors.As(err, i) }

// SignedURL implements driver.Bucket.
func (b *gcsBucket) SignedURL(context.Context, string, *driver.SignedURLOptions) (string, error) {
	return "", errors.ErrUnsupported
}

// Close implements driver.Bucket.
func (b *gcsBucket) Close() error { return nil }
