package blobtest

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// A Request is a class of S3 requests that are counted together.
type Request struct {
	Kind string // get, head, put, copy, list or delete
	Key  string // of the object, or the prefix of a listing
}

// Counted returns another URL of a bucket: the URL of a proxy that counts requests.
func Counted(t testing.TB, root string) (counted string, requests func() map[Request]int) {
	t.Helper()
	u, err := url.Parse(root)
	require.NoError(t, err)
	set := u.Query()
	to, err := url.Parse(set.Get("endpoint"))
	require.NoError(t, err)
	var mu sync.Mutex
	all := map[Request]int{}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host // the request is signed with it
	}}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		all[requestOf(r)]++
		mu.Unlock()
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	set.Set("endpoint", s.URL)
	u.RawQuery = set.Encode()
	return u.String(), func() map[Request]int {
		mu.Lock()
		defer mu.Unlock()
		return maps.Clone(all)
	}
}

func requestOf(r *http.Request) Request {
	_, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	q := r.URL.Query()
	switch {
	case r.Method == http.MethodGet && key == "":
		return Request{"list", q.Get("prefix")}
	case r.Method == http.MethodGet, r.Method == http.MethodHead, r.Method == http.MethodDelete:
		return Request{strings.ToLower(r.Method), key}
	case r.Header.Get("X-Amz-Copy-Source") != "":
		return Request{"copy", key}
	}
	return Request{"put", key}
}
