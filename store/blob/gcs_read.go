package blob

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

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

// bytes returns the object's size, which the API writes as text.
func (o *gcsObject) bytes() int64 {
	n, _ := strconv.ParseInt(o.Size, 10, 64) // 0 if there is none
	return n
}

// objects returns the URL of the bucket's objects.
func (s *gcsService) objects() string {
	return s.host + "/storage/v1/b/" + url.PathEscape(s.bucket) + "/o"
}

func (s *gcsService) object(key string) string { return s.objects() + "/" + url.PathEscape(key) }

func (s *gcsService) head(ctx context.Context, key string) (object, error) {
	var o gcsObject
	if err := s.answer(ctx, gcsCall{method: http.MethodGet, url: s.object(key)}, &o); err != nil {
		return object{}, err
	}
	return object{size: o.bytes(), version: o.Generation, mark: o.Metadata[markKey], changed: o.Updated}, nil
}

func (s *gcsService) list(ctx context.Context, prefix, delimiter, token string, most int) (p page, err error) {
	query := url.Values{
		"maxResults": {strconv.Itoa(most)}, "prefix": {prefix}, "delimiter": {delimiter},
		"fields": {"items(name,size),prefixes,nextPageToken"},
	}
	if token != "" {
		query.Set("pageToken", token)
	}
	var answer struct {
		Items         []gcsObject
		Prefixes      []string
		NextPageToken string
	}
	err = s.answer(ctx, gcsCall{method: http.MethodGet, url: s.objects(), query: query}, &answer)
	var failed *gcsError
	if errors.As(err, &failed) && failed.status == http.StatusNotFound {
		failed.code = "NoSuchBucket"
	}
	if err != nil {
		return p, err
	}
	for i := range answer.Items {
		p.entries = append(p.entries, entry{name: answer.Items[i].Name, size: answer.Items[i].bytes()})
	}
	for _, prefix := range answer.Prefixes {
		p.entries = append(p.entries, entry{name: prefix, folder: true})
	}
	sortEntries(p.entries)
	p.next = answer.NextPageToken
	return p, nil
}

func (s *gcsService) get(ctx context.Context, key, version string, off, length int64) (io.ReadCloser, object, error) {
	query := url.Values{"alt": {"media"}}
	if version != "" {
		query.Set("generation", version)
	}
	resp, err := s.do(ctx, gcsCall{
		method: http.MethodGet, url: s.object(key), query: query, header: map[string]string{"Range": byteRange(off, length)},
	})
	if err != nil {
		return nil, object{}, err
	}
	size := wholeSize(resp.ContentLength, resp.Header.Get("Content-Range"))
	return resp.Body, object{size: size, version: resp.Header.Get("X-Goog-Generation")}, nil
}
