package generate

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

func TestCompressions(t *testing.T) {
	g := mustNew(t, Config{Seed: 8, Clients: 12, MeanBytes: 16_000, Damaged: 0.2, Probes: fixedProbes(t)})
	var plain bytes.Buffer
	if _, err := g.WritePings(&plain, Options{}); err != nil {
		t.Fatal(err)
	}
	unpack := map[Compression]func(io.Reader) (io.Reader, error){
		GzipEach:   func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		GzipStream: func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		ZstdStream: func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	}
	for c, open := range unpack {
		var packed bytes.Buffer
		if _, err := g.WritePings(&packed, Options{Compression: c}); err != nil {
			t.Fatal(err)
		}
		if packed.Len() >= plain.Len()/2 {
			t.Errorf("compression %d: %d of %d bytes", c, packed.Len(), plain.Len())
		}
		r, err := open(&packed)
		require.NoError(t, err)
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		if !bytes.Equal(got, plain.Bytes()) {
			t.Errorf("compression %d: other lines", c)
		}
	}
}

// TestGzipEach reads one member alone: it is one line.
func TestGzipEach(t *testing.T) {
	g := mustNew(t, Config{Seed: 8, Clients: 12, MeanBytes: 16_000, Probes: fixedProbes(t)})
	var packed bytes.Buffer
	if _, err := g.WriteSubmissions(&packed, Options{Compression: GzipEach}); err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(&packed)
	require.NoError(t, err)
	r.Multistream(false)
	line, err := io.ReadAll(r)
	if err != nil || bytes.Count(line, []byte{'\n'}) != 1 || line[len(line)-1] != '\n' {
		t.Errorf("the first member is not one line: %d bytes, %v", len(line), err)
	}
}

var errFull = errors.New("no space left")

// full takes a number of bytes and no more.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteErrors(t *testing.T) {
	g := mustNew(t, Config{Seed: 8, Clients: 30, MeanBytes: 16_000, Workers: 3})
	for _, c := range []Compression{Plain, GzipEach, GzipStream, ZstdStream} {
		for _, room := range []int{0, 100_000} {
			if _, err := g.WriteSubmissions(&full{room}, Options{Compression: c}); !errors.Is(err, errFull) {
				t.Errorf("compression %d, room for %d bytes: error %v", c, room, err)
			}
		}
	}
	if _, err := g.WritePings(io.Discard, Options{Compression: 9}); err == nil {
		t.Error("an unknown compression is no error")
	}
}
