package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestFiles: each address gets what a browser needs there, to be kept for as long as it stays the same.
func TestFiles(t *testing.T) {
	script := strings.Repeat("let a = 1;\n", 100)
	p, err := newPages(fstest.MapFS{
		"index.html":        {Data: []byte(`<meta nonce="__NONCE__">`)},
		"icon.svg":          {Data: []byte("<svg/>")},
		"assets/app-abc.js": {Data: []byte(script)},
	})
	require.NoError(t, err)
	get := func(path string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", path, nil)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		return w
	}
	for _, c := range []struct {
		path, kind, control string
		status              int
	}{
		{"/", "text/html; charset=utf-8", "no-store", 200},
		{"/catalog/main_summary", "text/html; charset=utf-8", "no-store", 200},
		{"/index.html", "text/html; charset=utf-8", "no-store", 200},
		{"/icon.svg", "image/svg+xml", "no-cache", 200},
		{"/assets/app-abc.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable", 200},
		{"/assets/app-old.js", "text/plain; charset=utf-8", "", 404},
		{"/assets/../assets/app-abc.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable", 200},
		{"/api/v1/nothing", "application/problem+json", "", 404},
	} {
		w := get(c.path)
		require.Equal(t, c.status, w.Code, c.path)
		require.Equal(t, c.kind, w.Header().Get("Content-Type"), c.path)
		if c.control != "" {
			require.Equal(t, c.control, w.Header().Get("Cache-Control"), c.path)
		}
	}

	w := get("/assets/app-abc.js", "Accept-Encoding", "br, gzip;q=0.8")
	require.Equal(t, "gzip", w.Header().Get("Content-Encoding"))
	small, err := gzip.NewReader(bytes.NewReader(w.Body.Bytes()))
	require.NoError(t, err)
	text, err := io.ReadAll(small)
	require.NoError(t, err)
	require.Equal(t, script, string(text))
	require.Equal(t, http.StatusNotModified,
		get("/assets/app-abc.js", "Accept-Encoding", "gzip", "If-None-Match", w.Header().Get("ETag")).Code)
	for _, accept := range []string{"", "br", "gzip;q=0", "gzip; q=0.0", "identity"} {
		require.Equal(t, script, get("/assets/app-abc.js", "Accept-Encoding", accept).Body.String(), accept)
	}
}

// TestPolicy: styles written into a page are taken with its nonce only, which is another one each time.
func TestPolicy(t *testing.T) {
	p, err := newPages(fstest.MapFS{"index.html": {Data: []byte(`<meta nonce="__NONCE__">`)}})
	require.NoError(t, err)
	seen := map[string]bool{}
	for range 2 {
		w := httptest.NewRecorder()
		w.Header().Set("Content-Security-Policy", "script-src 'self'; style-src 'self'")
		p.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
		csp := w.Header().Get("Content-Security-Policy")
		nonce := regexp.MustCompile(`^script-src 'self'; style-src 'self' 'nonce-(\w+)'$`).FindStringSubmatch(csp)
		require.NotNil(t, nonce, csp)
		require.Equal(t, `<meta nonce="`+nonce[1]+`">`, w.Body.String())
		seen[nonce[1]] = true
	}
	require.Len(t, seen, 2)
}
