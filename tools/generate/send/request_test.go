package send

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/tools/generate"
)

// benchmarkEdge acknowledges everything.
func benchmarkEdge(t testing.TB) *url.URL {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
	}))
	t.Cleanup(s.Close)
	return mustURL(t, s.URL)
}

func mustURL(t testing.TB, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	require.NoError(t, err)
	return u
}

// TestPathsAsTheyAre sends odd paths and looks at the request line that comes.
func TestPathsAsTheyAre(t *testing.T) {
	var got string
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.RequestURI + " " + r.Host }))
	defer s.Close()
	u := mustURL(t, s.URL)
	for _, c := range []struct{ prefix, uri, want string }{
		{"", "", "/"},
		{"/", "", "/"},
		{"", "/submit/telemetry/a/../%2e%2E/%2f?v=4", "/submit/telemetry/a/../%2e%2E/%2f?v=4"},
		{"", "/submit//x//", "/submit//x//"},
		{"", "//submit/telemetry/x?v=4", "//submit/telemetry/x?v=4"},
		{"", "//submit/%41/x?", "//submit/%41/x?"},
		{"", "/submit/a b\r\nX: y\x7f", "/submit/a%20b%0D%0AX:%20y%7F"},
		{"", "/submit/ümlaut/夜", "/submit/ümlaut/夜"},
		{"", "/a?b?c#d", "/a?b?c#d"},
		{"/edge/", "/submit/x", "/edge/submit/x"},
		{"/edge", "", "/edge"},
	} {
		to := *u
		to.Path = c.prefix
		j := job{body: &body{}}
		j.take(&generate.Submission{URI: []byte(c.uri), Body: []byte("{}")}, &to)
		r, err := http.DefaultTransport.RoundTrip(j.request())
		if err != nil {
			t.Errorf("%q: %v", c.uri, err)
			continue
		}
		r.Body.Close()
		if want := c.want + " " + u.Host; got != want {
			t.Errorf("%q arrives as %q, want %q", c.uri, got, want)
		}
	}
}

func TestHeaders(t *testing.T) {
	s := &generate.Submission{
		URI: []byte("/submit/telemetry/id/main/Fennec/57.0.1/beta/2017?v=4"),
		Headers: []generate.Header{
			{Name: "Host", Value: "elsewhere"}, {Name: "DNT", Value: "1"}, {Name: "Date", Value: "now\r\nX: y"},
		},
	}
	h := requestHeader(s)
	if h["Host"] != nil || h["Dnt"][0] != "1" || h["Date"][0] != "now  X: y" || h["Content-Type"] == nil ||
		h["User-Agent"][0] != "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:57.0) Gecko/20100101 Fennec/57.0" {
		t.Errorf("headers %q", h)
	}
	s.Headers = append(s.Headers, generate.Header{Name: "X-PingSender-Version", Value: "1.0"})
	if h = requestHeader(s); h["User-Agent"][0] != "pingsender/1.0" {
		t.Errorf("headers %q", h)
	}
	s.Headers = append(s.Headers, generate.Header{Name: "User-Agent", Value: "own"})
	if h = requestHeader(s); len(h["User-Agent"]) != 1 || h["User-Agent"][0] != "own" {
		t.Errorf("headers %q", h)
	}
}

// TestBodyAfterClose reads a body that was closed, whose memory may be used for
// another one by now.
func TestBodyAfterClose(t *testing.T) {
	b := &body{data: []byte("some bytes")}
	r, err := b.open()
	require.NoError(t, err)
	p := make([]byte, 4)
	if n, err := r.Read(p); n != 4 || err != nil || string(p) != "some" {
		t.Fatalf("%q %v", p[:n], err)
	}
	if rest, err := io.ReadAll(r); string(rest) != " bytes" || err != nil {
		t.Fatalf("%q %v", rest, err)
	}
	if b.readers.Load() != 1 || r.Close() != nil || r.Close() != nil || b.readers.Load() != 0 {
		t.Errorf("%d readers", b.readers.Load())
	}
	if n, err := r.Read(p); n != 0 || err == nil {
		t.Errorf("%d bytes after the end, %v", n, err)
	}
	j := job{body: b, url: &url.URL{}}
	content, _ := j.request().GetBody()
	if j.end(); j.body == b {
		t.Error("memory that is read from is used again")
	}
	content.Close()
}

func FuzzDocumentID(f *testing.F) {
	for _, uri := range []string{
		"/submit/telemetry/id/main/Firefox/58.0/release/2018?v=4", "/submit/ns/main/4/id", "/submit/ns/main/x/id", "", "/submit/",
		"/submit/telemetry/1/2/3", "/submit/telemetry/a/b/c/d/e", "/submit/a//4/id", "/submit/a/b/4/id/more", "/submit/a/b/4/\xff",
	} {
		f.Add([]byte(uri))
	}
	f.Fuzz(func(t *testing.T, uri []byte) {
		u, err := ingest.ParseURI(uri)
		if got := DocumentID(uri); !bytes.Equal(got, u.DocumentID) || (err == nil) != (got != nil) {
			t.Errorf("document id %q, ingestion finds %q, %v", got, u.DocumentID, err)
		}
	})
}
