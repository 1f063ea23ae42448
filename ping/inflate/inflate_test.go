package inflate

import (
	"bytes"
	stdflate "compress/flate"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/flate"
	"github.com/stretchr/testify/require"
)

// standardInflate is Inflate with compress/flate.
func standardInflate(src []byte) (out []byte, used int, err error) {
	r := bytes.NewReader(src)
	out, err = io.ReadAll(stdflate.NewReader(r))
	return out, len(src) - r.Len(), err
}

// sameAsStandard checks that Inflate gives what compress/flate gives, the bytes before an error included, into
// buffers with and without room and behind other data, and returns it.
func sameAsStandard(t *testing.T, name string, src []byte) []byte {
	t.Helper()
	want, wantUsed, wantErr := standardInflate(src)
	for _, dst := range [][]byte{nil, make([]byte, 0, len(want)+slack), []byte("before")} {
		got, used, err := Inflate(dst, src, 0)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%s: error %v, want %v", name, err, wantErr)
		}
		if err == nil && used != wantUsed {
			t.Fatalf("%s: %d bytes used, want %d", name, used, wantUsed)
		}
		if !bytes.Equal(got[len(dst):], want) || !bytes.Equal(got[:len(dst)], dst) {
			t.Fatalf("%s: other data (%d bytes, want %d)", name, len(got)-len(dst), len(want))
		}
		if errors.Is(wantErr, io.ErrUnexpectedEOF) && !errors.Is(err, ErrTruncated) && !errors.Is(err, ErrCorrupt) {
			t.Fatalf("%s: error %v, want %v", name, err, wantErr)
		}
	}
	return want
}

func TestInflate(t *testing.T) {
	for _, c := range corpora() {
		for level := stdflate.HuffmanOnly; level <= stdflate.BestCompression; level++ {
			var b bytes.Buffer
			w, err := flate.NewWriter(&b, level)
			require.NoError(t, err)
			write(t, w, c.data)
			for maker, stream := range map[string][]byte{"klauspost": b.Bytes(), "standard": deflated(t, c.data, level)} {
				got, used, err := Inflate(nil, stream, 0)
				if err != nil || used != len(stream) || !bytes.Equal(got, c.data) {
					t.Fatalf("%s, level %d, %s: %d of %d bytes used, %d of %d right, %v",
						c.name, level, maker, used, len(stream), len(got), len(c.data), err)
				}
				if len(c.data) < 1000 || level == 6 {
					sameAsStandard(t, c.name, append(stream, "more"...))
				}
			}
		}
	}
}

// streams returns small streams of every kind of block, to be damaged.
func streams(t *testing.T) map[string][]byte {
	text := pingJSON(5, 1500)
	all := map[string][]byte{
		"stored":  deflated(t, text[:300], stdflate.NoCompression),
		"huffman": deflated(t, text[:900], stdflate.HuffmanOnly),
		"fixed":   deflated(t, text[:60], stdflate.BestSpeed),
		"dynamic": deflated(t, text, stdflate.BestCompression),
		"blocks":  append(deflated(t, text[:700], 6)[:100], deflated(t, text, 6)...),
	}
	for name, c := range crafted() {
		all[name] = c.stream.b
	}
	return all
}

func TestTruncated(t *testing.T) {
	for name, stream := range streams(t) {
		for n := range stream {
			sameAsStandard(t, name, stream[:n])
		}
	}
	_, used, err := Inflate(nil, deflated(t, make([]byte, 100), 6)[:8], 0)
	if !errors.Is(err, ErrTruncated) || !errors.Is(err, io.ErrUnexpectedEOF) || used > 8 {
		t.Errorf("truncated stream: %v after %d bytes", err, used)
	}
}

func TestDamaged(t *testing.T) {
	for name, stream := range streams(t) {
		padded := append(bytes.Clone(stream), make([]byte, 1000)...)
		for bit := range 8 * len(stream) {
			for _, s := range [][]byte{padded[:len(stream)], padded} {
				s[bit/8] ^= 1 << (bit % 8)
				sameAsStandard(t, name, s)
				s[bit/8] ^= 1 << (bit % 8)
			}
		}
	}
}

// TestDamagedPings damages streams that are long enough to be mostly decoded by the fast loop.
func TestDamagedPings(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, level := range []int{1, 6} {
		stream := deflated(t, pingJSON(7, 60_000), level)
		for range 200 {
			s := bytes.Clone(stream[:r.IntN(len(stream))+1])
			for range r.IntN(3) {
				s[r.IntN(len(s))] ^= byte(1 << r.IntN(8))
			}
			sameAsStandard(t, "damaged ping", s)
		}
	}
}

func TestLimit(t *testing.T) {
	for _, c := range corpora() {
		for _, level := range []int{0, 6} {
			stream := deflated(t, c.data, level)
			for _, room := range []int{0, 100, 2 * len(c.data)} {
				dst := append(make([]byte, 0, 3+room), "abc"...)
				if got, _, err := Inflate(dst, stream, len(c.data)); err != nil || !bytes.Equal(got[3:], c.data) {
					t.Fatalf("%s: limit of just its size: %d bytes, %v", c.name, len(got), err)
				}
				for _, limit := range []int{len(c.data) - 1, len(c.data) / 2, 1} {
					if limit < 1 || limit >= len(c.data) {
						continue
					}
					got, _, err := Inflate(dst, stream, limit)
					if !errors.Is(err, ErrTooLarge) || !bytes.Equal(got[3:], c.data[:len(got)-3]) || len(got)-3 > limit {
						t.Fatalf("%s: limit %d: %d bytes, %v", c.name, limit, len(got)-3, err)
					}
				}
			}
		}
	}
}

// TestRoom decodes into buffers of every size around that of the data.
func TestRoom(t *testing.T) {
	data := pingJSON(1, 3000)[:900]
	var d Decoder
	for _, level := range []int{0, 6} {
		stream := deflated(t, data, level)
		stream = append(stream, make([]byte, 2*worthSteps)...)
		for room := range len(data) + 2*slack {
			got, _, err := d.Inflate(make([]byte, 0, room), stream, 0)
			if err != nil || !bytes.Equal(got, data) {
				t.Fatalf("room for %d bytes: %d, %v", room, len(got), err)
			}
		}
	}
}

func TestDecoderIsReusable(t *testing.T) {
	var d Decoder
	bad := deflated(t, pingJSON(1, 3000), 6)
	bad[len(bad)/2] ^= 0x55
	for _, c := range corpora() {
		if _, _, err := d.Inflate(nil, bad[:len(bad)-20], 0); err == nil {
			t.Fatal("damaged stream accepted")
		}
		got, _, err := d.Inflate(nil, deflated(t, c.data, 6), 0)
		if err != nil || !bytes.Equal(got, c.data) {
			t.Fatalf("%s: %v", c.name, err)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	data := pingJSON(1, 80_000)
	stream, member := deflated(t, data, 6), gzipped(t, data, 6)
	dst := make([]byte, 0, len(data)+slack)
	var d Decoder
	for name, f := range map[string]func() error{
		"Inflate": func() error { _, _, err := d.Inflate(dst, stream, 1<<20); return err },
		"Gunzip":  func() error { _, err := d.Gunzip(dst, member, 1<<20); return err },
	} {
		if n := testing.AllocsPerRun(10, func() {
			require.NoError(t, f())
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
