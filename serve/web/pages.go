package web

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/pingmill/pingmill/serve/web/api"
)

// noncePlace is the placeholder of the nonce in index.html.
const noncePlace = "__NONCE__"

// hashed is the folder of files with a hash of their content in the name.
const hashed = "assets/"

// asset is a file of the pages, plain and compressed.
type asset struct {
	kind    string
	plain   []byte
	etag    string
	control string // value of Cache-Control
	gzip    func() []byte
}

// pages serves the files of the pages. For the pages' own paths it serves the start page.
type pages struct {
	index  []byte
	assets map[string]*asset
}

// newPages reads the build output of serve/web/app.
func newPages(dist fs.FS) (*pages, error) {
	p := &pages{assets: map[string]*asset{}}
	err := fs.WalkDir(dist, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(dist, name)
		if err != nil {
			return err
		}
		if name == "index.html" {
			p.index = content
			return nil
		}
		p.assets[name] = newAsset(name, content)
		return nil
	})
	return p, err
}

func newAsset(name string, content []byte) *asset {
	sum := sha256.Sum256(content)
	a := &asset{kind: typeOf(name), plain: content, etag: hex.EncodeToString(sum[:8]), control: "no-cache"}
	if strings.HasPrefix(name, hashed) {
		a.control = "public, max-age=31536000, immutable"
	}
	a.gzip = sync.OnceValue(func() []byte { return compressed(content) })
	return a
}

// types maps extensions to content types, independent of the machine's configuration.
var types = map[string]string{
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".woff2": "font/woff2",
	".json": "application/json",
}

func typeOf(name string) string {
	if t := types[path.Ext(name)]; t != "" {
		return t
	}
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return "application/octet-stream"
}

// compressed returns nil if compression saves little.
func compressed(content []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is one
	}
	_, _ = w.Write(content) // into memory
	_ = w.Close()
	if b.Len() > len(content)*9/10 {
		return nil
	}
	return b.Bytes()
}

func (p *pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	switch a := p.assets[name]; {
	case a != nil:
		a.serve(w, r)
	case strings.HasPrefix(name, "api/"):
		api.Problem(w, http.StatusNotFound, "there is no such operation")
	case strings.HasPrefix(name, hashed): // of another version; the start page is not a script
		http.Error(w, "no such file", http.StatusNotFound)
	default:
		p.serveIndex(w)
	}
}

// serveIndex serves the start page with a new nonce, which allows the query editor to add styles.
func (p *pages) serveIndex(w http.ResponseWriter) {
	nonce := rand.Text()
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	policy := h.Get("Content-Security-Policy") // the policy of all responses
	h.Set("Content-Security-Policy", strings.Replace(policy, "style-src 'self'", "style-src 'self' 'nonce-"+nonce+"'", 1))
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write(bytes.Replace(p.index, []byte(noncePlace), []byte(nonce), 1))
}

func (a *asset) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("Cache-Control", a.control)
	h.Set("Vary", "Accept-Encoding")
	content, etag := a.plain, a.etag
	if takesGzip(r.Header.Get("Accept-Encoding")) && r.Header.Get("Range") == "" {
		if small := a.gzip(); small != nil {
			content, etag = small, etag+"-gzip"
			h.Set("Content-Encoding", "gzip")
		}
	}
	h.Set("ETag", `"`+etag+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// takesGzip reports whether Accept-Encoding includes gzip.
func takesGzip(accept string) bool {
	for coding := range strings.SplitSeq(accept, ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(coding), ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q := strings.TrimPrefix(strings.ReplaceAll(weight, " ", ""), "q=")
			return strings.Trim(q, "0.") != "" || q == ""
		}
	}
	return false
}
