package blob_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/blob"
	"github.com/pingmill/pingmill/store/blob/blobtest"
)

// What cannot be opened is said in one line, with what to do, and no secret.
func TestErrors(t *testing.T) {
	good := blobtest.S3(t)
	gcs, azure := blobtest.GCS(t), blobtest.Azure(t)
	_, query, _ := strings.Cut(good, "?")
	for _, test := range []struct{ name, root, want string }{
		{"no bucket", "s3://nowhere?" + query, "open s3://nowhere: there is no such bucket: create it, or correct the URL (NoSuchBucket 404)"},
		{"no bucket of Google's", strings.Replace(gcs, "bucket-", "nowhere-", 1), "there is no such bucket"},
		{"no container", strings.Replace(azure, "container-", "nowhere-", 1),
			"there is no such bucket: create it, or correct the URL (ContainerNotFound 404)"},
		{"no server", "s3://b?path-style=true&endpoint=http://127.0.0.1:1", "no server answers at 127.0.0.1:1: check endpoint="},
		{"no host", "s3://b?path-style=true&endpoint=http://nowhere.invalid", "host nowhere.invalid is not known"},
		{"anonymous", good + "&anonymous=true", "access is denied"},
		{"expired", answers(t, 400, "ExpiredToken"), "the credentials have expired: sign in again or renew them (ExpiredToken 400)"},
		{"another region", answers(t, 301, "PermanentRedirect"),
			"the bucket is in another region: correct region= in the URL (PermanentRedirect 301)"},
		{"another region's signature", answers(t, 400, "AuthorizationHeaderMalformed"), "another region"},
		{"denied", answers(t, 403, "AccessDenied"), "access is denied: the credentials need the right to list"},
		{"clock", answers(t, 403, "RequestTimeTooSkewed"), "this machine's clock is wrong"},
		{"unknown key", answers(t, 403, "InvalidAccessKeyId"), "the credentials are not accepted"},
		{"not a server of objects", answers(t, 404, ""), "the server answered 404"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			_, err := blob.Open(ctx, test.root, blob.Options{Attempts: 2})
			require.ErrorContains(t, err, test.want)
			assert.NotContains(t, err.Error(), "\n")
			assert.NotContains(t, err.Error(), blobtest.Secret)
			assert.NotErrorIs(t, err, fs.ErrNotExist)
			assert.Equal(t, strings.Contains(test.want, "denied"),
				errors.Is(err, fs.ErrPermission) && test.name != "clock" && test.name != "unknown key")
			assert.Less(t, len(err.Error()), 250, err.Error())
		})
	}
}

// TestNoCredentials: where a machine's metadata service refuses credentials, it is not the bucket that denies access.
func TestNoCredentials(t *testing.T) {
	good := blobtest.S3(t)
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	t.Cleanup(refuses.Close)
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_EC2_METADATA_DISABLED": "false",
		"AWS_EC2_METADATA_SERVICE_ENDPOINT": refuses.URL,
	} {
		t.Setenv(name, value)
	}
	_, err := blob.Open(t.Context(), good, blob.Options{Attempts: 1})
	require.ErrorContains(t, err, "no credentials were found: see docs/object-storage.md")
	require.ErrorIs(t, err, blob.ErrNoCredentials)
	require.NotErrorIs(t, err, fs.ErrPermission)
	require.NotContains(t, err.Error(), "denied")
}

// answers returns a root whose server answers everything by one error.
func answers(t *testing.T, status int, code string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		if code != "" {
			fmt.Fprintf(w, `<?xml version="1.0"?><Error><Code>%s</Code><Message>It
			has two lines.</Message></Error>`, code)
		}
	}))
	t.Cleanup(s.Close)
	return "s3://b?path-style=true&endpoint=" + s.URL
}

// A server that goes on refusing is given up after a while, at once if the context ends, and the object is as it was.
func TestEndlessFaults(t *testing.T) {
	root := blobtest.S3(t)
	require.NoError(t, store.WriteFile(t.Context(), open(t, root), "a", []byte("old")))
	for _, test := range []struct {
		faults blobtest.Faults
		want   string
	}{
		{blobtest.Faults{Refuse: 1, Only: []string{"PUT"}}, "the server asks for fewer requests, or is down: try again later (SlowDown 503)"},
		{blobtest.Faults{CutUp: 1, Only: []string{"PUT"}}, "the connection was closed before the answer"},
		{blobtest.Faults{Hang: 1, Only: []string{"PUT"}}, "has neither taken nor sent anything for too long"},
	} {
		t.Run(test.want, func(t *testing.T) {
			t.Parallel()
			b, err := blob.Open(t.Context(), blobtest.Faulty(t, root, test.faults), blob.Options{Stall: 50 * time.Millisecond, Attempts: 3})
			require.NoError(t, err)
			require.ErrorContains(t, store.WriteFile(t.Context(), b, "a", []byte("new")), test.want)
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
			defer cancel()
			require.ErrorIs(t, store.WriteFile(ctx, b, "a", []byte("new")), context.DeadlineExceeded)
			data, err := store.ReadFile(t.Context(), b, "a")
			require.NoError(t, err)
			require.Equal(t, "old", string(data))
		})
	}
}

// errors about URLs name the allowed parts.
func TestBadURLs(t *testing.T) {
	for url, want := range map[string]string{
		"http://host/x":                        "it has to begin with one of azblob://, gs://, s3://",
		"s3://":                                "it needs the name of a bucket",
		"s3:///prefix":                         "it needs the name of a bucket",
		"azblob://":                            "it needs the name of a container",
		"s3://key:secret@bucket":               "it must not hold credentials",
		"s3://bucket:9000/x":                   "another server is ?endpoint=",
		"s3://bucket/a/../b":                   "segment begins with a dot",
		"s3://bucket/a//b":                     "empty segment",
		"s3://bucket?regoin=x":                 `unknown setting "regoin": there are region, endpoint, path-style`,
		"s3://bucket?secret=hush":              `unknown setting "secret"`,
		"s3://bucket?region=":                  "region needs one value",
		"s3://bucket?region=a&region=b":        "region needs one value",
		"s3://bucket?path-style=maybe":         `path-style: "maybe" is neither true nor false`,
		"s3://bucket?endpoint=localhost":       "endpoint: it has to be as https://host:port",
		"s3://bucket?endpoint=http://a:b@host": "endpoint: it has to be as https://host:port",
		"s3://bucket?encryption=rot13":         `encryption: "rot13" is none of AES256, aws:kms`,
		"gs://bucket?region=x":                 `unknown setting "region"`,
		"s3://bucket#x":                        "it must not have a #",
		"s3://bu\x00cket":                      "bad URL of a bucket",
	} {
		_, err := blob.Open(t.Context(), url, blob.Options{})
		if assert.ErrorContains(t, err, want, url) {
			assert.NotContains(t, err.Error(), "secret@")
			assert.NotContains(t, err.Error(), "hush")
		}
	}
}

func FuzzURL(f *testing.F) {
	for _, url := range []string{"s3://bucket/a/b?region=x&path-style=true", "gs://b?endpoint=http://h", "azblob://c/é", "s3://b/%2e%2e/x"} {
		f.Add(url)
	}
	f.Fuzz(func(t *testing.T, url string) {
		joined, err := blob.Join(url, "below")
		if err != nil {
			return
		}
		again, err := blob.Join(joined)
		if err != nil || again != joined {
			t.Errorf("%q became %q, then %q, %v", url, joined, again, err)
		}
	})
}
