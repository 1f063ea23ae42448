package ingest

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// unpackPart unpacks a body as far as it can be read.
func unpackPart(body []byte, encoding string, limit int) ([]byte, error) {
	return Config{MaxBody: limit}.Unpack(body, map[string]string{"content-ENCODING": encoding})
}

func TestUnpackPart(t *testing.T) {
	doc := largePing(t)
	for name, p := range packers {
		if p.slow {
			continue
		}
		packed := p.packed(t, doc)
		for _, encoding := range []string{p.name, "", "identity, " + p.name} {
			if got, err := unpackPart(packed, encoding, DefaultMaxBody); err != nil || !bytes.Equal(got, doc) {
				if encoding != "" || p.magic {
					t.Errorf("%s as %q: %d bytes, %v", name, encoding, len(got), err)
				}
			}
		}
		for outer, q := range packers {
			if q.slow {
				continue
			}
			if got, err := unpackPart(q.packed(t, packed), p.name+", "+q.name, DefaultMaxBody); err != nil || !bytes.Equal(got, doc) {
				t.Errorf("%s in %s: %d bytes, %v", name, outer, len(got), err)
			}
		}
		// What comes before a damage is read, in the outer one as well.
		cut := packed[:len(packed)-9]
		for encoding, body := range map[string][]byte{p.name: cut, p.name + ", gzip": packers["gzip"].packed(t, cut)} {
			if got, err := unpackPart(body, encoding, DefaultMaxBody); err == nil || !bytes.HasPrefix(doc, got) || len(got) < len(doc)/2 {
				t.Errorf("%s, cut: %d bytes of %d, %v", name, len(got), len(doc), err)
			}
		}
	}
	// Brotli loses what it was about to give where the damage is.
	damaged := packers["br"].packed(t, doc)
	copy(damaged[len(damaged)*3/4:], bytes.Repeat([]byte{0xff}, 100))
	if got, err := unpackPart(damaged, "br", DefaultMaxBody); err == nil || len(got) < len(doc)/3 || !bytes.HasPrefix(got, doc[:len(doc)/3]) {
		t.Errorf("damaged brotli: %d bytes of %d, %v", len(got), len(doc), err)
	}
	for _, text := range []string{"", "x", "{", ` {"a":1}`, "hello"} {
		if got, err := unpackPart([]byte(text), "identity", DefaultMaxBody); err != nil || string(got) != text {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// TestUnpackPartBombs: whatever is packed how often, no layer gives more than its
// limit, also where nothing comes out in the end.
func TestUnpackPartBombs(t *testing.T) {
	const size, limit = 64 << 20, 1 << 20
	empty := packers["gzip"].packed(t, nil)
	endless := packers["gzip"].packed(t, bytes.Repeat(empty, size/len(empty)))
	for name, p := range packers {
		if p.slow || name == "stored" {
			continue
		}
		packed := bomb(t, p, size)
		for encoding, body := range map[string][]byte{
			p.name: packed, p.name + ", gzip": packers["gzip"].packed(t, packed), p.name + ",br": packers["br"].packed(t, packed),
		} {
			got, err := unpackPart(body, encoding, limit)
			if !errors.Is(err, errTooLarge) || len(got) != limit {
				t.Errorf("%s as %s: %d bytes, %v", name, encoding, len(got), err)
			}
		}
	}
	if got, err := unpackPart(endless, "gzip, gzip", limit); !errors.Is(err, errTooLarge) || len(got) > 0 {
		t.Errorf("an endless stream of nothing: %d bytes, %v", len(got), err)
	}
	if got, err := unpackPart([]byte(strings.Repeat("x", limit)), "", limit); err != nil || len(got) != limit {
		t.Errorf("just as much: %d bytes, %v", len(got), err)
	}
}
