package format

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/s2"
	"github.com/pingmill/pingmill/ping"
	"github.com/stretchr/testify/require"
)

// exhaust reads a file to its end and checks what holds for any bytes.
func exhaust(t *testing.T, data []byte, next func(*Record) error) {
	t.Helper()
	var rec Record
	last := int64(-1)
	for n := 0; ; n++ {
		err := next(&rec)
		var damaged *RecordError
		offset := rec.Offset
		if errors.As(err, &damaged) {
			offset = damaged.Offset
			if len(damaged.Raw) > max(len(data), maxRaw) {
				t.Fatalf("%d bytes shown of %d", len(damaged.Raw), len(data))
			}
		} else if err != nil {
			return
		} else if rec.Kind == Ping {
			if err := ping.Validate(rec.Body); err != nil && !errors.As(err, new(*ping.SyntaxError)) || len(rec.Body) == 0 || rec.Body[0] != '{' {
				t.Fatalf("the document is %q: %v", rec.Body, err)
			}
			if v := rec.Document; v.Kind() != ping.Missing && !bytes.Equal(v.Raw(), rec.Body) {
				t.Fatalf("the document is %q, and scanned %q", rec.Body, v.Raw())
			}
		}
		if offset <= last {
			t.Fatalf("record at %d after %d", offset, last)
		}
		last = offset
	}
}

func FuzzOpen(f *testing.F) {
	for _, c := range lineCases {
		f.Add([]byte(c.file))
	}
	f.Add(gzipped([]byte(lineCases[0].file)))
	f.Add(zstded([]byte(lineCases[0].file)))
	f.Add(frame(newMessage().bytes(6, "{}").b))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<16 {
			return
		}
		r, err := Options{MaxRecord: 1 << 16}.Open(bytes.NewReader(b))
		if err != nil {
			return
		}
		defer r.Close()
		var rec Record
		for n := 0; n < 1000; n++ {
			var damaged *RecordError
			if err := r.Next(&rec); err != nil && !errors.As(err, &damaged) {
				if again := r.Next(&rec); again != err {
					t.Fatalf("after %v: %v", err, again)
				}
				break
			}
		}
		if len(r.src.buf) > 8*minBuffer {
			t.Fatalf("a buffer of %d bytes for a limit of %d", len(r.src.buf), 1<<16)
		}
	})
}

func FuzzNDJSON(f *testing.F) {
	for _, c := range lineCases {
		f.Add([]byte(c.file))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		exhaust(t, b, newLineReader(newSource(bytes.NewReader(b), 64), 1<<16).next)
	})
}

func FuzzPubSub(f *testing.F) {
	for _, c := range lineCases {
		f.Add([]byte(c.file))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		line := append([]byte(`{"attributeMap":`), b...)
		line = append(line, `,"payload":"e30="}`...)
		var p lineParser
		var rec Record
		if err := p.parse(line, &rec); err == nil && rec.Kind == Submission && len(rec.Body) == 0 && ping.Validate(line) != nil {
			t.Fatalf("%q is taken", line)
		}
	})
}

func FuzzHeka(f *testing.F) {
	m := newMessage().bytes(6, `{"environment":{"system":null}}`).field("environment.system", "{}").field("docType", "main").
		typed("sampleId", doubleValue, func(e *encoder) { e.double(7, 4) })
	f.Add(frame(m.b))
	f.Add(frame(s2.EncodeSnappy(nil, m.b)))
	f.Add(append(frame(m.b), frame(newMessage().field("uri", "/x").field("content", "y").b)...))
	f.Add([]byte("\x1e\x02\x08\x7f\x1f"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, stream := range [][]byte{b, frame(b), frame(append(newMessage().b, b...))} {
			h := &hekaReader{src: newSource(bytes.NewReader(stream), 64), max: 1 << 20}
			exhaust(t, stream, h.next)
			if rest := h.src.window(); len(rest) != 0 || h.src.err != io.EOF {
				t.Fatalf("%d bytes are left", len(rest))
			}
		}
	})
}

// A ping may be as deep in its line as anywhere, and one deeper is damaged.
func TestDeepPing(t *testing.T) {
	for depth, want := range map[int]string{ping.MaxDepth - 1: "", ping.MaxDepth: "", ping.MaxDepth + 1: "ping: "} {
		document := strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth)
		r, err := Open(strings.NewReader(`{"meta":{"documentId":"d"},"ping":` + document + "}\n"))
		require.NoError(t, err)
		var rec Record
		if err = r.Next(&rec); want != "" {
			require.ErrorContains(t, err, want)
			continue
		}
		require.NoError(t, err, depth)
		require.Equal(t, document, string(rec.Document.Raw()))
		require.Equal(t, "d", string(rec.Meta.Text(ping.DocumentID)))
	}
}
