package ingest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// bomb returns n blanks, packed without having them in memory.
func bomb(t *testing.T, p packer, n int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := p.pack(&out)
	require.NoError(t, err)
	chunk := bytes.Repeat([]byte(" "), 1<<20)
	for ; n > 0; n -= len(chunk) {
		if _, err := w.Write(chunk[:min(n, len(chunk))]); err != nil {
			t.Fatal(err)
		}
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

func TestBombs(t *testing.T) {
	const bound = 8 << 20
	d := newDecoder(t, Config{MaxBody: bound})
	for _, p := range packers {
		if p.slow {
			continue
		}
		packed := bomb(t, p, 12<<20)
		twice := packers["gzip"].packed(t, packed)
		for encoding, body := range map[string][]byte{p.name: packed, p.name + ", gzip": twice} {
			var out Outcome
			s := Submission{URI: []byte(testURI), Body: body}
			s.Headers.Set(ContentEncoding, []byte(encoding))
			d.Decode(&s, &out)
			if out.Kind != Error || out.Class != ClassJSON || !strings.HasPrefix(out.Message, "invalid submission: the body has more than ") {
				t.Errorf("%s, %d bytes: %s %q", encoding, len(body), out.Class, out.Message)
			}
			most := 4 * max(freeOutput, min(bound, DefaultMaxRatio*len(body)))
			if cap(out.unpacked) > most || cap(out.inner) > most {
				t.Errorf("%s: %d bytes took %d and %d", encoding, len(body), cap(out.unpacked), cap(out.inner))
			}
		}
	}
}

// The bound by size and the bound by ratio, to the byte.
func TestUnpackBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for name, p := range packers {
		if p.slow {
			continue
		}
		for _, c := range []struct{ max, ratio, size int }{
			{1000, 10, 1000}, {3 << 19, 1000, 3 << 19}, {1 << 20, 2, 1 << 20}, {freeOutput, 1, freeOutput},
		} {
			u := unpacker{c.max, c.ratio}
			for _, extra := range []int{-1, 0, 1} {
				doc := append([]byte("{"), make([]byte, c.size+extra-1)...)
				for i := range doc[1:] {
					doc[1+i] = "0123456789abcdef"[r.IntN(16)]
				}
				var o Outcome
				got, err := unpackAs(u, &o, p.name, p.packed(t, doc))
				if extra > 0 && (err == nil || err.Error() != fmt.Sprintf("the body has more than %d bytes", c.max)) {
					t.Errorf("%s, %+v, %+d: %v", name, c, extra, err)
				}
				if extra <= 0 && (err != nil || !bytes.Equal(got, doc)) {
					t.Errorf("%s, %+v, %+d: %d bytes, %v", name, c, extra, len(got), err)
				}
			}
		}
	}
	u := unpacker{8 << 20, 100}
	var o Outcome
	for _, name := range []string{"gzip", "zlib", "bare", "zstd", "zstd bare", "br"} {
		p := packers[name]
		body := bomb(t, p, 4<<20)
		limit := max(freeOutput, 100*len(body))
		want := fmt.Sprintf("the body has more than %d bytes, which is over 100 times what came", limit)
		if _, err := unpackAs(u, &o, p.name, body); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
		if _, err := unpackAs(u, &o, p.name, bomb(t, p, freeOutput)); err != nil {
			t.Errorf("%s: a mebibyte of any ratio: %v", name, err)
		}
	}
}
