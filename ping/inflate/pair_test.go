package inflate

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// body is an input of Gunzip.
type body struct {
	name  string
	src   []byte
	limit int
}

// wrapped returns a deflate stream in a gzip member, with zero bytes in between that let the fast loops run up to its
// end.
func wrapped(stream []byte) []byte {
	return slices.Concat([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3}, stream, padding)
}

// bodies returns all kinds: pings, gzip members and crafted streams, good and bad.
func bodies(t *testing.T) []body {
	t.Helper()
	var all []body
	for i, c := range corpora() {
		src := gzipped(t, c.data, 1+i%9)
		all = append(all, body{c.name, src, 0}, body{"short " + c.name, src[:len(src)*3/4], 0})
	}
	for i := range 20 {
		src := gzipped(t, pingJSON(uint64(i), 1000<<(i%8)), 6)
		src[len(src)*(i+1)/21] ^= 1 << (i % 8)
		all = append(all, body{fmt.Sprint("damaged ", i), src, 0})
	}
	streams, gzips := crafted(), members(t)
	for _, name := range slices.Sorted(maps.Keys(streams)) {
		all = append(all, body{name, wrapped(streams[name].stream.b), 0})
	}
	for _, name := range slices.Sorted(maps.Keys(gzips)) {
		all = append(all, body{name, gzips[name].src, 0}, body{"limited " + name, gzips[name].src, 4000})
	}
	return all
}

// checkSame checks that Finish gave for b, behind a number of bytes of dst, what Gunzip gives.
func checkSame(t *testing.T, b body, before int, out []byte, err error) {
	t.Helper()
	want, wantErr := Gunzip(nil, b.src, b.limit)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) || !bytes.Equal(out[before:], want) {
		t.Fatalf("%s: %d bytes, error %v, want %d bytes, %v", b.name, len(out)-before, err, len(want), wantErr)
	}
}

// unpackAll unpacks bodies one after the other, with a number of them begun.
func unpackAll(t *testing.T, p *Pair, all []body, open int) {
	t.Helper()
	begun := 0
	for i, b := range all {
		for ; begun < min(i+open, len(all)); begun++ {
			p.Start([]byte("before")[:begun%2*6], all[begun].src, all[begun].limit)
		}
		out, err := p.Finish()
		checkSame(t, b, i%2*6, out, err)
	}
}

func TestPair(t *testing.T) {
	all := bodies(t)
	var p Pair
	for open := 1; open <= MaxOpen; open++ {
		unpackAll(t, &p, all, open)
		slices.Reverse(all)
	}
	zipped, _ := pings(t)
	for i, b := range all { // each in step with a ping, which goes on for longer
		p.Start(nil, b.src, b.limit)
		ping := body{"ping", zipped[i%len(zipped)], 0}
		p.Start(nil, ping.src, 0)
		for _, b := range []body{b, ping} {
			out, err := p.Finish()
			checkSame(t, b, 0, out, err)
		}
	}
}

// TestPairInStep tests that pings of usual size are decoded by turns, and that another goes on when the second ends.
func TestPairInStep(t *testing.T) {
	if !usePairs {
		t.Skip("no assembly for this processor")
	}
	zipped, _ := pings(t)
	short := gzipped(t, pingJSON(1, 20_000), 6)
	var p Pair
	p.Start(nil, zipped[0], 0)
	p.Start(nil, short, 0)
	p.Start(nil, zipped[1], 0)
	_, err := p.Finish()
	require.NoError(t, err)
	require.True(t, p.slot(0).ended)
	if third := p.slot(1); !third.ended && third.d.out.op < 30_000 {
		t.Fatalf("only %d bytes of the third body", third.d.out.op)
	}
}

func TestPairMisuse(t *testing.T) {
	var p Pair
	require.Panics(t, func() { _, _ = p.Finish() })
	for range MaxOpen {
		p.Start(nil, nil, 0)
	}
	require.Panics(t, func() { p.Start(nil, nil, 0) })
	p.Reset()
	unpackAll(t, &p, bodies(t)[:20], MaxOpen)
}

// FuzzPair compares with Gunzip for any two bodies and limits. In most cases the bytes are deflate data, so that
// they become codes and symbols.
func FuzzPair(f *testing.F) {
	zipped, _ := pings(f)
	var streams [][]byte
	for _, c := range crafted() {
		streams = append(streams, c.stream.b)
	}
	streams = append(streams, deflated(f, pingJSON(1, 3000)[:3000], 6), deflated(f, pingJSON(2, 6000), 1), zipped[0][fixedHeader:])
	for i, s := range streams {
		f.Add(s, streams[(i+1)%len(streams)], uint16(0), uint16(i*100), byte(i))
	}
	var p Pair
	f.Fuzz(func(t *testing.T, a, b []byte, limitA, limitB uint16, how byte) {
		all := []body{{"a", a, int(limitA)}, {"b", b, int(limitB)}}
		for i := range all {
			if how>>i&1 == 0 {
				all[i].src = wrapped(all[i].src)
			}
		}
		unpackAll(t, &p, append(all, all[0], all[1], all[1]), 1+int(how>>2)%MaxOpen)
	})
}
