package edge

import (
	"net/http"
	"net/netip"
	"slices"

	"github.com/pingmill/pingmill/ingest/spool"
)

// submission is the pooled state of one request. The texts of its record point
// into text, the body into buf.
type submission struct {
	rec      spool.Record
	headers  [len(storedHeaders) + 2]spool.Header
	text     []byte
	response []byte
	buf      *[]byte
	reserved int64 // bytes of the bound on bodies in flight
}

// storedHeaders lists the headers of a record besides Host and X-Forwarded-For.
var storedHeaders = [...]struct {
	key  string // as net/http writes it
	name []byte
}{
	{"Date", []byte("Date")},
	{"Dnt", []byte("DNT")},
	{"User-Agent", []byte("User-Agent")},
	{"Content-Encoding", []byte("Content-Encoding")},
	{"X-Pingsender-Version", []byte("X-PingSender-Version")},
	{"X-Debug-Id", []byte("X-Debug-ID")},
	{"X-Source-Tags", []byte("X-Source-Tags")},
	{"X-Telemetry-Agent", []byte("X-Telemetry-Agent")},
}

var (
	hostName      = []byte("Host")
	forwardedName = []byte("X-Forwarded-For")
)

// describe fills the record except for the body.
func (b *submission) describe(r *http.Request, uri string, trusted []netip.Prefix) {
	b.text = b.text[:0]
	b.rec = spool.Record{URI: b.keep(uri), Headers: b.headers[:0]}
	for _, h := range storedHeaders {
		if v := r.Header[h.key]; v != nil {
			b.header(h.name, b.keep(cut(lastOf(v))))
		}
	}
	if r.Host != "" {
		b.header(hostName, b.keep(cut(r.Host)))
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return
	}
	addr := peer.Addr().Unmap().WithZone("")
	start := len(b.text)
	b.text = addr.AppendTo(b.text)
	b.rec.RemoteAddr = b.text[start:len(b.text):len(b.text)]
	if v := r.Header["X-Forwarded-For"]; v != nil && contains(trusted, addr) {
		b.header(forwardedName, b.forwarded(v))
	}
}

func (b *submission) header(name, value []byte) {
	b.rec.Headers = append(b.rec.Headers, spool.Header{Name: name, Value: value})
}

// keep copies a text into memory of the submission.
func (b *submission) keep(s string) []byte {
	start := len(b.text)
	b.text = append(b.text, s...)
	return b.text[start:len(b.text):len(b.text)]
}

// forwarded joins the lines of X-Forwarded-For. It truncates a long one at the beginning, because a trusted
// proxy adds the last address.
func (b *submission) forwarded(lines []string) []byte {
	start := len(b.text)
	for i, l := range lines {
		if i > 0 {
			b.text = append(b.text, ", "...)
		}
		b.text = append(b.text, l...)
	}
	start = max(start, len(b.text)-maxValue)
	return b.text[start:len(b.text):len(b.text)]
}

// lastOf returns the last value that is not empty.
func lastOf(values []string) string {
	for _, v := range slices.Backward(values) {
		if v != "" {
			return v
		}
	}
	return ""
}

func cut(s string) string { return s[:min(len(s), maxValue)] }

func contains(nets []netip.Prefix, a netip.Addr) bool {
	return slices.ContainsFunc(nets, func(n netip.Prefix) bool { return n.Contains(a) })
}
