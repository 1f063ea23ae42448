package ingest

import (
	"bytes"
	"strconv"

	"github.com/pingmill/pingmill/ping"
)

// Kind is the kind of an outcome.
type Kind uint8

// The kinds of outcomes.
const (
	Error Kind = iota
	Ping
	Duplicate
)

var kindWords = [...]string{Error: "error", Ping: "ping", Duplicate: "duplicate"}

// String returns the kind's name in outcomes: ping, duplicate or error.
func (k Kind) String() string { return kindWords[k] }

// The classes of errors.
const (
	ClassURI      = "uri"      // the path is missing or has no known form, or a Glean ping's document id is not a UUID
	ClassJSON     = "json"     // the body is not a JSON object, or violates the schema of a telemetry ping
	ClassSchema   = "schema"   // the body violates the rules of Glean pings
	ClassInternal = "internal" // anything else
)

// Outcome is the result of decoding a submission. It can be reused; its contents are valid until the next
// submission. Its texts and body may point into the submission.
type Outcome struct {
	Kind Kind
	// Meta is the metadata: all of it for a ping, else the members known before decoding ended.
	Meta ping.Meta
	// Body is a ping's JSON document, unpacked and as the client wrote it.
	Body []byte
	// Gzip is the submission's body if that is gzip of exactly Body; else nil.
	Gzip []byte

	Class, Message string // of an error; neither has the client's address

	DuplicateDelta int64 // of a duplicate: minutes between it and the first one

	doc      ping.Doc
	unpacked []byte  // memory for bodies that come packed
	inner    []byte  // the same, for bodies packed twice
	begun    []byte  // a body that Ahead has unpacked into unpacked
	begunErr error   // and its error
	last     method  // method by which a body was unpacked
	day      [8]byte // the submission date
	dayOf    int64   // number of that day from 1 on, 1970-01-01; 0: none
}

// reset empties the outcome and retains its memory.
func (o *Outcome) reset() {
	o.Kind, o.Class, o.Message, o.DuplicateDelta, o.Body, o.Gzip = Error, "", "", 0, nil, nil
	o.Meta.Reset()
}

// Scanned returns the document of a ping as it was scanned, for ping.Doc.Rescan.
func (o *Outcome) Scanned() *ping.Doc { return &o.doc }

// Fail turns the outcome into an error. It retains the metadata.
func (o *Outcome) Fail(class, message string) {
	o.Kind, o.Class, o.Message, o.Body, o.Gzip = Error, class, message, nil, nil
}

// AppendJSON appends the outcome as one line of JSON, without the line feed:
//
//	{"outcome":"ping","meta":{…},"ping":{…}}
//	{"outcome":"duplicate","meta":{…},"duplicateDelta":3}
//	{"outcome":"error","meta":{…},"error":{"class":"json","message":"…"}}
//
// The ping is written as the client sent it, except that line breaks between its tokens become blanks.
func (o *Outcome) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"outcome":"`...)
	dst = append(dst, o.Kind.String()...)
	dst = append(dst, `","meta":`...)
	dst = o.Meta.AppendJSON(dst)
	switch o.Kind {
	case Ping:
		dst = append(dst, `,"ping":`...)
		dst = appendOneLine(dst, o.Body)
	case Duplicate:
		dst = append(dst, `,"duplicateDelta":`...)
		dst = strconv.AppendInt(dst, o.DuplicateDelta, 10)
	default:
		dst = append(dst, `,"error":{"class":`...)
		dst = ping.AppendQuoted(dst, []byte(o.Class))
		dst = append(dst, `,"message":`...)
		dst = append(ping.AppendQuoted(dst, []byte(o.Message)), '}')
	}
	return append(dst, '}')
}

// appendOneLine appends a valid JSON document, whose strings have no raw line
// breaks.
func appendOneLine(dst, doc []byte) []byte {
	start := len(dst)
	dst = append(dst, doc...)
	line := dst[start:]
	for _, c := range []byte("\r\n") {
		for p := 0; ; p++ {
			i := bytes.IndexByte(line[p:], c)
			if i < 0 {
				break
			}
			p += i
			line[p] = ' '
		}
	}
	return dst
}
