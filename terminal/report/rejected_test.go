package report

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ingest/loader"
)

func TestUnpackText(t *testing.T) {
	const text = `{"version":4,"ä":1}`
	pack := func(w interface {
		Write([]byte) (int, error)
		Close() error
	}, b *bytes.Buffer) []byte {
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		require.NoError(t, w.Close())
		return b.Bytes()
	}
	var b [4]bytes.Buffer
	z, err := zstd.NewWriter(&b[1])
	require.NoError(t, err)
	packed := pack(gzip.NewWriter(&b[0]), &b[0])
	for _, c := range []struct {
		name, encoding string
		body           []byte
		ok             bool
	}{
		{"plain", "", []byte(text), true},
		{"said to be brotli", "br", []byte(text), true},
		{"gzip", "", packed, true},
		{"zstd", "zstd", pack(z, &b[1]), true},
		{"deflate", "Deflate", pack(zlib.NewWriter(&b[2]), &b[2]), true},
		{"brotli", " br", pack(brotli.NewWriter(&b[3]), &b[3]), true},
		{"cut", "gzip", packed[:len(packed)-9], false},
		{"not zlib", "deflate", []byte("x"), false},
		{"no text", "", []byte("\xff\xfe"), false},
	} {
		got, ok := unpackText(c.body, map[string]string{"content-encoding": c.encoding})
		if ok != c.ok || ok && got != text {
			t.Errorf("%s: %q, %t", c.name, got, ok)
		}
	}
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	if _, err := w.Write(bytes.Repeat([]byte{' '}, 40<<20)); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, w.Close())
	if _, ok := unpackText(bomb.Bytes(), nil); ok {
		t.Error("a bomb is unpacked")
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"a b":                          "a b",
		"a\x1b[2Jb\nc":                 "a\uFFFD[2Jb\uFFFDc",
		strings.Repeat("a", 200):       strings.Repeat("a", 160) + "…",
		"a" + strings.Repeat("ä", 100): "a" + strings.Repeat("ä", 79) + "…",
	} {
		if got := Printable(in); got != want {
			t.Errorf("%q becomes %q", in, got)
		}
	}
}

func TestPrintReplay(t *testing.T) {
	r := loader.Replayed{
		Tried: 1234, Pings: 1000, Failed: 234, Unfit: 4, Load: "re-1",
		Became: []loader.RejectedCount{{Class: "json", DocType: "main", Rows: 1000}},
		Fails:  []loader.RejectedCount{{Class: "record", Rows: 4}},
		Stale:  []job.Unit{{Table: "main_summary", Day: "20180301"}, {Table: "addons", Day: "20180302"}},
	}
	var out strings.Builder
	require.NoError(t, Replayed(&out, &r, false))
	for _, want := range []string{
		"tried 1,234 rejected submissions: 1,000 are pings now, 0 are copies of pings, 234 still fail\n",
		"of 4 too little is left to try", "was json  main  1,000  are pings now\n", "record    -     4      still fail\n",
		"  main_summary 20180301\n", "pingmill run all --from 20180301 --to 20180302\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing:\n%s", want, out.String())
		}
	}
}
