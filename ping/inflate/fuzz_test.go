package inflate

import (
	"bytes"
	"testing"
)

// padding behind a stream lets the fast loop run up to its end.
var padding = make([]byte, 2*worthSteps)

// FuzzInflate compares with compress/flate on any bytes.
func FuzzInflate(f *testing.F) {
	for _, c := range crafted() {
		f.Add(c.stream.b)
	}
	for _, level := range []int{-2, 0, 1, 6, 9} {
		f.Add(deflated(f, pingJSON(1, 1200)[:1200], level))
		f.Add(deflated(f, bytes.Repeat([]byte("abcde"), 300), level))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		sameAsStandard(t, "plain", src)
		sameAsStandard(t, "padded", append(src[:len(src):len(src)], padding...))
		want, _, wantErr := standardInflate(src)
		limit := len(want)/2 + 1
		if got, _, err := Inflate(nil, src, limit); len(got) > limit || err == nil && (wantErr != nil || len(want) > limit) {
			t.Fatalf("limit %d: %d bytes of %d, %v", limit, len(got), len(want), err)
		}
	})
}

// FuzzGunzip compares with compress/gzip on any bytes.
func FuzzGunzip(f *testing.F) {
	for _, m := range members(f) {
		if len(m.src) < 10_000 {
			f.Add(m.src)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		sameGunzip(t, "plain", src)
		sameGunzip(t, "padded", append(src[:len(src):len(src)], padding...))
	})
}

// FuzzReader compares with compress/gzip.Reader on any bytes, read in pieces of any size.
func FuzzReader(f *testing.F) {
	for _, m := range members(f) {
		if len(m.src) < 10_000 {
			f.Add(m.src, uint16(100), uint16(1000))
			f.Add(m.src, uint16(1), uint16(1))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, in, out uint16) {
		z := new(Reader)
		sameReader(t, "plain", z, src, int(in)+1, int(out)+1)
		sameReader(t, "padded", z, append(src[:len(src):len(src)], padding...), int(in)+1, int(out)+1)
	})
}
