package inflate

import (
	"bytes"
	stdgzip "compress/gzip"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// chunked gives the bytes of src in pieces of at most n.
type chunked struct {
	src io.Reader
	n   int
}

func (c chunked) Read(p []byte) (int, error) { return c.src.Read(p[:min(c.n, len(p))]) }

// readWith reads all of z through reads of n bytes.
func readWith(z io.Reader, n int) ([]byte, error) {
	var out []byte
	p := make([]byte, n)
	for {
		n, err := z.Read(p)
		out = append(out, p[:n]...)
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
	}
}

// sameReader checks that a Reader gives what gzip.Reader gives, the bytes before an error included.
func sameReader(t *testing.T, name string, z *Reader, src []byte, in, out int) {
	t.Helper()
	var want, got []byte
	std, wantErr := stdgzip.NewReader(bytes.NewReader(src))
	if wantErr == nil {
		want, wantErr = io.ReadAll(std)
	}
	err := z.Reset(chunked{bytes.NewReader(src), in})
	if err == nil {
		got, err = readWith(z, out)
	}
	if (err == nil) != (wantErr == nil) || !bytes.Equal(got, want) {
		t.Fatalf("%s: %d bytes, error %v, want %d bytes, %v", name, len(got), err, len(want), wantErr)
	}
	if err != nil && err != io.EOF && !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrTruncated) {
		t.Fatalf("%s: error %v is none of the package's", name, err)
	}
	if (err == io.EOF) != (wantErr == io.EOF) {
		t.Fatalf("%s: error %v, want %v", name, err, wantErr)
	}
}

func TestReader(t *testing.T) {
	var z Reader
	for name, m := range members(t) {
		for _, in := range []int{1, 7, 1000, 1 << 20} {
			sameReader(t, name, &z, m.src, in, 1000)
		}
		sameReader(t, name, &z, m.src, 500, 1)
	}
	for _, c := range corpora() {
		for _, level := range []int{0, 1, 9} {
			src := append(gzipped(t, c.data, level), gzipped(t, []byte("next"), level)...)
			sameReader(t, c.name, &z, src, 10_000, 1<<16)
			sameReader(t, c.name, &z, src[:len(src)*3/4], 1<<20, 100_000)
		}
	}
}

func TestReaderDamaged(t *testing.T) {
	src := bytes.Join([][]byte{
		member(t, 0x1f, "\x03\x00abcname\x00comment\x00", pingJSON(2, 2000)), member(t, 0, "", []byte("second")),
	}, nil)
	var z Reader
	for n := range src {
		sameReader(t, "cut", &z, src[:n], 100, 500)
	}
	for bit := range 8 * len(src) {
		src[bit/8] ^= 1 << (bit % 8)
		sameReader(t, "bit flipped", &z, src, 200, 5000)
		src[bit/8] ^= 1 << (bit % 8)
	}
}

// TestReaderLarge reads members beyond all buffers, in which matches reach back over the ends of the window.
func TestReaderLarge(t *testing.T) {
	data := bytes.Join([][]byte{pingJSON(1, 3_000_000), corpora()[7].data, make([]byte, 5_000_000)}, nil)
	data = append(data, data...)
	src := gzipped(t, data, 6)
	var z Reader
	sameReader(t, "large", &z, append(src, src...), 1<<20, 1<<15)
	sameReader(t, "large", &z, src, 333, 777)
}

// brokenReader returns data, then err.
func brokenReader(data []byte, err error) io.Reader {
	return io.MultiReader(bytes.NewReader(data), iotest.ErrReader(err))
}

func TestReaderErrors(t *testing.T) {
	ping := pingJSON(1, 20_000)
	src := member(t, flagName, "name\x00", ping)
	broken := errors.New("broken disk")
	for _, n := range []int{0, 5, 12, 100, len(src) - 100, len(src) - 4, len(src)} {
		var got []byte
		z, err := NewReader(brokenReader(src[:n], broken))
		if err == nil {
			got, err = io.ReadAll(z)
		}
		if err != broken || !bytes.Equal(got, ping[:len(got)]) {
			t.Errorf("broken after %d bytes: %d bytes, %v", n, len(got), err)
		}
		if n > len(src)-5 && len(got) != len(ping) {
			t.Errorf("broken after %d bytes: %d bytes, want all", n, len(got))
		}
	}
	z, err := NewReader(iotest.DataErrReader(bytes.NewReader(src)))
	require.NoError(t, err)
	if n, err := z.Read(nil); n != 0 || err != nil {
		t.Errorf("read of nothing: %d, %v", n, err)
	}
	if err = iotest.TestReader(z, ping); err != nil {
		t.Error(err)
	}
	if _, err = NewReader(chunked{bytes.NewReader(src), 0}); err != io.ErrNoProgress {
		t.Errorf("reader without progress: %v", err)
	}
	if _, err = NewReader(bytes.NewReader(nil)); err != io.EOF {
		t.Errorf("no data: %v", err)
	}
}

// parts gives one part a call.
type parts struct {
	left [][]byte
	read int
}

func (p *parts) Read(b []byte) (int, error) {
	if p.read == len(p.left) {
		return 0, io.EOF
	}
	p.read++
	return copy(b, p.left[p.read-1]), nil
}

// TestReaderDoesNotWait reads from a slow sender all that it has sent, before asking for more.
func TestReaderDoesNotWait(t *testing.T) {
	const text = "a part of a stream, "
	var (
		sent bytes.Buffer
		src  parts
	)
	w := stdgzip.NewWriter(&sent)
	for range 5 {
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		require.NoError(t, w.Flush())
		src.left = append(src.left, bytes.Clone(sent.Bytes()))
		sent.Reset()
	}
	require.NoError(t, w.Close())
	src.left = append(src.left, sent.Bytes())
	z, err := NewReader(&src)
	require.NoError(t, err)
	p := make([]byte, len(text))
	for i := range 5 {
		if _, err := io.ReadFull(z, p); err != nil || string(p) != text || src.read != i+1 {
			t.Fatalf("part %d: %q after reading %d parts, %v", i, p, src.read, err)
		}
	}
	if n, err := z.Read(p); n != 0 || err != io.EOF {
		t.Errorf("at the end: %d, %v", n, err)
	}
}

func TestReaderAllocations(t *testing.T) {
	src := bytes.Repeat(gzipped(t, pingJSON(1, 50_000), 6), 20)
	in := bytes.NewReader(src)
	var z Reader
	p := make([]byte, 1<<15)
	if n := testing.AllocsPerRun(3, func() {
		in.Reset(src)
		require.NoError(t, z.Reset(in))
		for err := error(nil); err != io.EOF; {
			if _, err = z.Read(p); err != nil && err != io.EOF {
				t.Fatal(err)
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
