package send

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/privacy/forget"
	"github.com/pingmill/pingmill/tools/generate"
)

// job is a submission on its way, with its memory.
type job struct {
	start  time.Time // from which its latency counts; zero: from its sending
	uri    []byte    // as the generator made it
	url    *url.URL
	header http.Header
	body   *body
}

// take copies a submission out of the generator's memory.
func (j *job) take(s *generate.Submission, to *url.URL) {
	j.uri = append(j.uri[:0], s.URI...)
	j.url = target(to, j.uri)
	j.header = requestHeader(s)
	j.body.data = append(j.body.data[:0], s.Body...)
}

// end releases the memory of the body. If a connection may still read the body, the job gets a new one.
func (j *job) end() {
	if j.body.readers.Load() > 0 {
		j.body = &body{}
	}
}

// request makes a request for a try. Its body is always of known length.
func (j *job) request() *http.Request {
	r := &http.Request{
		Method: http.MethodPost, URL: j.url, Host: j.url.Host, Header: j.header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Body: http.NoBody, ContentLength: int64(len(j.body.data)),
	}
	if r.ContentLength > 0 {
		r.Body, _ = j.body.open() // never fails
		r.GetBody = j.body.open
	}
	return r
}

// target returns the address of a submission: its path as it is, but for bytes that would end the request line. Without
// a path it is "/".
func target(to *url.URL, uri []byte) *url.URL {
	path := strings.TrimSuffix(to.EscapedPath(), "/") + escape(uri)
	if path == "" {
		path = "/"
	}
	u := &url.URL{Scheme: to.Scheme, Host: to.Host}
	if !strings.HasPrefix(path, "//") {
		u.Opaque = path // sent untouched
		return u
	}
	// An opaque part that begins like this would be taken for a host.
	raw, query, found := strings.Cut(path, "?")
	u.RawQuery, u.ForceQuery = query, found && query == ""
	u.RawPath = raw
	u.Path = raw
	if decoded, err := url.PathUnescape(raw); err == nil {
		u.Path = decoded
	}
	return u
}

// escape percent-encodes blanks and control bytes.
func escape(uri []byte) string {
	const hex = "0123456789ABCDEF"
	if bytes.IndexFunc(uri, forbidden) < 0 {
		return string(uri)
	}
	var b strings.Builder
	for _, c := range uri {
		if forbidden(rune(c)) {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func forbidden(r rune) bool { return r <= ' ' || r == 0x7f }

// requestHeader returns the submission's headers and the other headers that a browser sends. The host is the
// connection's.
func requestHeader(s *generate.Submission) http.Header {
	h := make(http.Header, len(s.Headers)+2)
	h["Content-Type"] = []string{"application/json; charset=UTF-8"}
	for _, f := range s.Headers {
		if f.Name != "Host" {
			name := http.CanonicalHeaderKey(f.Name)
			h[name] = append(h[name], oneLine(f.Value))
		}
	}
	if h["User-Agent"] == nil {
		h["User-Agent"] = []string{userAgent(s)}
	}
	return h
}

// oneLine puts a blank for every control byte of a header's value.
func oneLine(v string) string {
	return strings.Map(func(r rune) rune {
		if forbidden(r) && r != '\t' {
			return ' '
		}
		return r
	}, v)
}

// platforms maps the system names in pings to those in the browser's user agent.
var platforms = map[string]string{
	"Windows_NT": "Windows NT 10.0; Win64; x64", "Darwin": "Macintosh; Intel Mac OS X 10.13", "Linux": "X11; Linux x86_64",
}

// userAgent returns the user agent of the sending program.
func userAgent(s *generate.Submission) string {
	if v, ok := s.Header("X-PingSender-Version"); ok {
		return "pingsender/" + v
	}
	p, ok := platforms[string(s.Meta.Text(ping.OS))]
	if !ok {
		p = platforms["Windows_NT"]
	}
	app, version := "Firefox", "58.0"
	if seg, n := segments(s.URI); n == len(seg) {
		major, _, _ := bytes.Cut(seg[4], []byte("."))
		app, version = oneLine(string(seg[3])), oneLine(string(major))+".0"
	}
	return "Mozilla/5.0 (" + p + "; rv:" + version + ") Gecko/20100101 " + app + "/" + version
}

// DocumentID returns the document id in the path of a submission, of the telemetry or the generic form, or nil. It
// agrees with what ingestion finds.
func DocumentID(uri []byte) []byte {
	seg, n := segments(uri)
	switch {
	case n == len(seg) && string(seg[0]) == "telemetry":
		return seg[1]
	case n >= 4 && len(bytes.Trim(seg[2], "0123456789")) == 0:
		return seg[3]
	}
	return nil
}

// isRequest reports whether a submission is a deletion request of Glean.
func isRequest(uri []byte) bool {
	seg, n := segments(uri)
	return n >= 4 && forget.Rules{}.IsRequest(string(seg[0]), string(seg[1]))
}

// segments returns the first segments of a submission's path, and how many it has.
func segments(uri []byte) (seg [7][]byte, n int) {
	path, ok := bytes.CutPrefix(uri, []byte("/submit/"))
	for more := ok && utf8.Valid(path); more && n < len(seg); n++ {
		if seg[n], path, more = bytes.Cut(path, []byte("/")); len(seg[n]) == 0 {
			break
		}
	}
	return seg, n
}
