package inflate

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// guarded returns n bytes between two pages that must not be touched: right before the second one if atEnd, else
// right after the first one.
func guarded(t *testing.T, n int, atEnd bool) []byte {
	t.Helper()
	page := os.Getpagesize()
	size := (n + page - 1) / page * page
	b, err := unix.Mmap(-1, 0, size+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, unix.Munmap(b))
	})
	for _, guard := range [][]byte{b[:page], b[page+size:]} {
		require.NoError(t, unix.Mprotect(guard, unix.PROT_NONE))
	}
	if atEnd {
		return b[page+size-n : page+size : page+size]
	}
	return b[page : page+n : page+n]
}

// TestNoAccessBeyond decodes from and into buffers beside which any access kills the test.
func TestNoAccessBeyond(t *testing.T) {
	var d Decoder
	for _, c := range corpora() {
		if len(c.data) > 100_000 {
			continue
		}
		for _, level := range []int{0, 1, 6} {
			whole := deflated(t, c.data, level)
			for _, cut := range []int{0, 1, 9, 40} {
				stream := whole[:max(0, len(whole)-cut)]
				want, _, wantErr := standardInflate(stream)
				for _, atEnd := range []bool{false, true} {
					src := guarded(t, len(stream), atEnd)
					copy(src, stream)
					for _, room := range []int{len(want), len(want) + slack, len(want) / 2} {
						dst := guarded(t, room, atEnd)
						got, _, err := d.Inflate(dst[:0], src, 0)
						if (err == nil) != (wantErr == nil) || !bytes.Equal(got, want) {
							t.Fatalf("%s: %d bytes, want %d, error %v, want %v", c.name, len(got), len(want), err, wantErr)
						}
					}
				}
			}
		}
	}
}

// TestPairStaysInside does the same for two bodies, good and bad.
func TestPairStaysInside(t *testing.T) {
	var all []body
	for _, b := range bodies(t) {
		if len(b.src) < 40_000 {
			all = append(all, b)
		}
	}
	var p Pair
	started := 0
	start := func(atEnd bool) {
		b := all[started]
		src := guarded(t, len(b.src), atEnd)
		copy(src, b.src)
		want, _ := Gunzip(nil, src, b.limit)
		p.Start(guarded(t, len(want)/2+started%3*slack, atEnd)[:0], src, b.limit)
		started++
	}
	start(true)
	for i, b := range all {
		if started < len(all) {
			start(i%2 == 0)
		}
		out, err := p.Finish()
		checkSame(t, b, 0, out, err)
	}
}
