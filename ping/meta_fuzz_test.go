package ping

import (
	"bytes"
	"testing"
	"unicode/utf8"
)

// FuzzMeta reads metadata, writes it and reads it again.
func FuzzMeta(f *testing.F) {
	for _, s := range []string{
		fullMeta, `{}`, `{"documentId":"\u0000\ud83d\ude00\ud83d","sampleId":-0,"timestamp":9223372036854775807,` +
			`"creationTimestamp":-9223372036854775808}`,
		`{"telemetryEnabled":true,"X-PingSender-Version":1.50,"sourceVersion":4,"geoCity":"??"}`, `{"documentId":"a","documentId":null}`,
		"{\"os\":\"\xff\"}", `{"os":tru}`, `[]`, ``,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var m, again Meta
		if err := m.ParseJSON(b); err != nil {
			if Validate(b) == nil && bytes.TrimLeft(b, " \t\r\n")[0] == '{' {
				t.Fatalf("parse %q: %v", b, err)
			}
			return
		}
		out := m.AppendJSON(nil)
		if err := Validate(out); err != nil {
			t.Fatalf("%q is written as %q: %v", b, out, err)
		}
		if err := again.ParseJSON(out); err != nil {
			t.Fatalf("parse %q again: %v", out, err)
		}
		for i := MetaField(0); i < NumMetaFields; i++ {
			checkSameField(t, i, &m, &again)
		}
		if out2 := again.AppendJSON(nil); !bytes.Equal(out, out2) {
			t.Fatalf("%q is written as %q, then as %q", b, out, out2)
		}
	})
}

func checkSameField(t *testing.T, f MetaField, a, b *Meta) {
	t.Helper()
	if f.IsInt() {
		x, xOK := a.Int(f)
		if y, yOK := b.Int(f); x != y || xOK != yOK {
			t.Fatalf("%s: %d (%v), then %d (%v)", f.Name(), x, xOK, y, yOK)
		}
		return
	}
	x, y := a.Text(f), b.Text(f)
	if (x == nil) != (y == nil) || utf8.Valid(x) && !bytes.Equal(x, y) {
		t.Fatalf("%s: %q, then %q", f.Name(), x, y)
	}
}
