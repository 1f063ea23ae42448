package generate

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/klauspost/compress/gzip"

	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/tools/generate/jsontext"
	"github.com/pingmill/pingmill/tools/generate/random"
)

// Header is a header of a request.
type Header struct{ Name, Value string }

// Fate is the expected outcome of a submission.
type Fate uint8

// The fates of submissions.
const (
	Accepted Fate = iota
	Duplicate
	Rejected
	Request // to forget a client, which is counted and not kept
)

// Submission is a request of a client, with its expected outcome.
type Submission struct {
	URI        []byte // nil when the request has none
	Timestamp  int64  // arrival at the server, ns since epoch
	Headers    []Header
	RemoteAddr string
	Body       []byte // as it is sent, gzipped if so configured

	Fate Fate
	// Class is the error class of a rejected submission: uri or json.
	Class string
	// Odd describes what is unusual about an accepted submission, or why one is rejected; empty for all others.
	Odd string
	// DocType is the document's type, which the URI of a rejected submission may lack.
	DocType ping.DocType
	// Document is the JSON of the body; of rejected submissions it may not be.
	Document []byte
	// Meta is the metadata that ingestion adds, with the client's location as in a geo database. Only accepted
	// submissions have it.
	Meta ping.Meta
}

// Header returns the value of a header and whether there is one.
func (s *Submission) Header(name string) (value string, ok bool) {
	for _, h := range s.Headers {
		if h.Name == name {
			return h.Value, true
		}
	}
	return "", false
}

// writer writes one submission after the other in the same memory.
type writer struct {
	g   *Generator
	sub Submission
	outline
	hardware
	software
	doc, tail jsontext.Text
	uri       []byte
	packed    bytes.Buffer
	gzip      *gzip.Writer
	ids       [512]byte // memory for the identifiers of the metadata
}

// write writes the submission of an entry to w.sub.
func (w *writer) write(e *entry) {
	w.set(w.g, e)
	w.sub = Submission{
		Timestamp: e.arrival, DocType: w.docType, Fate: w.fate, Class: w.class, Odd: w.odd,
		Headers: w.sub.Headers[:0],
	}
	if w.entry.kind.isGlean() {
		gleanOf(w).write()
	} else {
		w.writeDocument()
		w.writeURI()
		w.writeHeaders()
	}
	w.sub.Document = w.doc.B
	w.sub.Body = w.doc.B
	if d := w.damage; d.edit != nil {
		r := random.New(w.g.config.Seed, random.ForDamage, w.client.number, uint64(e.serial))
		d.edit(w, &r)
	}
	if w.g.config.Gzip && !isPacked(w.sub.Body) {
		w.pack()
	}
	if w.fate == Accepted && w.entry.kind.isGlean() {
		gleanOf(w).setMeta()
	} else if w.fate == Accepted {
		w.setMeta()
	}
}

// isPacked reports whether a body is gzip already, or damaged to look so.
func isPacked(body []byte) bool { return len(body) > 0 && body[0] == 0x1f }

// writeURI writes the path as the browser of the outline makes it.
func (w *writer) writeURI() {
	b := append(w.uri[:0], "/submit/telemetry/"...)
	b = random.AppendUUID(b, w.g.config.Seed, random.ForDocumentID, w.client.number, uint64(w.entry.serial))
	for _, part := range [...]string{string(w.docType), w.app, w.build.version, w.client.channel.name, w.build.id} {
		b = append(append(b, '/'), part...)
	}
	w.uri = append(b, "?v=4"...)
	w.sub.URI = w.uri
}

// writeHeaders sets the headers and the address of the peer.
func (w *writer) writeHeaders() {
	c := &w.client
	r := random.New(w.g.config.Seed, random.ForHeaders, c.number, uint64(w.entry.serial))
	if w.entry.again {
		r.Uint64() // sent again, by the same client over another way
	}
	add := func(name, value string) { w.sub.Headers = append(w.sub.Headers, Header{name, value}) }
	add("Host", "incoming.telemetry.example.org")
	add("Date", httpDate(w.entry.arrival-int64(r.Span(20, 2000))*second/1000+c.skew))
	w.sub.RemoteAddr = c.address().String()
	if c.proxied {
		w.sub.RemoteAddr = "10.0.0." + strconv.Itoa(r.Between(1, 254))
		forwarded := c.address().String()
		if r.OneIn(4) {
			forwarded = fmt.Sprintf("10.%d.%d.7, %s", r.Below(256), r.Below(256), forwarded)
		}
		add("X-Forwarded-For", forwarded)
	}
	if w.entry.sender {
		add("X-PingSender-Version", "1.0")
	}
	if c.dnt {
		add("DNT", "1")
	}
}

// clientLevel matches Firefox's compression: its bodies have the size of zlib's default level; those of this package
// are 4 % larger.
const clientLevel = 6

// pack replaces the body by its gzip form.
func (w *writer) pack() {
	w.packed.Reset()
	if w.gzip == nil {
		w.gzip, _ = gzip.NewWriterLevel(nil, clientLevel) // a valid level
	}
	w.gzip.Reset(&w.packed)
	_, _ = w.gzip.Write(w.sub.Body) // into memory
	w.gzip.Close()
	w.sub.Body = w.packed.Bytes()
	w.sub.Headers = append(w.sub.Headers, Header{"Content-Encoding", "gzip"})
}
