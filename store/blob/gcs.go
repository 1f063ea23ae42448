package blob

import (
	"context"
	"errors"
	"strconv"
	"time"

	"cloud.google.com/go/storage"
	"github.com/googleapis/gax-go/v2"
	cloud "gocloud.dev/blob"
	"gocloud.dev/blob/gcsblob"
	"gocloud.dev/gcp"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"
)

// gcsService is Google's.
type gcsService struct {
	bucket *storage.BucketHandle
	kms    string
}

func (s *gcsService) open(ctx context.Context, r root, web *web) (*cloud.Bucket, error) {
	s.kms = r.get("kms-key")
	client := gcp.NewAnonymousHTTPClient(web)
	if !yes(r.get("anonymous")) {
		credentials, err := gcp.DefaultCredentials(ctx)
		if err != nil {
			return nil, err
		}
		if client, err = gcp.NewHTTPClient(web, gcp.CredentialsTokenSource(credentials)); err != nil {
			return nil, err
		}
	}
	opts := []option.ClientOption{option.WithHTTPClient(&client.Client), storage.WithJSONReads()}
	if e := r.get("endpoint"); e != "" {
		opts = append(opts, option.WithEndpoint(e+"/storage/v1/"))
	}
	c, err := storage.NewClient(ctx, opts...)
	if err != nil {
		return nil, err
	}
	c.SetRetry(
		storage.WithBackoff(gax.Backoff{Initial: firstPause, Max: longPause, Multiplier: 2}),
		storage.WithMaxAttempts(web.attempts),
		storage.WithPolicy(storage.RetryAlways), // a write has its whole content, and those with conditions look at what became of them
		storage.WithErrorFunc(func(err error) bool {
			again := cut(err) || storage.ShouldRetry(err)
			if again {
				web.counter.retried()
			}
			return again
		}),
	)
	s.bucket = c.Bucket(r.bucket)
	return gcsblob.OpenBucket(ctx, nil, r.bucket, &gcsblob.Options{Client: c})
}

func (s *gcsService) version(as func(any) bool) string {
	var r *storage.Reader
	var a storage.ObjectAttrs
	switch {
	case as(&r):
		return strconv.FormatInt(r.Attrs.Generation, 10)
	case as(&a):
		return strconv.FormatInt(a.Generation, 10)
	}
	return ""
}

func generation(version string) int64 {
	n, _ := strconv.ParseInt(version, 10, 64) // of our own making
	return n
}

func (s *gcsService) reading(version string) *cloud.ReaderOptions {
	return &cloud.ReaderOptions{BeforeRead: func(as func(any) bool) error {
		var o **storage.ObjectHandle
		if !as(&o) {
			return errors.ErrUnsupported
		}
		*o = (*o).Generation(generation(version))
		return nil
	}}
}

func (s *gcsService) uploads(o *cloud.WriterOptions) { o.BeforeWrite = s.before(nil) }

func (s *gcsService) writing(o *cloud.WriterOptions, version string) {
	o.BeforeWrite = s.before(conditions(version))
}

// conditions have a request fail unless the object has a version; "" is no object.
func conditions(version string) *storage.Conditions {
	if version == "" {
		return &storage.Conditions{DoesNotExist: true}
	}
	return &storage.Conditions{GenerationMatch: generation(version)}
}

func (s *gcsService) before(only *storage.Conditions) func(func(any) bool) error {
	return func(as func(any) bool) error {
		var o **storage.ObjectHandle
		if !as(&o) {
			return errors.ErrUnsupported
		}
		if only != nil {
			*o = (*o).If(*only)
		}
		var w *storage.Writer
		if as(&w) && s.kms != "" {
			w.KMSKeyName = s.kms
		}
		return nil
	}
}

func (s *gcsService) delete(ctx context.Context, key, version string) error {
	o := s.bucket.Object(key)
	if version != "" {
		o = o.If(*conditions(version))
	}
	return o.Delete(ctx)
}

func (s *gcsService) copy(ctx context.Context, from, to string) error {
	c := s.bucket.Object(to).CopierFrom(s.bucket.Object(from))
	c.DestinationKMSKeyName = s.kms
	_, err := c.Run(ctx)
	return err
}

// tidy does nothing: unfinished uploads go by themselves after a week, and cost nothing until then.
func (s *gcsService) tidy(context.Context, string, time.Time) error { return nil }

func (s *gcsService) failure(err error) (code string, status int) {
	switch {
	case errors.Is(err, storage.ErrObjectNotExist):
		return "NotFound", 404
	case errors.Is(err, storage.ErrBucketNotExist):
		return "NoSuchBucket", 404
	}
	var api *googleapi.Error
	if !errors.As(err, &api) {
		return "", 0
	}
	for _, item := range api.Errors {
		code = item.Reason
	}
	return code, api.Code
}
