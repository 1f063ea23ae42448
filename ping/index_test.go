package ping

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// indexNaive does the same as index byte by byte.
func indexNaive(b []byte, blocks []block) (flags indexFlags) {
	clear(blocks)
	var escaped, inside bool
	for i, c := range b {
		blk, bit := &blocks[i/64], uint64(1)<<(i%64)
		was := escaped
		escaped = c == '\\' && !was
		if c == '\\' {
			flags |= backslash
		}
		if c >= 0x80 {
			flags |= nonASCII
		}
		switch {
		case c == '"' && !was:
			blk.quote |= bit
			inside = !inside
		case inside:
			if c < 0x20 {
				flags |= control
			}
		case c == '{' || c == '[':
			blk.open |= bit
		case c == '}' || c == ']':
			blk.close |= bit
		case c == ',' || c == ':':
			blk.sep |= bit
		}
	}
	if inside {
		flags |= openString
	}
	return flags
}

func newBlocks(n int) []block { return make([]block, (n+63)/64+1) }

// checkIndex compares every version of index with the naive one.
func checkIndex(t *testing.T, b []byte) {
	t.Helper()
	want := newBlocks(len(b))
	wantFlags := indexNaive(b, want)
	for _, v := range versions() {
		got := newBlocks(len(b))
		for i := range got {
			got[i] = block{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
		}
		var flags indexFlags
		v.run(func() { flags = index(b, got, nil) })
		if flags != wantFlags {
			t.Errorf("%s: flags %04b, want %04b, of %.200q", v.name, flags, wantFlags, b)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%s: block %d is %x, want %x, of %.200q", v.name, i, got[i], want[i], b[i*64:min(len(b), i*64+64)])
			}
		}
	}
}

// noise returns n bytes out of the alphabet.
func noise(r *rand.Rand, n int, alphabet string) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return b
}

func TestIndexNoise(t *testing.T) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	alphabets := []string{string(every), `\"`, `\\\"a`, `{}[],:" `, "\"\x00\x1f\x20\\\x7f\x80", `a`, `"a`,
		"\x22\x2c\x3a\x5b\x5c\x5d\x7b\x7c\x7d\x02\x0c\x1a\xa2\xac\xba\xdb\xdc\xdd\xfb\xfd"}
	for i, alphabet := range alphabets {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		for n := range 400 {
			checkIndex(t, noise(r, n, alphabet))
		}
		checkIndex(t, noise(r, 10_000, alphabet))
	}
}

// Runs of backslashes of every length at every place near a border of blocks.
func TestIndexBackslashRuns(t *testing.T) {
	for at := 50; at < 80; at++ {
		for n := range 140 {
			b := bytes.Repeat([]byte{'"'}, at)
			b = append(b, bytes.Repeat([]byte{'\\'}, n)...)
			b = append(b, `"{\"[`...)
			checkIndex(t, b)
		}
	}
}

func FuzzIndex(f *testing.F) {
	for _, s := range []string{``, `{}`, `{"a":[1,2,{"b":"\"\\"}],"c":null}`, `\"\\"`, "\"\x01\xff", `"`} {
		f.Add([]byte(s))
		f.Add(bytes.Repeat([]byte(s), 40))
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkIndex(t, b) })
}

func BenchmarkIndex(b *testing.B) {
	docs, size := pingLike()
	blocks := newBlocks(len(docs[0]) * 2)
	for _, v := range versions() {
		b.Run(v.name, func(b *testing.B) {
			b.SetBytes(int64(size))
			v.run(func() {
				for b.Loop() {
					for _, d := range docs {
						index(d, blocks[:(len(d)+63)/64+1], nil)
					}
				}
			})
		})
	}
}
