package ingest

import (
	"bytes"
	"testing"
)

// largePing returns the sample main ping, 181 KB.
func largePing(tb testing.TB) []byte {
	tb.Helper()
	var c validationCase
	readCase(tb, "testdata/conformance/validation/main.4.sample.pass.json.gz", &c)
	return c.Ping
}

func BenchmarkDecode(b *testing.B) {
	doc := largePing(b)
	uri := []byte("/submit/telemetry/0d5c9b9c-4f3b-4a6e-9c0d-3c8b0a4f6f00/main/Firefox/60.0/release/20180601000000")
	for name, body := range map[string][]byte{"gzip": gzipped(b, doc), "plain": doc} {
		b.Run(name, func(b *testing.B) {
			d := newDecoder(b, Config{Geo: writeGeo(b)})
			s := Submission{URI: uri, Timestamp: 1530403200000000000, RemoteAddr: []byte(milton), Body: body}
			var out Outcome
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				if d.Decode(&s, &out); out.Kind != Ping {
					b.Fatal(out.Message)
				}
			}
		})
	}
}

func BenchmarkParts(b *testing.B) {
	doc := largePing(b)
	s := mustLoad(b, "").find(telemetryNamespace, []byte("main"), "4")
	packed := gzipped(b, doc)
	u := unpacker{DefaultMaxBody, DefaultMaxRatio}
	var o Outcome
	for _, p := range []struct {
		name string
		f    func() bool
	}{
		{"gunzip", func() bool { _, err := u.unpack(&o, &Submission{Body: packed}); return err == nil }},
		{"scan", func() bool { return o.doc.ScanValid(fields.program, doc) == nil }},
		{"program", func() bool { return s.violation(&o.doc) == "" }},
		{"general", func() bool { return verdict(&checker{general: s.general}, doc) == "" }},
	} {
		b.Run(p.name, func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				if !p.f() {
					b.Fatal("failed")
				}
			}
		})
	}
}

// BenchmarkGlean decodes the captured Glean pings of a Firefox.
func BenchmarkGlean(b *testing.B) {
	var all []*Submission
	var size int64
	d := newDecoder(b, Config{Geo: writeGeo(b), Glean: Glean{Applications: FirefoxApplications()}})
	var out Outcome
	capturedGlean(b, func(s *Submission) {
		c := &Submission{URI: bytes.Clone(s.URI), Timestamp: s.Timestamp, RemoteAddr: []byte(milton), Headers: s.Headers,
			Body: bytes.Clone(s.Body)}
		d.Decode(c, &out)
		all, size = append(all, c), size+int64(len(out.Body))
	})
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range all {
			if d.Decode(s, &out); out.Kind != Ping {
				b.Fatal(out.Message)
			}
		}
	}
}
