package ingest

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"testing"
)

// standard decompresses a body with the standard library by one method; complete
// is false where it fails, has more than limit bytes, or leaves some of the body.
func standard(body []byte, m method, limit int) (text []byte, complete bool) {
	src := bytes.NewReader(body)
	var r io.Reader
	var err error
	switch {
	case m == gzipMethod:
		r, err = gzip.NewReader(bytes.NewReader(bytes.TrimRight(body, "\x00")))
		if err != nil || func() bool { _, err := io.Copy(io.Discard, io.LimitReader(r, int64(limit)+1)); return err != nil }() {
			r, err = gzip.NewReader(src) // the zero bytes belong to the checksum
		} else {
			r, err = gzip.NewReader(bytes.NewReader(bytes.TrimRight(body, "\x00")))
		}
		src = bytes.NewReader(nil)
	case zlibHeader(body):
		r, err = zlib.NewReader(src)
	default:
		r = flate.NewReader(src)
	}
	if err != nil {
		return nil, false
	}
	text, err = io.ReadAll(io.LimitReader(r, int64(limit)+1))
	return text, err == nil && len(text) <= limit && src.Len() == 0
}

// Never more than the bound, never a panic, and of gzip and deflate what the
// standard library says.
func FuzzUnpack(f *testing.F) {
	doc := []byte(`{"version":4,"type":"main","payload":{"info":{}}}`)
	for _, p := range packers {
		f.Add(p.name, p.packed(f, doc), uint16(2000))
		f.Add(p.name, p.packed(f, bytes.Repeat(doc, 50)), uint16(2000))
		f.Add("", p.packed(f, doc), uint16(10))
		f.Add("gzip, "+p.name, p.packed(f, gzipped(f, doc)), uint16(2000))
	}
	f.Add("br", append([]byte(" "), doc...), uint16(2000))
	f.Add("zstd", []byte("\x50\x2a\x4d\x18\x02\x00\x00\x00ab"), uint16(2000))
	f.Fuzz(func(t *testing.T, encoding string, body []byte, bound uint16) {
		u := unpacker{max(int(bound), 1), DefaultMaxRatio}
		var o Outcome
		before := bytes.Clone(body)
		got, err := unpackAs(u, &o, encoding, body)
		if len(got) > u.max || err != nil && got != nil {
			t.Fatalf("%d bytes of %d, %v", len(got), u.max, err)
		}
		if !bytes.Equal(before, body) {
			t.Fatal("the body was changed")
		}
		if o.Gzip != nil {
			if want, complete := standard(o.Gzip, gzipMethod, u.max); !complete || err != nil || !bytes.Equal(got, want) {
				t.Fatalf("said to be gzip of what it is not, %v", err)
			}
		}
		m := identity //nolint:ineffassign // each case sets it
		switch named, n, _ := encodings([]byte(encoding)); {
		case recognise(body, unknownMethod, true) == gzipMethod && n == 0:
			m = gzipMethod
		case recognise(body, unknownMethod, true) == identity && !looksLikeObject(body) && n == 1 && named[0] == deflate:
			m = deflate
		default:
			return
		}
		want, complete := standard(body, m, u.max)
		if complete && (err != nil || !bytes.Equal(got, want)) {
			t.Fatalf("%d bytes, %v; the standard library has %d", len(got), err, len(want))
		}
		if !complete && err == nil && !zlibHeader(body) {
			t.Fatalf("%d bytes where the standard library fails", len(got))
		}
	})
}
