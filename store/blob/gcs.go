package blob

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"
)

// gcsService is Google's. It speaks the JSON API of Cloud Storage itself: Google's client would bring gRPC's services
// with it, a tenth of the program.
type gcsService struct {
	web    *web
	client *http.Client
	host   string // scheme, name and port
	bucket string
	kms    string
}

const (
	gcsHost  = "https://storage.googleapis.com"
	gcsScope = "https://www.googleapis.com/auth/cloud-platform"
)

func (s *gcsService) open(ctx context.Context, r root, web *web) error {
	var sender http.RoundTripper = web
	if !yes(r.get("anonymous")) {
		credentials, err := google.FindDefaultCredentials(ctx, gcsScope)
		if err != nil {
			return err
		}
		sender = &oauth2.Transport{Source: credentials.TokenSource, Base: web}
	}
	host := r.get("endpoint")
	if host == "" {
		host = gcsHost
	}
	s.web, s.client = web, &http.Client{Transport: sender, CheckRedirect: noRedirect}
	s.host, s.bucket, s.kms = strings.TrimSuffix(host, "/"), r.bucket, r.get("kms-key")
	return nil
}

// noRedirect returns redirects to the caller: 308 is how an upload continues.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

func (s *gcsService) delete(ctx context.Context, key, version string) error {
	query := url.Values{}
	if version != "" {
		query.Set("ifGenerationMatch", version)
	}
	return s.answer(ctx, gcsCall{method: http.MethodDelete, url: s.object(key), query: query}, nil)
}

// copy copies an object; a large one takes several requests.
func (s *gcsService) copy(ctx context.Context, from, to string) error {
	query := url.Values{}
	if s.kms != "" {
		query.Set("destinationKmsKeyName", s.kms)
	}
	target := s.object(from) + "/rewriteTo/b/" + url.PathEscape(s.bucket) + "/o/" + url.PathEscape(to)
	for {
		var answer struct {
			Done         bool
			RewriteToken string
		}
		if err := s.answer(ctx, gcsCall{method: http.MethodPost, url: target, query: query}, &answer); err != nil {
			return err
		}
		if answer.Done {
			return nil
		}
		query.Set("rewriteToken", answer.RewriteToken)
	}
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
