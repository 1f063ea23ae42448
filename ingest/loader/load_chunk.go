package loader

import (
	"context"
	"errors"
	"io"

	"github.com/pingmill/pingmill/archive/format"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ping"
)

// chunk is a number of records on their way from the reader to the archive.
type chunk struct {
	records  []record
	outcomes []outcome // of the records that were decoded ahead
	done     chan struct{}
}

// readChunks reads to the end of the file.
func readChunks(ctx context.Context, r records, work, order chan<- *chunk) error {
	for {
		c := &chunk{done: make(chan struct{})}
		end := c.read(r)
		if len(c.records) > 0 {
			// First its place in the order, then the work: the appending waits for done.
			for _, to := range []chan<- *chunk{order, work} {
				select {
				case to <- c:
				case <-ctx.Done():
					close(c.done)
					return ctx.Err()
				}
			}
		}
		if errors.Is(end, io.EOF) {
			return nil
		}
		if end != nil {
			return end
		}
	}
}

// read fills the chunk, and returns io.EOF behind the last record.
func (c *chunk) read(r records) error {
	for size := 0; size < chunkBytes; {
		var rec format.Record
		err := r.Next(&rec)
		var damaged *format.RecordError
		switch {
		case errors.As(err, &damaged):
			body := append([]byte{}, damaged.Raw...)
			c.records = append(c.records, record{rec: format.Record{Body: body, Timestamp: damaged.At}, damaged: damaged.Reason,
				offset: damaged.Offset})
			size += len(body) + 64
		case err != nil:
			return err
		default:
			n := own(&rec)
			c.records = append(c.records, record{rec: rec, offset: rec.Offset})
			size += n + 64
		}
	}
	return nil
}

// own copies the bytes of a record out of the reader's buffer, all into one
// piece of memory, and returns their number.
func own(rec *format.Record) int {
	size := len(rec.Body) + len(rec.URI) + len(rec.RemoteAddr)
	for f := range ping.NumMetaFields {
		if !f.IsInt() {
			size += len(rec.Meta.Text(f))
		}
	}
	for _, h := range rec.Headers {
		size += len(h.Name) + len(h.Value)
	}
	buf := make([]byte, 0, size)
	keep := func(b []byte) []byte {
		if b == nil {
			return nil
		}
		n := len(buf)
		buf = append(buf, b...)
		return buf[n:len(buf):len(buf)]
	}
	rec.Body, rec.URI, rec.RemoteAddr = keep(rec.Body), keep(rec.URI), keep(rec.RemoteAddr)
	for f := range ping.NumMetaFields {
		if !f.IsInt() {
			rec.Meta.SetText(f, keep(rec.Meta.Text(f)))
		}
	}
	headers := make([]format.Header, len(rec.Headers))
	for i, h := range rec.Headers {
		headers[i] = format.Header{Name: keep(h.Name), Value: keep(h.Value)}
	}
	rec.Headers = headers
	return size
}

// decodeAhead decodes records of a chunk, all of them as a rule.
func (l *loader) decodeAhead(ctx context.Context, c *chunk, a *ingest.Ahead) {
	c.outcomes = make([]outcome, 0, len(c.records))
	defer a.Drop()
	begun := 0
	for i := range c.records {
		if l.ahead.Load() > aheadBytes {
			return
		}
		for ; begun < min(i+ingest.MaxAhead, len(c.records)); begun++ {
			l.decoder.Begin(a, c.records[begun].packed())
		}
		o := l.decode(ctx, &c.records[i], a)
		l.ahead.Add(int64(len(o.body)))
		c.outcomes = append(c.outcomes, o)
	}
}

// appendChunk puts the outcomes of a chunk into the archive, and decodes the
// records that were not decoded ahead.
func (l *loader) appendChunk(ctx context.Context, c *chunk) error {
	for i := range c.records {
		var o outcome
		if i < len(c.outcomes) {
			o, c.outcomes[i] = c.outcomes[i], outcome{}
			l.ahead.Add(-int64(len(o.body)))
		} else {
			o = l.decode(ctx, &c.records[i], nil)
		}
		if err := l.append(&o); err != nil {
			return err
		}
	}
	return nil
}
