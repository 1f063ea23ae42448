package loader

import (
	"strings"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/format"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/ping"
)

// rejectedKind is the kind of input as which a rejected row can be decoded again.
type rejectedKind uint8

const (
	untriable    rejectedKind = iota
	asSubmission              // as it came from a client
	asPing                    // decoded elsewhere: metadata and document
)

// kindOf finds what a row can be tried as. Only submissions have a path, and all
// of them a timestamp; of the others those are pings that have the class of a
// bad document, or of one that the archive had no place for. A path that is not
// UTF-8 was not kept as it was.
func kindOf(r *archive.Rejected) rejectedKind {
	_, timed := r.Meta.Int(ping.Timestamp)
	switch {
	case r.Path != "" && timed:
		if r.Class == ingest.ClassURI && strings.ContainsRune(r.Path, '\uFFFD') {
			return untriable
		}
		return asSubmission
	case r.Class == ingest.ClassJSON, r.Class == ingest.ClassInternal:
		return asPing
	}
	return untriable
}

// hiddenAddress replaces the client's address in messages. The address is
// not known any more, so such a message is kept as it is.
const hiddenAddress = "(address)"

// decode tries a rejected submission again. The outcome's body may be in the
// memory of out.
func (p *replay) decode(day ping.Day, r *archive.Rejected, kind rejectedKind, out *ingest.Outcome) (o outcome) {
	err := panics.Try(func() error {
		if kind == asPing {
			decodePing(&format.Record{Meta: r.Meta, Body: r.Body}, &o)
		} else {
			p.decodeSubmission(day, r, out, &o)
		}
		return nil
	})
	if err != nil {
		o = outcome{meta: r.Meta, body: r.Body, class: ingest.ClassInternal, message: panics.Report(err)}
	}
	if o.class == "" {
		o.class, o.message = archive.Unfit(&o.meta)
	}
	o.message = strings.ToValidUTF8(o.message, "\uFFFD")
	if o.class == r.Class && strings.Contains(r.Message, hiddenAddress) {
		o.message = r.Message
	}
	return o
}

func (p *replay) decodeSubmission(day ping.Day, r *archive.Rejected, out *ingest.Outcome, o *outcome) {
	known := r.Meta // also the place, for which there is no address any more
	known.Clear(ping.URI)
	s := ingest.Submission{URI: []byte(r.Path), Body: r.Body, Meta: &known}
	s.Timestamp, _ = r.Meta.Int(ping.Timestamp)
	for name, value := range r.Headers {
		if h, ok := ingest.HeaderByName(name); ok {
			s.Headers.Set(h, []byte(value))
		}
	}
	p.decoder.Decode(&s, out)
	o.meta, o.body = out.Meta, out.Body
	if out.Kind == ingest.Error {
		o.class, o.message = out.Class, out.Message
	}
	o.meta.SetString(ping.SubmissionDate, string(day))
}
