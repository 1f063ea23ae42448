package ingest

import (
	"strings"

	"github.com/pingmill/pingmill/ping"
)

// Submission is a request of a client, as the edge or a file stores it. A nil text is absent; an empty text is
// the empty string.
type Submission struct {
	URI        []byte // path of the request, with its query string if it has one
	Timestamp  int64  // arrival at the server, ns since epoch
	Headers    Headers
	RemoteAddr []byte // address of the peer, with or without port
	Body       []byte // as received, packed or not
	// Meta is metadata known beforehand, as in a backfill, or nil. A country in it replaces the geo lookup; the
	// submission's own metadata overrides the rest.
	Meta *ping.Meta
	// Ahead, if not nil, may have begun to unpack Body.
	Ahead *Ahead

	// ParseSubmission reuses these.
	preset  ping.Meta // Meta points to it
	reader  ping.MetaReader
	doc     ping.Doc
	members []ping.Member
	body    []byte // memory of Body
}

// Reset empties the submission and retains its memory.
func (s *Submission) Reset() {
	s.URI, s.Timestamp, s.Headers, s.RemoteAddr, s.Body, s.Meta, s.Ahead = nil, 0, Headers{}, nil, nil, nil, nil
}

// Header is a request header that ingestion uses.
type Header uint8

// Ingestion uses these headers and drops all others.
const (
	ContentEncoding Header = iota
	DateHeader
	DNTHeader
	HostHeader
	ForwardedFor
	PingSenderVersion
	UserAgent // metadata of Glean pings; stored with rejected submissions
	DebugID
	SourceTags
	TelemetryAgent
	numHeaders
)

var headerNames = [numHeaders]string{
	"Content-Encoding", "Date", "DNT", "Host", "X-Forwarded-For", "X-PingSender-Version", "User-Agent",
	"X-Debug-ID", "X-Source-Tags", "X-Telemetry-Agent",
}

// Name returns the header's name in its usual spelling.
func (h Header) Name() string { return headerNames[h] }

// HeaderByName returns the header of a name; case does not matter.
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

// Get returns a header's value, nil if the request has none.
func (h *Headers) Get(name Header) []byte { return h.values[name] }

// Set sets a header's value to v without a copy.
func (h *Headers) Set(name Header, v []byte) { h.values[name] = v }
