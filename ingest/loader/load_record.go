package loader

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/format"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/internal/panics"
	"github.com/pingmill/pingmill/ping"
)

// chunkBytes is the size of the input that a decoder processes at a time.
const chunkBytes = 1 << 20

// aheadBytes bounds the unpacked bodies that wait for the archive, which may be a thousand times the input.
// Beyond it no record is decoded before its turn.
const aheadBytes = 64 << 20

// record is one record of a file, copied out of the reader.
type record struct {
	rec     format.Record
	damaged string // why it could not be read, if so
	offset  int64
}

// packed returns what Ahead may unpack.
func (r *record) packed() []byte {
	if r.damaged != "" || r.rec.Kind != format.Submission {
		return nil
	}
	return r.rec.Body
}

// outcome is the result of decoding a record.
type outcome struct {
	meta           ping.Meta
	body           []byte         // nil: the document is needed no more, and packed has it
	packed         []byte         // the document as the client has compressed it; nil: it is archived as it is
	prepared       []byte         // rows of the ping, see etl.Preparer; nil: none
	class, message string         // of an error
	submission     *format.Record // nil: a ping that was decoded before
	forgotten      bool           // its client is, as was known when the load began
}

// decoder is an [ingest.Decoder].
type decoder interface {
	Begin(*ingest.Ahead, []byte)
	Decode(*ingest.Submission, *ingest.Outcome)
}

// archiver is an [archive.Writer].
type archiver interface {
	Append(*ping.Meta, []byte) error
	AppendPacked(*ping.Meta, []byte) error
	AppendError(*archive.Rejected) error
	Prepare([]byte)
}

// loader carries records from a source through the decoders into the archive.
type loader struct {
	writer     archiver
	decoder    decoder
	duplicates *ingest.Duplicates
	loaded     *Loaded
	forgets    *forgets
	limits     ingest.Config // bounds of bodies that are searched
	ahead      atomic.Int64  // bytes of bodies that were decoded ahead
	outcomes   sync.Pool     // of *ingest.Outcome, for their memory
	preparer   *etl.Preparer // of rows while documents are in memory; nil: none

	// junk, if not nil, ends the loading of a file of something else.
	junk *junk
	// known, if not nil, makes a duplicate of a ping whose document is archived already.
	known func(*outcome) error
	// seen, if not nil, collects what was added to the duplicates' memory.
	seen *[]ingest.Seen
	// appended, if not nil, is called for every outcome that is in the archive. The documents of
	// pings are there as far as wants, if not nil, has asked for them, on any core.
	appended func(*outcome) error
	wants    func(*ping.Meta) bool
}

// run reads in one goroutine, decodes in several and appends, in the order of
// the source, in this one: the archive depends on the order.
func (l *loader) run(ctx context.Context, r records, workers int) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	work, order := make(chan *chunk), make(chan *chunk, workers)
	var readErr error
	wg.Go(func() {
		defer close(work)
		defer close(order)
		readErr = panics.Try(func() error { return readChunks(ctx, r, work, order) })
	})
	for range workers {
		wg.Go(func() {
			var a ingest.Ahead
			for c := range work {
				l.decodeAhead(ctx, c, &a)
				close(c.done)
			}
		})
	}
	for c := range order {
		<-c.done
		if err := l.appendChunk(ctx, c); err != nil {
			return err
		}
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return readErr
}

// decode finds out what a record is. What panics over it is an error of class
// internal.
func (l *loader) decode(ctx context.Context, r *record, a *ingest.Ahead) (o outcome) {
	err := panics.Try(func() error {
		out := l.decodeRecord(r, a, &o)
		o.forgotten = l.forgets.names(ctx, &o, l.limits)
		if out != nil && o.class == "" && !o.forgotten {
			o.prepared = l.preparer.Rows(&o.meta, o.body, out.Scanned())
		}
		if out != nil {
			l.settle(out, &o)
		}
		return nil
	})
	if err != nil {
		o = panicked(&r.rec, err)
	}
	return o
}

// decodeRecord returns the decoder's outcome of a submission.
func (l *loader) decodeRecord(r *record, a *ingest.Ahead, o *outcome) (out *ingest.Outcome) {
	switch {
	case r.damaged != "":
		o.body, o.class = r.rec.Body, classRecord
		o.message = fmt.Sprintf("at byte %d: %s", r.offset, r.damaged)
		if r.rec.Timestamp != 0 {
			o.meta.SetInt(ping.Timestamp, r.rec.Timestamp)
		}
	case r.rec.Kind == format.Ping:
		decodePing(&r.rec, o)
	default:
		return l.decodeSubmission(&r.rec, a, o)
	}
	return nil
}

// classRecord counts input that cannot be read as a record.
const classRecord = "record"

// panicked returns the outcome of a record over which something panicked.
func panicked(rec *format.Record, err error) outcome {
	o := outcome{meta: rec.Meta, body: rec.Body, class: ingest.ClassInternal, message: panics.Report(err)}
	if rec.Kind != format.Ping {
		o.submission = rec
		o.meta.SetInt(ping.Timestamp, rec.Timestamp)
	}
	return o
}

func (l *loader) decodeSubmission(rec *format.Record, a *ingest.Ahead, o *outcome) *ingest.Outcome {
	s := ingest.Submission{URI: rec.URI, Timestamp: rec.Timestamp, RemoteAddr: rec.RemoteAddr, Body: rec.Body, Meta: &rec.Meta, Ahead: a}
	for _, h := range rec.Headers {
		if name, ok := ingest.HeaderByName(string(h.Name)); ok {
			s.Headers.Set(name, h.Value)
		}
	}
	out, _ := l.outcomes.Get().(*ingest.Outcome)
	if out == nil {
		out = &ingest.Outcome{}
	}
	l.decoder.Decode(&s, out)
	o.meta, o.body, o.submission = out.Meta, out.Body, rec
	if out.Kind == ingest.Error {
		o.class, o.message = out.Class, out.Message
	}
	return out
}

// storedHeaders returns the headers that are stored with a rejected submission: those that ingestion uses, without the
// addresses.
func storedHeaders(r *format.Record) map[string]string {
	headers := map[string]string{}
	for _, h := range r.Headers {
		if name, ok := ingest.HeaderByName(string(h.Name)); ok && name != ingest.ForwardedFor {
			headers[name.Name()] = string(h.Value)
		}
	}
	return headers
}

// append puts an outcome into the archive.
func (l *loader) append(o *outcome) error {
	l.loaded.Records++
	if err := l.junk.see(o); err != nil {
		return err
	}
	if l.forgets.takes(o) {
		o.class, o.message = classForgotten, ""
	} else {
		l.checkDuplicate(o)
		if l.known != nil {
			if err := l.known(o); err != nil {
				return err
			}
		}
		if err := l.keep(o); err != nil {
			return err
		}
	}
	if l.appended != nil {
		return l.appended(o)
	}
	return nil
}

// keep archives an outcome. A ping that the archive's writer panics over, or that
// is too large for it, is rejected: else it would come again, and stop all others.
func (l *loader) keep(o *outcome) error {
	err := panics.Try(func() error { return l.archive(o) })
	var p *panics.Error
	if o.class == "" && (errors.As(err, &p) || errors.Is(err, archive.ErrTooLarge)) {
		o.class, o.message = ingest.ClassInternal, panics.Report(err)
		err = panics.Try(func() error { return l.archive(o) })
	}
	return err
}

// checkDuplicate finds out whether a submission came before, in the order of
// the source.
func (l *loader) checkDuplicate(o *outcome) {
	if o.submission == nil || l.duplicates == nil || o.meta.Text(ping.DocumentID) == nil {
		return
	}
	at, _ := o.meta.Int(ping.Timestamp)
	first, duplicate, added := l.duplicates.SeenKey(o.submission.URI, at)
	if duplicate {
		l.loaded.Duplicates++
		o.class, o.message = classDuplicate, fmt.Sprintf("the same URI came %d minutes before", (at-first)/60e9)
	} else if l.seen != nil {
		*l.seen = append(*l.seen, added)
	}
}

// classDuplicate is the class of submissions that came before.
const classDuplicate = "duplicate"

func (l *loader) archive(o *outcome) error {
	if o.class == "" {
		l.writer.Prepare(o.prepared)
	}
	switch {
	case o.class == "" && o.packed != nil:
		return l.writer.AppendPacked(&o.meta, o.packed)
	case o.class == "":
		return l.writer.Append(&o.meta, o.body)
	}
	e := archive.Rejected{Meta: o.meta, Class: o.class, Message: o.message, Body: o.body}
	if r := o.submission; r != nil {
		e.Path, e.Headers, e.Body = string(r.URI), storedHeaders(r), r.Body
	}
	return l.writer.AppendError(&e)
}
