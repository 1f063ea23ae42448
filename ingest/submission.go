package ingest

import (
	"strings"

	"github.com/pingmill/pingmill/ping"
)

// Submission is a request of a client, as the edge or a file keeps it. In all
// texts nil is absent and empty is the empty text.
type Submission struct {
	URI        []byte // path of the request, with its query string if it has one
	Timestamp  int64  // arrival at the server, ns since epoch
	Headers    Headers
	RemoteAddr []byte // address of the peer, with or without port
	Body       []byte // as it came, packed or not
	// Meta is metadata that is known beforehand, as in a backfill, or nil. A
	// country in it replaces the geo lookup; the submission's own metadata wins
	// over the rest.
	Meta *ping.Meta
	// Ahead, if not nil, may have begun to unpack Body.
	Ahead *Ahead

	// What ParseSubmission uses again.
	preset  ping.Meta // Meta points to it
	reader  ping.MetaReader
	doc     ping.Doc
	members []ping.Member
	body    []byte // memory of Body
}

// Reset makes the submission empty and keeps its memory.
func (s *Submission) Reset() {
	s.URI, s.Timestamp, s.Headers, s.RemoteAddr, s.Body, s.Meta, s.Ahead = nil, 0, Headers{}, nil, nil, nil, nil
}

// Header names a request header that ingestion uses.
type Header uint8

// The headers that ingestion uses; all others are forgotten.
const (
	ContentEncoding Header = iota
	DateHeader
	DNTHeader
	HostHeader
	ForwardedFor
	PingSenderVersion
	UserAgent // kept with rejected submissions; no metadata
	numHeaders
)

var headerNames = [numHeaders]string{
	"Content-Encoding", "Date", "DNT", "Host", "X-Forwarded-For", "X-PingSender-Version", "User-Agent",
}

// Name is the header's name as it is usually written.
func (h Header) Name() string { return headerNames[h] }

// HeaderByName finds a header; case does not matter.
func HeaderByName(name string) (Header, bool) {
	for h, n := range headerNames {
		if strings.EqualFold(n, name) {
			return Header(h), true
		}
	}
	return 0, false
}

// Headers holds the headers that ingestion uses.
type Headers struct{ values [numHeaders][]byte }

// Get returns a header's value, nil when the request has none.
func (h *Headers) Get(name Header) []byte { return h.values[name] }

// Set sets a header's value to v itself.
func (h *Headers) Set(name Header, v []byte) { h.values[name] = v }
