package ingest

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// packer packs with a real encoder.
type packer struct {
	name     string // in Content-Encoding
	magic    bool   // recognised by its first bytes
	checksum bool   // the last bytes are one
	slow     bool
	pack     func(io.Writer) (io.WriteCloser, error)
}

var packers = map[string]packer{
	"gzip":      {"gzip", true, true, false, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }},
	"x-gzip":    {"X-GZip", true, true, false, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, 1) }},
	"zlib":      {"deflate", true, true, false, func(w io.Writer) (io.WriteCloser, error) { return zlib.NewWriter(w), nil }},
	"zlib fast": {"deflate", true, true, false, func(w io.Writer) (io.WriteCloser, error) { return zlib.NewWriterLevel(w, 1) }},
	"bare":      {"deflate", false, false, false, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, 9) }},
	"stored":    {"deflate", false, false, false, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, 0) }},
	"zstd":      {"zstd", true, true, false, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }},
	"zstd best": {"zstd", true, true, true, func(w io.Writer) (io.WriteCloser, error) {
		return zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(8<<20), zstd.WithEncoderConcurrency(1))
	}},
	"zstd bare": {"zstd", true, false, false, func(w io.Writer) (io.WriteCloser, error) {
		return zstd.NewWriter(w, zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true))
	}},
	"br": {"br", false, false, false, func(w io.Writer) (io.WriteCloser, error) { return brotli.NewWriterLevel(w, 5), nil }},
	"br best": {"Br", false, false, true, func(w io.Writer) (io.WriteCloser, error) {
		return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: 11, LGWin: 24}), nil
	}},
	"br small": {"br", false, false, false, func(w io.Writer) (io.WriteCloser, error) {
		return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: 1, LGWin: 16}), nil
	}},
}

func (p packer) packed(t testing.TB, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := p.pack(&out)
	require.NoError(t, err)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

// unpackAs unpacks a body that is said to be of an encoding.
func unpackAs(u unpacker, o *Outcome, encoding string, body []byte) ([]byte, error) {
	s := Submission{Body: body}
	if encoding != "" {
		s.Headers.Set(ContentEncoding, []byte(encoding))
	}
	return u.unpack(o, &s)
}

// documents returns texts of many sizes and kinds.
func documents(t testing.TB) map[string][]byte {
	r := rand.New(rand.NewPCG(3, 4))
	noise := make([]byte, 50_000)
	for i := range noise {
		noise[i] = ' ' + byte(r.IntN(90))
	}
	return map[string][]byte{
		"empty":  []byte("{}"),
		"small":  []byte(`{"version":4,"type":"main"}`),
		"ping":   largePing(t),
		"noise":  append([]byte("{"), noise...),
		"blanks": append([]byte("{"), bytes.Repeat([]byte("\n"), 300_000)...),
		"large":  bytes.Repeat(largePing(t), 5),
	}
}

func TestUnpackRealEncoders(t *testing.T) {
	u := unpacker{DefaultMaxBody, DefaultMaxRatio}
	for kind, doc := range documents(t) {
		var o Outcome // its memory is used again
		for name, p := range packers {
			if len(doc) > 60_000 && p.slow {
				continue
			}
			packed := p.packed(t, doc)
			for _, encoding := range []string{p.name, "identity, " + p.name + ",", ""} {
				got, err := unpackAs(u, &o, encoding, packed)
				if encoding == "" && !p.magic {
					continue // it may be taken for text
				}
				if err != nil || !bytes.Equal(got, doc) {
					t.Errorf("%s by %s as %q: %d bytes, %v", kind, name, encoding, len(got), err)
				}
			}
		}
	}
}

// Any two methods on top of each other, the last one named being the outermost.
func TestUnpackTwice(t *testing.T) {
	u := unpacker{DefaultMaxBody, DefaultMaxRatio}
	doc := largePing(t)[:3000]
	var o Outcome
	for inner, p := range packers {
		for outer, q := range packers {
			once := p.packed(t, doc)
			twice := q.packed(t, once)
			if got, err := unpackAs(u, &o, p.name+" , "+q.name, twice); err != nil || !bytes.Equal(got, doc) {
				t.Errorf("%s in %s: %d bytes, %v", inner, outer, len(got), err)
			}
			if got, err := unpackAs(u, &o, p.name+","+q.name, doc); err != nil || !bytes.Equal(got, doc) {
				t.Errorf("%s in %s, unpacked: %v", inner, outer, err)
			}
		}
	}
	packed := packers["gzip"].packed(t, doc)
	for encoding, ok := range map[string]bool{
		"gzip, br":            true, // a proxy took the brotli off
		"br, identity, gzip":  true,
		"gzip, gzip, gzip":    true, // by its magic bytes
		"gzip, compress":      true,
		"compress, zstd, br,": true,
	} {
		if got, err := unpackAs(u, &o, encoding, packed); (err == nil && bytes.Equal(got, doc)) != ok {
			t.Errorf("%q: %v", encoding, err)
		}
	}
	for encoding, want := range map[string]string{
		"br, br, br": "the body has more than 2 content encodings",
		"compress":   errEncoding.Error(),
		"zstd":       errEncoding.Error(),
	} {
		if _, err := unpackAs(u, &o, encoding, []byte("text")); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", encoding, err, want)
		}
	}
}

// What is cut, changed or followed by something is an error, never a panic, and
// a wrong text only where the format has no checksum.
func TestUnpackDamaged(t *testing.T) {
	u := unpacker{1 << 20, DefaultMaxRatio}
	doc := []byte(`{"version":4,"type":"main","payload":"` + strings.Repeat("ab", 30) + "0123456789" + strings.Repeat("xyz", 10) + `"}`)
	var o Outcome
	for name, p := range packers {
		packed := p.packed(t, doc)
		for n := range len(packed) {
			if got, err := unpackAs(u, &o, p.name, packed[:n]); err == nil {
				t.Errorf("%s cut at %d of %d: %q", name, n, len(packed), got)
			}
		}
		for n := 1; n < 20; n++ {
			if got, err := unpackAs(u, &o, p.name, append(packed[:len(packed):len(packed)], strings.Repeat("x", n)...)); err == nil {
				t.Errorf("%s with %d bytes behind: %q", name, n, got)
			}
		}
		for i := range packed {
			for _, mask := range []byte{1, 16, 128, 255} {
				bad := bytes.Clone(packed)
				bad[i] ^= mask
				got, err := unpackAs(u, &o, p.name, bad)
				if err == nil && p.checksum && !bytes.Equal(got, doc) {
					t.Errorf("%s with byte %d changed: %q", name, i, got)
				}
			}
		}
	}
}

// Brotli and deflate may begin with any bytes, also with those of gzip.
func TestUnpackMisleadingStart(t *testing.T) {
	u := unpacker{1 << 20, DefaultMaxRatio}
	var o Outcome
	doc := []byte(`{"a":"` + strings.Repeat("b", 0x8c-8) + `"}`)
	packed := packers["br best"].packed(t, doc)
	if !bytes.HasPrefix(packed, []byte{0x1f, 0x8b}) {
		t.Fatalf("brotli of %d bytes begins with %x", len(doc), packed[:2])
	}
	if got, err := unpackAs(u, &o, "br", packed); err != nil || !bytes.Equal(got, doc) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := unpackAs(u, &o, "", packed); err == nil {
		t.Error("brotli is recognised without being named")
	}
	// A stored block whose padding bits make it a zlib header.
	bare := append([]byte{0x78, 0x02, 0x00, 0xfd, 0xff}, "{}\x03\x00"...)
	bare[1], bare[2], bare[3], bare[4] = 0x01, 0x00, 0xfe, 0xff
	bare = append(bare[:5], "1\x03\x00"...)
	if !zlibHeader(bare) {
		t.Fatal("not misleading")
	}
	if got, err := unpackAs(u, &o, "deflate", bare); err != nil || string(got) != "1" {
		t.Errorf("%q, %v", got, err)
	}
	for _, blank := range []string{" ", "\r", "\n\n", "\t"} {
		for _, encoding := range []string{"gzip", "br", "deflate", "zstd", "br,gzip", "deflate, br"} {
			text := blank + `{"a":1}`
			if got, err := unpackAs(u, &o, encoding, []byte(text)); err != nil || string(got) != text {
				t.Errorf("%q as %s: %q, %v", text, encoding, got, err)
			}
		}
	}
}
