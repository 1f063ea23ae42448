package format

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"testing"
)

// checkBase64 compares AppendBase64 with the standard library, in memory that is there and in memory that is not.
func checkBase64(t *testing.T, text []byte) {
	t.Helper()
	want, wantErr := base64.StdEncoding.AppendDecode([]byte("before"), text)
	for _, room := range []int{6, 6 + len(text), 6 + 2*len(text)} {
		dst := append(make([]byte, 0, room), "before"...)
		got, err := AppendBase64(dst, text)
		if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() || !bytes.Equal(got, want) {
			t.Errorf("%q becomes %x, %v, want %x, %v", text, got, err, want, wantErr)
		}
	}
}

// Texts of all lengths, whole and with every byte at one place.
func TestBase64(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		text := base64.StdEncoding.AppendEncode(nil, data)
		checkBase64(t, text)
		for c := 0; c < 256 && n > 0; c += 1 + n/100 {
			changed := bytes.Clone(text)
			changed[r.IntN(len(text))] = byte(c)
			checkBase64(t, changed)
		}
		for _, c := range []string{"\n", "\r\n", "=", "==", "A", " "} {
			at := r.IntN(len(text) + 1)
			checkBase64(t, bytes.Join([][]byte{text[:at], text[at:]}, []byte(c)))
			checkBase64(t, append(bytes.Clone(text), c...))
		}
	}
}

func FuzzBase64(f *testing.F) {
	for _, s := range []string{"", "QQ==", "QUI=", "QUJD", "QR==", "Q\nQ==", "QQ=", "Q", "====", "QUJD\xff", "-_+/"} {
		f.Add([]byte(s))
		f.Add(bytes.Repeat([]byte(s), 30))
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkBase64(t, text) })
}
