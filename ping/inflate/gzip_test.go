package inflate

import (
	"bytes"
	stdflate "compress/flate"
	stdgzip "compress/gzip"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// standardGunzip is Gunzip with compress/gzip, member by member because of the zero bytes at the end.
func standardGunzip(src []byte) (out []byte, err error) {
	r := bytes.NewReader(src)
	z, err := stdgzip.NewReader(r)
	for err == nil {
		z.Multistream(false)
		var part []byte
		part, err = io.ReadAll(z)
		out = append(out, part...)
		if rest := src[len(src)-r.Len():]; err != nil || len(bytes.Trim(rest, "\x00")) == 0 {
			return out, err
		}
		err = z.Reset(r)
	}
	return out, err
}

// sameGunzip checks that Gunzip gives what compress/gzip gives, the bytes before an error included.
func sameGunzip(t *testing.T, name string, src []byte) {
	t.Helper()
	want, wantErr := standardGunzip(src)
	got, err := Gunzip(nil, src, 0)
	if (err == nil) != (wantErr == nil) || !bytes.Equal(got, want) {
		t.Fatalf("%s: %d bytes, error %v, want %d bytes, %v", name, len(got), err, len(want), wantErr)
	}
	if err != nil && !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrTruncated) {
		t.Fatalf("%s: error %v is none of the package's", name, err)
	}
}

// member returns a gzip member with the given flags and bytes after the fixed header, which are followed by the right
// header checksum if the flag says so.
func member(tb testing.TB, flags byte, fields string, data []byte) []byte {
	tb.Helper()
	b := append([]byte{0x1f, 0x8b, 8, flags, 1, 2, 3, 4, 0, 3}, fields...)
	if flags&flagHCRC != 0 {
		b = binary.LittleEndian.AppendUint16(b, uint16(crc32.ChecksumIEEE(b)))
	}
	b = append(b, deflated(tb, data, 6)...)
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(data))
	return binary.LittleEndian.AppendUint32(b, uint32(len(data)))
}

// members returns gzip data and what they hold, or nil if they are damaged.
func members(tb testing.TB) map[string]struct{ src, want []byte } {
	tb.Helper()
	type m = struct{ src, want []byte }
	ping := pingJSON(1, 5000)
	plain := member(tb, 0, "", ping)
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	long := strings.Repeat("n", maxText-1)
	wrongSum, wrongSize, wrongHeader := bytes.Clone(plain), bytes.Clone(plain), member(tb, flagHCRC, "", ping)
	wrongSum[len(plain)-8]++
	wrongSize[len(plain)-1]++
	wrongHeader[4]++
	return map[string]m{
		"plain":            {plain, ping},
		"empty member":     {member(tb, 0, "", nil), []byte{}},
		"text flag":        {member(tb, 1, "", ping), ping},
		"name":             {member(tb, flagName, "ping.json\x00", ping), ping},
		"all fields":       {member(tb, 0x1f, "\x03\x00abcname\x00comment\x00", ping), ping},
		"empty fields":     {member(tb, 0x1f, "\x00\x00\x00\x00", ping), ping},
		"long extra field": {member(tb, flagExtra, "\xff\xff"+strings.Repeat("x", 65535), ping), ping},
		"longest texts":    {member(tb, flagName|flagComment, long+"\x00"+long+"\x00", ping), ping},
		"reserved flags":   {member(tb, 0xe0, "", ping), ping},
		"two members":      {join(plain, member(tb, 0, "", ping[:99])), join(ping, ping[:99])},
		"many members":     {bytes.Repeat(plain, 50), bytes.Repeat(ping, 50)},
		"zero padding":     {join(plain, plain, make([]byte, 700)), join(ping, ping)},
		"no data":          {nil, nil},
		"only zeros":       {make([]byte, 100), nil},
		"other method":     {join([]byte{0x1f, 0x8b, 7}, plain[3:]), nil},
		"text too long":    {member(tb, flagComment, long+"n\x00", ping), nil},
		"endless text":     {member(tb, flagName, long[:100], nil)[:100], nil},
		"trailing data":    {join(plain, []byte("trailing data")), nil},
		"trailing byte":    {join(plain, []byte{1}), nil},
		"data after zeros": {join(plain, make([]byte, 8), plain), nil},
		"wrong checksum":   {wrongSum, nil},
		"wrong size":       {wrongSize, nil},
		"header checksum":  {wrongHeader, nil},
		"second is broken": {join(plain, wrongSum), nil},
	}
}

func TestGunzip(t *testing.T) {
	for name, m := range members(t) {
		sameGunzip(t, name, m.src)
		got, err := Gunzip([]byte("before"), m.src, 0)
		if m.want == nil {
			if err == nil {
				t.Errorf("%s: no error", name)
			}
			continue
		}
		if err != nil || string(got) != "before"+string(m.want) {
			t.Errorf("%s: %d bytes of %d, %v", name, len(got)-6, len(m.want), err)
		}
		if len(m.want) < 2 {
			continue
		}
		if got, err = Gunzip(nil, m.src, len(m.want)-1); !errors.Is(err, ErrTooLarge) || len(got) >= len(m.want) {
			t.Errorf("%s: %d bytes beyond the limit, %v", name, len(got), err)
		}
	}
}

func TestGunzipDamaged(t *testing.T) {
	src := bytes.Join([][]byte{
		member(t, 0x1f, "\x03\x00abcname\x00comment\x00", pingJSON(2, 1500)[1000:]), member(t, 0, "", []byte("second")), {0, 0, 0},
	}, nil)
	for n := range src {
		sameGunzip(t, "cut", src[:n])
	}
	for bit := range 8 * len(src) {
		src[bit/8] ^= 1 << (bit % 8)
		sameGunzip(t, "bit flipped", src)
		src[bit/8] ^= 1 << (bit % 8)
	}
}

// TestBomb takes ten megabytes that become ten gigabytes, whose trailer is right or wrong.
func TestBomb(t *testing.T) {
	var blocks bytes.Buffer
	w, err := stdflate.NewWriter(&blocks, 9)
	require.NoError(t, err)
	if _, err = w.Write(make([]byte, 1<<24)); err != nil {
		t.Fatal(err)
	}
	if err = w.Flush(); err != nil {
		t.Fatal(err)
	}
	body := append([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0}, bytes.Repeat(blocks.Bytes(), 600)...)
	for _, size := range []uint32{0, 1000, 600 << 24 & (1<<32 - 1), 1<<32 - 1} {
		for _, limit := range []int{1, 100_000, 32 << 20} {
			bomb := binary.LittleEndian.AppendUint32(body[:len(body):len(body)], 0)
			bomb = binary.LittleEndian.AppendUint32(bomb, size)
			var before, after runtime.MemStats
			var d Decoder
			runtime.ReadMemStats(&before)
			out, err := d.Gunzip(nil, bomb, limit)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, ErrTooLarge) || len(out) != limit {
				t.Fatalf("limit %d: %d bytes, %v", limit, len(out), err)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > uint64(2*limit+1<<16) {
				t.Errorf("limit %d: %d bytes allocated", limit, used)
			}
		}
	}
	// A small input cannot make the decoder allocate more than it could become.
	lie := member(t, 0, "", []byte("small"))
	copy(lie[len(lie)-4:], "\xff\xff\xff\xff")
	if out, err := Gunzip(nil, lie, 0); !errors.Is(err, ErrCorrupt) || cap(out) > maxRatio*len(lie)+2*slack {
		t.Errorf("wrong size: capacity %d, %v", cap(out), err)
	}
}
