package inflate

import (
	"bytes"
	stdgzip "compress/gzip"
	"io"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/require"
)

// pings returns gzipped telemetry pings, enough of them that no branch predictor learns them by heart.
func pings(tb testing.TB) (zipped [][]byte, size int) {
	for seed := range uint64(60) {
		ping := pingJSON(seed, 80_000)
		zipped = append(zipped, gzipped(tb, ping, 6))
		size += len(ping)
	}
	return zipped, size
}

// BenchmarkPings gunzips pings of about 80 KB; the rates are bytes of JSON.
func BenchmarkPings(b *testing.B) {
	zipped, size := pings(b)
	out := make([]byte, 0, 1<<20)
	run := func(name string, gunzip func(b *testing.B, ping []byte)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, ping := range zipped {
					gunzip(b, ping)
				}
			}
		})
	}
	var d Decoder
	run("Decoder", func(b *testing.B, ping []byte) {
		if _, err := d.Gunzip(out[:0], ping, 1<<20); err != nil {
			b.Fatal(err)
		}
	})
	b.Run("Pair", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		var p Pair
		outs := [2][]byte{out, make([]byte, 0, 1<<20)}
		for b.Loop() {
			p.Start(outs[0], zipped[0], 1<<20)
			for i := range zipped {
				if i+1 < len(zipped) {
					p.Start(outs[(i+1)%2], zipped[i+1], 1<<20)
				}
				if _, err := p.Finish(); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	run("Gunzip", func(b *testing.B, ping []byte) {
		if _, err := Gunzip(nil, ping, 1<<20); err != nil {
			b.Fatal(err)
		}
	})
	in := bytes.NewReader(zipped[0])
	for _, z := range gzipReaders(b, in) {
		run(z.name, func(b *testing.B, ping []byte) {
			in.Reset(ping)
			if err := z.Reset(in); err != nil {
				b.Fatal(err)
			}
			if _, err := readAll(z.resetReader, out[:0]); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkStream reads one stream of many members.
func BenchmarkStream(b *testing.B) {
	zipped, size := pings(b)
	stream := bytes.Join(zipped, nil)
	in := bytes.NewReader(stream)
	out := make([]byte, 0, size+1)
	for _, z := range gzipReaders(b, in) {
		b.Run(z.name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				in.Reset(stream)
				if err := z.Reset(in); err != nil {
					b.Fatal(err)
				}
				if got, err := readAll(z.resetReader, out[:0]); err != nil || len(got) != size {
					b.Fatal(len(got), err)
				}
			}
		})
	}
}

// BenchmarkSmall gunzips pings of 1 KB, where making the tables counts.
func BenchmarkSmall(b *testing.B) {
	ping := gzipped(b, pingJSON(1, 80_000)[40_000:41_000], 6)
	out := make([]byte, 0, 1<<12)
	var d Decoder
	b.Run("Decoder", func(b *testing.B) {
		b.SetBytes(1000)
		for b.Loop() {
			if _, err := d.Gunzip(out[:0], ping, 0); err != nil {
				b.Fatal(err)
			}
		}
	})
	in := bytes.NewReader(ping)
	for _, z := range gzipReaders(b, in)[1:] {
		b.Run(z.name, func(b *testing.B) {
			b.SetBytes(1000)
			for b.Loop() {
				in.Reset(ping)
				if err := z.Reset(in); err != nil {
					b.Fatal(err)
				}
				if _, err := readAll(z.resetReader, out[:0]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// resetReader is the common interface of gzip readers.
type resetReader interface {
	io.Reader
	Reset(io.Reader) error
}

// gzipReader is a reader with the name of its maker.
type gzipReader struct {
	name string
	resetReader
}

// gzipReaders returns this package's, klauspost's and the standard library's, in that order.
func gzipReaders(tb testing.TB, in *bytes.Reader) []gzipReader {
	tb.Helper()
	all := []gzipReader{{"Reader", new(Reader)}, {"klauspost", new(gzip.Reader)}, {"standard", new(stdgzip.Reader)}}
	for _, z := range all {
		if _, err := in.Seek(0, io.SeekStart); err != nil {
			tb.Fatal(err)
		}
		require.NoError(tb, z.Reset(in))
	}
	return all
}

// readAll appends all that z holds to out, which has the room and a byte more.
func readAll(z io.Reader, out []byte) ([]byte, error) {
	for {
		n, err := z.Read(out[len(out):cap(out)])
		out = out[:len(out)+n]
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
	}
}
