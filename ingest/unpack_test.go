package ingest

import (
	"strings"
	"testing"
)

func TestUnpack(t *testing.T) {
	u := unpacker{100, DefaultMaxRatio}
	doc := `{"a":"b"}`
	packed := string(gzipped(t, []byte(doc)))
	for name, c := range map[string]struct {
		encoding, body string
		want           string // the text, or what the error says after "!"
	}{
		"plain":             {"", doc, doc},
		"identity":          {"identity", doc, doc},
		"not JSON":          {"", "x", "x"},
		"empty":             {"", "", ""},
		"gzip":              {"gzip", packed, doc},
		"gzip unsaid":       {"", packed, doc},
		"gzip under a name": {"br", packed, doc},
		"two members":       {"gzip", string(gzipped(t, []byte(`{"a":`))) + string(gzipped(t, []byte(`"b"}`))), doc},
		"already unpacked":  {"gzip", " \n" + doc, " \n" + doc},
		"said to be gzip":   {"gzip", "x", "!content encoding"},
		"empty gzip":        {"gzip", "", "!content encoding"},
		"another encoding":  {"br", "\x8b\x03", "!unpack: "},
		"magic only":        {"gzip", "\x1f\x8b", "!unpack: "},
		"cut":               {"gzip", packed[:len(packed)-9], "!unpack: "},
		"checksum":          {"gzip", packed[:len(packed)-8] + "xxxx" + packed[len(packed)-4:], "!unpack: "},
		"garbage behind":    {"gzip", packed + "xyz", "!unpack: "},
		"largest":           {"", strings.Repeat("x", 100), strings.Repeat("x", 100)},
		"too large":         {"", strings.Repeat("x", 101), "!the body has more than 100 bytes"},
		"largest packed":    {"", string(gzipped(t, make([]byte, 100))), string(make([]byte, 100))},
		"too large packed":  {"", string(gzipped(t, make([]byte, 101))), "!the body has more than 100 bytes"},
		"too large members": {"", string(gzipped(t, make([]byte, 60))) + string(gzipped(t, make([]byte, 60))),
			"!the body has more than 100 bytes"},
	} {
		s := Submission{Body: []byte(c.body)}
		s.Headers.Set(ContentEncoding, []byte(c.encoding))
		var o Outcome
		got, err := u.unpack(&o, &s)
		if text, bad := strings.CutPrefix(c.want, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%s: got %q, %v, want %q", name, got, err, text)
			}
		} else if err != nil || string(got) != c.want {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

func TestHugeBodies(t *testing.T) {
	d := newDecoder(t, DefaultConfig())
	var out Outcome
	for name, body := range map[string][]byte{
		"a gzip bomb":      bomb(t, packers["gzip"], 1<<28),
		"a ping of 200 MB": append([]byte(`{"a":"`), make([]byte, 200_000_000)...),
	} {
		d.Decode(&Submission{URI: []byte("/submit/telemetry/" + name[:8] + "/main/a/1/c/b"), Body: body}, &out)
		if out.Kind != Error || out.Class != ClassJSON || out.Message != "invalid submission: the body has more than 33554432 bytes" {
			t.Errorf("%s: %s %q", name, out.Class, out.Message)
		}
		if cap(out.unpacked) > 4*DefaultMaxBody {
			t.Errorf("%s took %d bytes", name, cap(out.unpacked))
		}
	}
}

// TestGzip says of which bodies an outcome has the gzip: no others may be kept as that.
func TestGzip(t *testing.T) {
	u := unpacker{1000, DefaultMaxRatio}
	doc := []byte(`{"a":"b"}`)
	packed := gzipped(t, doc)
	for name, c := range map[string]struct {
		encoding string
		body     []byte
		is       bool
	}{
		"gzip":            {"gzip", packed, true},
		"unsaid":          {"", packed, true},
		"said to be more": {"br", packed, true},
		"plain":           {"", doc, false},
		"said only":       {"gzip", doc, false},
		"twice":           {"gzip, gzip", gzipped(t, packed), false},
		"once of twice":   {"gzip, gzip", packed, false},
		"deflate":         {"deflate", packers["zlib"].packed(t, doc), false},
		"zstd":            {"zstd", packers["zstd"].packed(t, doc), false},
	} {
		s := Submission{Body: c.body}
		s.Headers.Set(ContentEncoding, []byte(c.encoding))
		var o Outcome
		if _, err := u.unpack(&o, &s); err != nil || (o.Gzip != nil) != c.is {
			t.Errorf("%s: %v, %v", name, o.Gzip != nil, err)
		}
		o.Fail(ClassJSON, "x")
		if o.Gzip != nil {
			t.Errorf("%s: an error has gzip", name)
		}
	}
}
