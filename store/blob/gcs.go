package blob

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	cloud "gocloud.dev/blob"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"
)

// gcsService is Google's. It speaks the JSON API of Cloud Storage itself: Google's client would bring gRPC's services
// with it, a tenth of the program.
type gcsService struct{ bucket *gcsBucket }

const (
	gcsHost  = "https://storage.googleapis.com"
	gcsScope = "https://www.googleapis.com/auth/cloud-platform"
)

func (s *gcsService) open(ctx context.Context, r root, web *web) (*cloud.Bucket, error) {
	var sender http.RoundTripper = web
	if !yes(r.get("anonymous")) {
		credentials, err := google.FindDefaultCredentials(ctx, gcsScope)
		if err != nil {
			return nil, err
		}
		sender = &oauth2.Transport{Source: credentials.TokenSource, Base: web}
	}
	host := r.get("endpoint")
	if host == "" {
		host = gcsHost
	}
	s.bucket = &gcsBucket{
		web: web, client: &http.Client{Transport: sender, CheckRedirect: noRedirect},
		host: strings.TrimSuffix(host, "/"), name: r.bucket, kms: r.get("kms-key"),
	}
	return cloud.NewBucket(s.bucket), nil
}

// noRedirect returns redirects to the caller: 308 is how an upload continues.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

func (s *gcsService) version(as func(any) bool) string {
	var generation gcsGeneration
	if !as(&generation) || generation == 0 {
		return ""
	}
	return strconv.FormatInt(int64(generation), 10)
}

func (s *gcsService) reading(version string) *cloud.ReaderOptions {
	return &cloud.ReaderOptions{BeforeRead: func(as func(any) bool) error {
		var query url.Values
		if !as(&query) {
			return errors.ErrUnsupported
		}
		query.Set("generation", version)
		return nil
	}}
}

func (s *gcsService) uploads(*cloud.WriterOptions) {}

func (s *gcsService) writing(o *cloud.WriterOptions, version string) {
	o.BeforeWrite = func(as func(any) bool) error {
		var query url.Values
		if !as(&query) {
			return errors.ErrUnsupported
		}
		if version == "" {
			version = "0" // no object
		}
		query.Set("ifGenerationMatch", version)
		return nil
	}
}

func (s *gcsService) delete(ctx context.Context, key, version string) error {
	return s.bucket.remove(ctx, key, version)
}

func (s *gcsService) copy(ctx context.Context, from, to string) error {
	return s.bucket.Copy(ctx, to, from, nil)
}

// tidy does nothing: unfinished uploads go by themselves after a week, and cost nothing until then.
func (s *gcsService) tidy(context.Context, string, time.Time) error { return nil }

func (s *gcsService) failure(err error) (code string, status int) {
	var answer *gcsError
	if !errors.As(err, &answer) {
		return "", 0
	}
	return answer.code, answer.status
}
