package archive

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

func packed(t testing.TB, document []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(document)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// loadPacked is load with the samples that which names packed.
func loadPacked(t testing.TB, b store.Bucket, name string, opts Options, all []sample, which func(i int) bool) Summary {
	t.Helper()
	w, err := NewWriter(ctx, b, opts)
	require.NoError(t, err)
	defer func() { _ = w.Abort() }()
	for i, s := range all {
		if which(i) {
			require.NoError(t, w.AppendPacked(s.meta, packed(t, s.body)))
		} else {
			require.NoError(t, w.Append(s.meta, s.body))
		}
	}
	sum, err := w.Close(ctx, name)
	require.NoError(t, err)
	return sum
}

// distinct returns samples of which no two are equal in the order.
func distinct(n int) []sample {
	all := randomSamples(rand.New(rand.NewPCG(7, 8)), n, 3000)
	for i := range all {
		all[i].meta.SetString(ping.DocumentID, fmt.Sprintf("document-%06d", i))
	}
	return all
}

func texts(t testing.TB, b store.Bucket, docType ping.DocType, lo, hi int) (all []string) {
	t.Helper()
	d, err := OpenDay(ctx, b, "20180601", docType)
	require.NoError(t, err)
	for p, err := range d.Pings(ctx, lo, hi) {
		require.NoError(t, err)
		all = append(all, string(p.Meta.AppendJSON(nil))+string(p.Body))
	}
	return all
}

// TestPacked reads the same pings of an archive whether their documents came packed or not, and
// keeps what came.
func TestPacked(t *testing.T) {
	all := distinct(600)
	some := func(i int) bool { return i%3 > 0 }
	plain, mixed, small := store.NewMemory(), store.NewMemory(), store.NewMemory()
	want := load(t, plain, "l", Options{}, all)
	for _, b := range []store.Bucket{mixed, small} {
		o := Options{}
		if b == small {
			o = Options{BufferBytes: 100 << 10, Flushers: 2} // many files
		}
		got := loadPacked(t, b, "l", o, all, some)
		if got.Pings != want.Pings || got.Raw != want.Raw {
			t.Errorf("%+v instead of %+v", got, want)
		}
		for _, docType := range []ping.DocType{"main", "crash"} {
			for _, r := range [][2]int{{0, 100}, {3, 40}, {100, 100}} {
				require.Equal(t, texts(t, plain, docType, r[0], r[1]), texts(t, b, docType, r[0], r[1]), r)
			}
		}
	}
	l, _, err := Loaded(ctx, mixed, "l")
	require.NoError(t, err)
	if l.Format != packedFormat {
		t.Errorf("format %d", l.Format)
	}
	if l, _, err := Loaded(ctx, plain, "l"); err != nil || l.Format != loadFormat {
		t.Errorf("%v, %v", l, err)
	}
	for _, f := range l.Files {
		data, err := store.ReadFile(ctx, mixed, f.Name)
		require.NoError(t, err)
		for i, s := range all {
			if f.Packed && some(i) && string(s.meta.Text(ping.DocTypeField)) == f.DocType && string(s.meta.Text(ping.SubmissionDate)) == f.Day &&
				!bytes.Contains(data, packed(t, s.body)) {
				t.Fatalf("%s does not have sample %d as it came", f.Name, i)
			}
		}
	}
}

// TestPackedRewrite removes rows between packed ones, whose bytes stay.
func TestPackedRewrite(t *testing.T) {
	b, all := store.NewMemory(), distinct(300)
	loadPacked(t, b, "l", Options{}, all, func(i int) bool { return i%2 == 0 })
	before := texts(t, b, "main", 0, 100)
	removed := func(m *ping.Meta) bool { s, ok := m.Int(ping.SampleID); return ok && s%2 == 0 }
	r, err := RewriteDay(ctx, b, "20180601", "main",
		RewriteOptions{Load: "re-1", Drop: removed, DropBody: func(_ *ping.Meta, document []byte) bool {
			return bytes.Contains(document, []byte("7"))
		}})
	require.NoError(t, err)
	after := texts(t, b, "main", 0, 100)
	if len(after) == 0 || int64(len(before)-len(after)) != r.Rows || r.Files != 2 {
		t.Fatalf("%d of %d, %+v", len(after), len(before), r)
	}
	for _, row := range after {
		require.Contains(t, before, row)
	}
	l, _, err := Loaded(ctx, b, "re-1")
	require.NoError(t, err)
	if l.Format != packedFormat || len(l.Files) != 2 || l.Files[0].Packed == l.Files[1].Packed {
		t.Errorf("%+v", l)
	}
}

// TestPackedUnfit keeps a document unpacked where it cannot be kept as a ping, and takes no other
// bytes for packed ones.
func TestPackedUnfit(t *testing.T) {
	b := store.NewMemory()
	w, err := NewWriter(ctx, b, Options{})
	require.NoError(t, err)
	var m ping.Meta
	m.SetString(ping.SubmissionDate, "20180601")
	require.NoError(t, w.AppendPacked(&m, packed(t, []byte(`{"a":1}`))))
	_, err = w.Close(ctx, "l")
	require.NoError(t, err)
	e, err := OpenErrors(ctx, b, "20180601")
	require.NoError(t, err)
	for r, err := range e.All(ctx) {
		require.NoError(t, err)
		require.Equal(t, `{"a":1}`, string(r.Body))
	}
	document := bytes.Repeat([]byte("{} "), 100)
	good := packed(t, document)
	for name, c := range map[string]struct {
		body []byte
		is   bool
	}{
		"one member":  {good, true},
		"two members": {append(packed(t, []byte("x")), good...), false},
		"zero bytes":  {append(bytes.Clone(good), 0, 0, 0, 0), false},
		"plain":       {document, false},
		"short":       {good[:12], false},
		"empty":       {nil, false},
	} {
		size := len(document)
		if name == "two members" {
			size++
		}
		if IsPacked(c.body, size) != c.is {
			t.Errorf("%s: %v", name, !c.is)
		}
	}
}

// TestPackedDamage reads a file whose checksums are right and whose documents are not.
func TestPackedDamage(t *testing.T) {
	good := packed(t, []byte(`{"a":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"}`))
	flip := func(at int) []byte { b := bytes.Clone(good); b[at] ^= 1; return b }
	for name, body := range map[string][]byte{
		"data": flip(14), "checksum": flip(len(good) - 8), "length": flip(len(good) - 4), "huge": append(bytes.Clone(good[:len(good)-1]), 0xff),
		"cut": good[:len(good)-1], "nothing": {}, "another thing": []byte("something that is not compressed at all"),
	} {
		b := store.NewMemory()
		w, err := NewWriter(ctx, b, Options{})
		require.NoError(t, err)
		var m ping.Meta
		m.SetString(ping.SubmissionDate, "20180601")
		m.SetString(ping.DocTypeField, "main")
		require.NoError(t, w.AppendPacked(&m, body))
		_, err = w.Close(ctx, "l")
		require.NoError(t, err)
		d, err := OpenDay(ctx, b, "20180601", "main")
		require.NoError(t, err)
		for _, err := range d.Pings(ctx, 0, 100) {
			if !IsDamage(err) || !strings.Contains(err.Error(), "does not unpack") {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, err := range d.Metas(ctx) {
			require.NoError(t, err, name)
		}
	}
	r := rowfile.Record{Body: good}
	r.Extra[0] = []byte("brotli")
	if _, err := r.Unpack(nil); err == nil || !strings.Contains(err.Error(), `"brotli", which this version`) {
		t.Error(err)
	}
}

// FuzzUnpack unpacks what compress/gzip unpacks to the length that is said, and nothing else.
func FuzzUnpack(f *testing.F) {
	f.Add(packed(f, []byte(`{"a":1}`)))
	f.Add(packed(f, bytes.Repeat([]byte("a"), 5000)))
	f.Add([]byte("\x1f\x8b\x08\x00"))
	f.Fuzz(func(t *testing.T, body []byte) {
		var r rowfile.Record
		r.Pack(body)
		_, err := r.Unpack(nil)
		z, failed := gzip.NewReader(bytes.NewReader(body))
		if failed != nil {
			if err == nil {
				t.Fatal("unpacked what is no gzip")
			}
			return
		}
		want, failed := io.ReadAll(io.LimitReader(z, 1<<26))
		if IsPacked(body, len(want)) && failed == nil && (err != nil || !bytes.Equal(r.Body, want)) {
			t.Fatalf("%v, %d bytes instead of %d", err, len(r.Body), len(want))
		}
	})
}
