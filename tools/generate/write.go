package generate

import (
	"encoding/base64"
	"fmt"
	"io"
	"strconv"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/pingmill/pingmill/ping"
)

// Compression is the compression of a file.
type Compression uint8

// The compressions of files.
const (
	Plain      Compression = iota
	GzipEach               // each line a gzip member of its own
	GzipStream             // one gzip member
	ZstdStream             // one zstd frame
)

// Options sets the format of a file.
type Options struct {
	Compression Compression
	// Place adds the preset meta member to submissions: the client's place, as
	// after a geo lookup. Pings always have it in their meta.
	Place bool
}

// WriteSubmissions writes all submissions as lines
//
//	{"uri":"/submit/…","timestamp":…,"headers":{…},"remoteAddr":"…","body":"base64"}
//
// in order of arrival. A submission without a URI has no such member.
func (g *Generator) WriteSubmissions(w io.Writer, o Options) (Summary, error) {
	return g.writeLines(w, o, func(s *slot) []byte {
		return appendSubmission(s.line, &s.writer, o.Place)
	})
}

// WritePings writes the accepted pings as lines {"meta":{…},"ping":{…}} in order
// of arrival, with the metadata that ingestion would add. The summary counts the
// duplicates and rejected submissions that are left out as well.
func (g *Generator) WritePings(w io.Writer, o Options) (Summary, error) {
	return g.writeLines(w, o, func(s *slot) []byte {
		sub := &s.writer.sub
		if sub.Fate != Accepted {
			return s.line
		}
		b := append(s.line, `{"meta":`...)
		b = append(sub.Meta.AppendJSON(b), `,"ping":`...)
		return append(append(b, sub.Document...), '}', '\n')
	})
}

// writeLines writes a line for each submission, which may be empty.
func (g *Generator) writeLines(w io.Writer, o Options, line func(*slot) []byte) (Summary, error) {
	var sum Summary
	out, err := compressed(w, o.Compression)
	if err != nil {
		return sum, fmt.Errorf("write generated lines: %w", err)
	}
	g.inOrder(func(s *slot) error {
		s.line = s.line[:0]
		s.line = line(s)
		if o.Compression == GzipEach && len(s.line) > 0 {
			return s.gzipLine()
		}
		return nil
	}, func(s *slot) bool {
		sum.Add(&s.writer.sub)
		if err = s.err; err == nil {
			_, err = out.Write(s.line)
		}
		return err == nil
	})
	if closing := out.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return sum, fmt.Errorf("write generated lines: %w", err)
	}
	return sum, nil
}

// gzipLine makes the line a gzip member.
func (s *slot) gzipLine() error {
	w := &s.writer
	s.plain, s.line = s.line, s.plain[:0]
	out := appender{&s.line}
	if s.gzip == nil {
		s.gzip = gzip.NewWriter(out)
	}
	s.gzip.Reset(out)
	if _, err := s.gzip.Write(s.plain); err != nil {
		return fmt.Errorf("compress submission %s: %w", w.uri, err)
	}
	return s.gzip.Close()
}

// appender is a writer that appends.
type appender struct{ b *[]byte }

func (a appender) Write(p []byte) (int, error) {
	*a.b = append(*a.b, p...)
	return len(p), nil
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// compressed compresses a whole file with one goroutine, so that its bytes never
// differ.
func compressed(w io.Writer, c Compression) (io.WriteCloser, error) {
	switch c {
	case Plain, GzipEach:
		return nopCloser{w}, nil
	case GzipStream:
		return gzip.NewWriter(w), nil
	case ZstdStream:
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	}
	return nil, fmt.Errorf("unknown compression %d", c)
}

// appendSubmission appends the line of a submission.
func appendSubmission(b []byte, w *writer, withPlace bool) []byte {
	s := &w.sub
	b = append(b, '{')
	if s.URI != nil {
		b = append(b, `"uri":`...)
		b = append(ping.AppendQuoted(b, s.URI), ',')
	}
	b = append(b, `"timestamp":`...)
	b = strconv.AppendInt(b, s.Timestamp, 10)
	b = append(b, `,"headers":{`...)
	for i, h := range s.Headers {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(ping.AppendQuoted(b, []byte(h.Name)), ':')
		b = ping.AppendQuoted(b, []byte(h.Value))
	}
	b = append(b, `},"remoteAddr":`...)
	b = ping.AppendQuoted(b, []byte(s.RemoteAddr))
	if withPlace {
		var m ping.Meta
		w.setPlaceMeta(m.SetString)
		b = m.AppendJSON(append(b, `,"meta":`...))
	}
	b = append(b, `,"body":"`...)
	b = base64.StdEncoding.AppendEncode(b, s.Body)
	return append(b, '"', '}', '\n')
}
